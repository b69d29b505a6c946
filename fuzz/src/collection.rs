//! Well-formed collections of games chosen by the bytes of the fuzzer, with the expected result of
//! parsing them.

use arbitrary::{Arbitrary, Result, Unstructured};
use pgna::Token;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use std::fmt::Write as _;

/// The maximum number of games of a collection.
const MAX_GAMES: usize = 48;

/// Start positions other than the usual one.
const STARTS: [&str; 4] = [
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w KQkq - 0 17",
    "8/8/4k3/8/2pP4/8/4K3/8 b - d3 0 40",
    "7k/5Q2/6K1/8/8/8/8/8 w - - 97 120",
];

const TAGS: [(&str, &[&str]); 8] = [
    (
        "Event",
        &["Casual game", "?", "Team cup, \\\"A\\\" group", ""],
    ),
    (
        "Date",
        &["1999.12.31", "2024.??.??", "????.??.??", "2024.02.30"],
    ),
    ("Round", &["1", "2.1", "-", "10.11"]),
    ("White", &["Morphy, Paul", "NN", "M\u{fc}ller", "a"]),
    ("Black", &["Anderssen, Adolf", "NN", "M\u{fc}ller", ""]),
    ("WhiteElo", &["2500", "0", "?", "99999"]),
    ("TimeControl", &["180+2", "40/7200:3600", "-", "60"]),
    ("ECO", &["A00", "B90", "C42", "E99"]),
];

const COMMENTS: [&str; 6] = [
    "[%clk 0:03:00]",
    "[%clk 0:02:59.9]",
    "[%eval 0.17]",
    "[%eval #-3] [%clk 1:00:00]",
    "with the idea of Nf3 and e4",
    "{",
];

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A sequence of games.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) games: Vec<Game>,
}

/// A game: its text, and the expected result of parsing it.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) text: Vec<u8>,
    /// Names and unescaped values.
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) tokens: Vec<Token>,
    /// FENs of the positions of the main line, from the start position.
    pub(crate) positions: Vec<String>,
}

impl Collection {
    /// The text of all games.
    pub(crate) fn text(&self) -> Vec<u8> {
        let texts = self.games.iter().map(|game| &game.text[..]);
        texts.collect::<Vec<_>>().concat()
    }
}

impl<'a> Arbitrary<'a> for Collection {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let style = Style(u.arbitrary()?);
        let mut games = Vec::new();
        while !u.is_empty() && games.len() < MAX_GAMES {
            games.push(Game::chosen(u, style)?);
        }
        Ok(Collection { games })
    }
}

/// The layout of a text.
#[derive(Debug, Clone, Copy)]
struct Style(u8);

impl Style {
    fn newline(self) -> &'static str {
        match self.0 & 1 {
            0 => "\n",
            _ => "\r\n",
        }
    }

    /// Whether lines are wrapped at 80 characters.
    fn wraps(self) -> bool {
        self.0 & 2 != 0
    }
}

impl Game {
    fn chosen(u: &mut Unstructured<'_>, style: Style) -> Result<Game> {
        let start: u8 = u.arbitrary()?;
        let start = STARTS.get(usize::from(start & 0x0f));
        let mut tags = Vec::new();
        // Text without a tag pair or a move is not a game, so at least one tag is chosen.
        let chosen = u.arbitrary::<u8>()?.max(1);
        for (number, (name, values)) in TAGS.iter().enumerate() {
            if chosen >> number & 1 == 1 {
                tags.push((*name, values[usize::from(u.arbitrary::<u8>()? & 3)]));
            }
        }
        tags.extend(start.map(|fen| ("FEN", *fen)));
        let fen = start.map(|fen| fen.parse::<Fen>().expect("a FEN"));
        let start = fen.map_or_else(Chess::new, |fen| {
            fen.into_position(CastlingMode::Standard)
                .expect("a position")
        });
        let movetext = Movetext::chosen(u, start)?;
        let newline = style.newline();
        let mut text = String::new();
        for (name, value) in &tags {
            let _ = write!(text, "[{name} \"{value}\"]{newline}");
        }
        text += newline;
        let mut column = 0;
        for (number, word) in movetext.words.iter().enumerate() {
            let parts = match () {
                () if number == 0 => "",
                () if style.wraps() && column + word.len() >= 80 => newline,
                () => " ",
            };
            column = match parts == newline {
                true => word.len(),
                false => column + 1 + word.len(),
            };
            text += parts;
            text += word;
        }
        text += newline;
        text += newline;
        let plain = |(name, value): &(&str, &str)| (name.to_string(), value.replace("\\\"", "\""));
        Ok(Game {
            text: text.into_bytes(),
            tags: tags.iter().map(plain).collect(),
            tokens: movetext.tokens,
            positions: movetext.positions,
        })
    }
}

