//! Random movetexts: start positions of all variants, nested variations, comments, glyphs, null
//! moves. Well-formed games are stored without verbatim parts; every text round-trips.

use crate::judge;
use crate::unpacked::unpack;
use pgna::{Archive, Codec, Game, PackOptions, Ply, Position, Writer};
use proptest::prelude::*;

/// Tag pairs that define a start position: every variant, and positions of chess.
const STARTS: [&[(&str, &str)]; 16] = [
    &[],
    &[(
        "FEN",
        "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
    )],
    &[("FEN", "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w Kq d6 0 17")],
    &[("FEN", "8/8/4k3/8/8/3K4/8/8 b - - 99 120")],
    &[("FEN", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")],
    &[("FEN", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")],
    &[("FEN", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 b GBgb - 0 9")],
    &[
        ("Variant", "Chess960"),
        ("FEN", "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1"),
    ],
    &[("Variant", "Atomic")],
    &[
        ("Variant", "Antichess"),
        ("FEN", "8/PPP5/8/8/8/8/5ppp/8 w - - 0 1"),
    ],
    &[("Variant", "King of the Hill")],
    &[("Variant", "Three-check")],
    &[("Variant", "Crazyhouse")],
    &[
        ("Variant", "Crazyhouse"),
        ("FEN", "r3k3/7P/8/8/8/8/8/4K2R[QRBNPqrbnp] b K - 0 31"),
    ],
    &[("Variant", "Racing Kings")],
    &[("Variant", "Horde")],
];

/// Spellings in which every move can still be parsed. The first is standard.
const SPELLINGS: [fn(String) -> String; 4] = [
    |san| san,
    |san| match san.as_str() {
        "--" => "Z0".to_owned(),
        san => san.replace(['x', '='], "").replace('O', "0"),
    },
    |san| san.replace(['+', '#'], ""),
    |san| san.replace('+', "++").replace('#', "+"),
];

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

const COMMENTS: [&str; 6] = [
    "{x}",
    "{a comment of some words, which is long enough to be wrapped now and then}",
    "{}",
    "{[%clk 0:01:02]}",
    "{(1. e4 1-0)}",
    "{é → ♞}",
];

/// Words in the place of a move that are never or rarely legal moves.
const BROKEN: [&str; 6] = ["Ke9", "Qh9", "Kd5", "xx", "Zz", "e9=K"];

/// The random choices that make a game.
#[derive(Debug, Clone)]
struct Drawn {
    start: usize,
    spelling: usize,
    result: usize,
    /// Whether the result agrees with the last position.
    is_fair: bool,
    picks: Vec<usize>,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let picks = prop::collection::vec(any::<usize>(), 0..100);
    let parts = (0..STARTS.len(), 0..SPELLINGS.len(), 0..RESULTS.len());
    (parts, any::<bool>(), picks).prop_map(|((start, spelling, result), is_fair, picks)| Drawn {
        start,
        spelling,
        result,
        is_fair,
        picks,
    })
}

/// The end of a line.
struct Line {
    now: Position,
    /// The position before the last ply, if there is a ply.
    before: Option<Position>,
}

impl Line {
    fn at(start: Position) -> Line {
        Line {
            now: start,
            before: None,
        }
    }
}

/// Builder of a movetext on one line.
struct Movetext {
    text: String,
    spelling: fn(String) -> String,
    /// The open lines, the main line first.
    lines: Vec<Line>,
    main_plies: u64,
    /// Whether a move by Black needs its number, because it does not directly follow a move.
    needs_number: bool,
    is_after_move: bool,
}

impl Movetext {
    fn new(start: Position, spelling: fn(String) -> String) -> Movetext {
        Movetext {
            text: String::new(),
            spelling,
            lines: vec![Line::at(start)],
            main_plies: 0,
            needs_number: true,
            is_after_move: false,
        }
    }

    /// Appends a word, with a space before it where needed.
    fn word(&mut self, word: &str) {
        if !self.text.is_empty() && !self.text.ends_with('(') {
            self.text.push(' ');
        }
        self.text += word;
        self.is_after_move = false;
    }

    fn line(&mut self) -> &mut Line {
        self.lines.last_mut().unwrap()
    }

    fn ply(&mut self, ply: Ply) {
        let before = self.line().now.clone();
        let san = before.san(ply).unwrap();
        self.line().now.play(ply).unwrap();
        let number = judge::setup(&before.fen()).fullmoves;
        match before.is_white_to_move() {
            true => self.word(&format!("{number}.")),
            false if self.needs_number => self.word(&format!("{number}...")),
            false => {}
        }
        self.word(&(self.spelling)(san));
        self.line().before = Some(before);
        self.main_plies += u64::from(self.lines.len() == 1);
        self.needs_number = false;
        self.is_after_move = true;
    }

    fn open(&mut self) {
        if let Some(before) = self.line().before.clone() {
            self.word("(");
            self.lines.push(Line::at(before));
            self.needs_number = true;
        }
    }

    fn close(&mut self) {
        if self.lines.len() > 1 {
            self.text.push(')');
            self.lines.pop();
            self.needs_number = true;
            self.is_after_move = false;
        }
    }

    /// Appends the element that `pick` selects.
    fn pick(&mut self, pick: usize) {
        let (what, which) = (pick % 16, pick / 16);
        match what {
            0..=7 => {
                let legal = self.line().now.legal_plies();
                if !legal.is_empty() {
                    self.ply(legal[which % legal.len()]);
                }
            }
            8 => {
                // None in check.
                if let Some(null) = self.line().now.ply("--") {
                    self.ply(null);
                }
            }
            // A layout does not wrap after a comment before the first move, so there is at most
            // one, and it is short.
            9 if self.text.is_empty() => self.word("{x}"),
            9 if self.lines[0].before.is_some() => {
                self.word(COMMENTS[which % COMMENTS.len()]);
                self.needs_number = true;
            }
            10 if !self.needs_number => self.word(&format!("${}", which % 256)),
            11 if self.is_after_move => {
                self.text += ["!", "?", "!!", "??", "!?", "?!"][which % 6];
                self.is_after_move = false;
            }
            12 | 13 => self.open(),
            14 => self.close(),
            15 if self.lines.len() > 1 && which % 4 == 0 => {
                self.word(RESULTS[which / 4 % 4]);
                self.needs_number = true;
            }
            _ => {}
        }
    }

    fn finish(&mut self, result: &str) {
        while self.lines.len() > 1 {
            self.close();
        }
        self.word(result);
    }

    /// A result that agrees with the last position: by the rules, or the side to move resigns.
    fn fair_result(&self, variant: &str) -> &'static str {
        let last = &self.lines[0].now;
        judge::result(last, variant).unwrap_or_else(|| judge::resigned(last))
    }
}

/// A game: its tags, its movetext on one line, the number of plies of its main line.
struct Written {
    tags: String,
    text: String,
    plies: u64,
}

/// Writes a game, with an invalid move after each pick that is a multiple of `broken_every`.
fn write(drawn: &Drawn, broken_every: Option<usize>) -> Written {
    let pairs = STARTS[drawn.start].iter();
    let tags = pairs
        .map(|(name, value)| format!("[{name} \"{value}\"]\n"))
        .fold("[Event \"drawn\"]\n".to_owned(), |all, tag| all + &tag);
    let head = Game::parse(tags.as_bytes());
    let start = head.position(0).expect("a start");
    let mut movetext = Movetext::new(start, SPELLINGS[drawn.spelling]);
    for pick in &drawn.picks {
        movetext.pick(*pick);
        if broken_every.is_some_and(|every| pick % every == 0) {
            movetext.word(BROKEN[pick / 7 % BROKEN.len()]);
        }
    }
    while movetext.lines.len() > 1 {
        movetext.close();
    }
    let variant = head.tag(b"Variant").unwrap_or_default();
    let fair = movetext.fair_result(std::str::from_utf8(variant).unwrap());
    movetext.finish(if drawn.is_fair {
        fair
    } else {
        RESULTS[drawn.result]
    });
    Written {
        tags,
        text: movetext.text,
        plies: movetext.main_plies,
    }
}

/// The layout of the games of a file.
#[derive(Debug, Clone, Copy)]
struct Layout {
    is_wrapped: bool,
    is_crlf: bool,
    has_blank_after_number: bool,
}

fn layout() -> impl Strategy<Value = Layout> {
    any::<[bool; 3]>().prop_map(|[is_wrapped, is_crlf, has_blank_after_number]| Layout {
        is_wrapped,
        is_crlf,
        has_blank_after_number,
    })
}

fn lay_out(game: &Written, layout: Layout) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in game.text.split(' ') {
        match words.last_mut() {
            Some(number) if !layout.has_blank_after_number && is_number(number) => *number += word,
            _ => words.push(word.to_owned()),
        }
    }
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        if column > 0 && layout.is_wrapped && column + 1 + word.len() > 80 {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += &word;
        column += word.len();
    }
    let whole = format!("{}\n{text}\n\n", game.tags);
    if layout.is_crlf {
        whole.replace('\n', "\r\n")
    } else {
        whole
    }
}

/// Whether a word is a move number with its dots, possibly after parentheses.
fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches('(').trim_end_matches('.');
    word.ends_with('.') && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Packs a text. Returns the archive and the unpacked text.
fn round_trip(text: &str, codecs: &[Codec]) -> (Vec<u8>, String) {
    let options = PackOptions {
        codecs: codecs.to_vec(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("drawn.pgn", text.as_bytes()).unwrap();
    let (mut bytes, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut bytes);
    let (_, back) = unpack(&bytes).unwrap().pop().unwrap();
    (bytes, String::from_utf8(back).unwrap())
}

proptest! {
    /// Well-formed games have no verbatim parts, and a regular layout needs no patch, with any
    /// codec for the main lines.
    #[test]
    fn well_formed_games_have_no_verbatim_parts(
        drawn in prop::collection::vec(drawn(), 1..4),
        layout in layout(),
        forced in prop::sample::select(&Codec::ALL[..]),
    ) {
        let games: Vec<Written> = drawn.iter().map(|drawn| write(drawn, None)).collect();
        let text: String = games.iter().map(|game| lay_out(game, layout)).collect();
        for codecs in [&Codec::ALL[..], &[forced], &[Codec::RadixEnd]] {
            let (archive, back) = round_trip(&text, codecs);
            prop_assert_eq!(&back, &text);
            let archive = Archive::new(archive).unwrap();
            prop_assert_eq!(archive.games(), games.len() as u64);
            prop_assert_eq!(archive.sizes().unwrap().patched, 0, "{}", &text);
            for (number, (game, drawn)) in (1..).zip(games.iter().zip(&drawn)) {
                let head = archive.head(number).unwrap();
                prop_assert_eq!(head.verbatim_reason, None, "{}", &text);
                prop_assert_eq!(head.plies, game.plies);
                // pgn-reader, which `game` parses with, does not support every spelling.
                if drawn.spelling == 0 {
                    let read = archive.game(number).unwrap();
                    prop_assert_eq!(read.plies().len() as u64, game.plies, "{}", &text);
                }
            }
        }
    }

    /// Games with invalid moves round-trip in any layout.
    #[test]
    fn broken_games_round_trip(
        drawn in drawn(),
        layout in layout(),
        broken_every in 5usize..60,
        gaps in prop::collection::vec(prop::sample::select(&[" ", "  ", "\n", "\r\n", "\t", ""][..]), 1..40),
    ) {
        let game = write(&drawn, Some(broken_every));
        let regular = lay_out(&game, layout);
        let words = game.text.split(' ').zip(gaps.iter().cycle());
        let spaced: String = words.flat_map(|(word, gap)| [word, gap]).collect();
        let irregular = format!("{}\n{spaced}\n", game.tags);
        for text in [&regular, &irregular, &(irregular.clone() + &regular)] {
            let (_, back) = round_trip(text, &Codec::ALL);
            prop_assert_eq!(&back, text);
        }
    }
}