/// Builder of a movetext.
struct Movetext {
    /// The current line is last: its position, and the position before its last move. The lines
    /// that enclose its variation precede it.
    lines: Vec<(Chess, Option<Chess>)>,
    words: Vec<String>,
    tokens: Vec<Token>,
    positions: Vec<String>,
    /// Whether the next move by Black needs its number.
    is_numbered: bool,
}

impl Movetext {
    fn chosen(u: &mut Unstructured<'_>, start: Chess) -> Result<Movetext> {
        let mut movetext = Movetext {
            positions: vec![fen(&start)],
            lines: vec![(start, None)],
            words: Vec::new(),
            tokens: Vec::new(),
            is_numbered: true,
        };
        while !u.is_empty() {
            match u.arbitrary::<u8>()? {
                pick @ 0..=219 => movetext.play(pick),
                220..=229 => movetext.comment(u.arbitrary()?),
                230..=235 => movetext.glyph(u.arbitrary()?),
                236..=240 => movetext.open(),
                241..=245 => movetext.close(),
                _ => break,
            }
        }
        while movetext.lines.len() > 1 {
            movetext.close();
        }
        let result = RESULTS[usize::from(u.arbitrary::<u8>().unwrap_or(0) & 3)];
        movetext.say(result.to_owned(), Token::Outcome(result));
        Ok(movetext)
    }

    fn say(&mut self, word: String, token: Token) {
        self.words.push(word);
        self.tokens.push(token);
    }

    fn play(&mut self, pick: u8) {
        let is_main = self.lines.len() == 1;
        let (now, before) = self.lines.last_mut().expect("the main line");
        let legal = now.legal_moves();
        let Some(chosen) = legal.get(usize::from(pick) % legal.len().max(1)) else {
            return;
        };
        *before = Some(now.clone());
        let number = now.fullmoves();
        let is_white = now.turn().is_white();
        let san = SanPlus::from_move_and_play_unchecked(now, *chosen).to_string();
        if is_main {
            self.positions.push(fen(now));
        }
        match is_white {
            true => self.words.push(format!("{number}.")),
            false if self.is_numbered => self.words.push(format!("{number}...")),
            false => {}
        }
        self.is_numbered = false;
        self.say(san.clone(), Token::San(san));
    }

    fn comment(&mut self, choice: u8) {
        let comment = COMMENTS[usize::from(choice) % COMMENTS.len()];
        self.is_numbered = true;
        // The comment is a single word, because a line break within it would change its text.
        let token = Token::Comment(comment.as_bytes().to_vec());
        self.say(format!("{{{comment}}}"), token);
    }

    /// Appends a NAG. An odd `choice` writes `!` and the like as text after a move.
    fn glyph(&mut self, choice: u8) {
        let nag = choice >> 1;
        let texts = ["!", "?", "!!", "??", "!?", "?!"];
        let text = texts.get(usize::from(nag).wrapping_sub(1));
        let follows_a_move = matches!(self.tokens.last(), Some(Token::San(_)));
        match (text, self.words.last_mut()) {
            (Some(text), Some(last)) if choice & 1 == 1 && follows_a_move => {
                last.push_str(text);
                self.tokens.push(Token::Nag(nag));
            }
            _ => self.say(format!("${nag}"), Token::Nag(nag)),
        }
    }

    fn open(&mut self) {
        if let Some((_, Some(before))) = self.lines.last() {
            self.lines.push((before.clone(), None));
            self.is_numbered = true;
            self.say("(".to_owned(), Token::BeginVariation);
        }
    }

    fn close(&mut self) {
        if self.lines.len() > 1 {
            self.lines.pop();
            self.is_numbered = true;
            self.say(")".to_owned(), Token::EndVariation);
        }
    }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
