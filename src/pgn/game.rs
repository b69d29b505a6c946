//! The meaning of a game, for users of the library: parsed from the exact text
//! by pgn-reader.

use super::scan::{LexemeKind, Scanner};
use super::start::Start;
use crate::chess::{ChessPosition, PlyKind, SanText};
use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::ControlFlow;

/// A part of a game's movetext.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A move, in standard algebraic notation.
    San(String),
    /// A numeric annotation glyph. `!` and the like are given as `$1` to `$6`.
    Nag(u8),
    /// A comment in braces, on one line: white space with a line break is one blank.
    Comment(Vec<u8>),
    /// A variation begins, as an alternative to the last move.
    BeginVariation,
    /// A variation ends.
    EndVariation,
    /// The termination marker: `1-0`, `0-1`, `1/2-1/2` or `*`.
    Outcome(&'static str),
}

/// A game: its tag pairs and its movetext with comments and variations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Game {
    /// Tag pairs in order, with escapes resolved.
    pub tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// The movetext, in order.
    pub tokens: Vec<Token>,
}

impl Game {
    /// Parses a game. What cannot be parsed is omitted: the result is the
    /// meaning of the game, not its layout.
    pub fn parse(text: &[u8]) -> Game {
        // pgn-reader moves its whole buffer at every token once fewer bytes are
        // left than the supported length, which would take quadratic time in a
        // long game. So the text is padded by its own length, after a blank
        // line, which ends the movetext.
        let padding = io::repeat(b' ').take(text.len() as u64);
        let text = blank_unclosed_braces(text);
        let text = &with_plain_moves(&text)[..];
        let input = text.chain(&b"\n\n"[..]).chain(padding);
        let mut reader = Reader::build(input)
            .set_supported_tag_line_length(text.len())
            .set_supported_comment_length(text.len())
            .finish();
        let mut collector = Collector(Game::default());
        // A blank line in the movetext ends a game for pgn-reader, but not
        // here. An unterminated comment ends it for both.
        while let Ok(Some(())) = reader.read_game(&mut collector) {}
        collector.0
    }

    /// The value of the first tag pair of this name.
    pub fn tag(&self, name: &[u8]) -> Option<&[u8]> {
        let found = self.tags.iter().find(|(found, _)| found == name)?;
        Some(&found.1)
    }

    /// The moves of the main line as text.
    pub fn main_line(&self) -> impl Iterator<Item = &str> {
        let mut depth = 0u64;
        self.tokens.iter().filter_map(move |token| {
            match token {
                Token::BeginVariation => depth += 1,
                Token::EndVariation => depth = depth.saturating_sub(1),
                Token::San(san) if depth == 0 => return Some(san.as_str()),
                _ => {}
            }
            None
        })
    }

    /// The plies of the main line from the start position, up to the first
    /// illegal one. Empty if the start position is not legal.
    #[doc(hidden)]
    pub fn main_line_plies(&self) -> Vec<PlyKind> {
        let Some(mut position) = self.start() else {
            return Vec::new();
        };
        self.main_line()
            .map_while(|san| {
                let (ply, _) = position.read(&SanText::parse(san.as_bytes())?)?;
                position.make(ply).ok()?;
                Some(ply)
            })
            .collect()
    }

    /// The position after this many plies of the main line; 0 is the start
    /// position. `None` if the line is shorter or has an illegal move before,
    /// or if the start position is not legal.
    #[doc(hidden)]
    pub fn main_line_position(&self, plies: usize) -> Option<ChessPosition> {
        let mut position = self.start()?;
        let mut line = self.main_line();
        for _ in 0..plies {
            let san = SanText::parse(line.next()?.as_bytes())?;
            let (ply, _) = position.read(&san)?;
            position.make(ply).ok()?;
        }
        Some(position)
    }

    pub(super) fn start(&self) -> Option<ChessPosition> {
        let tags = self.tags.iter();
        let (_, position) = Start::of(tags.map(|(name, value)| (&name[..], &value[..])))?;
        Some(position)
    }
}

/// Collects what pgn-reader reads.
struct Collector(Game);

impl Collector {
    fn push(&mut self, token: Token) -> ControlFlow<()> {
        self.0.tokens.push(token);
        ControlFlow::Continue(())
    }
}

impl Visitor for Collector {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        // For pgn-reader, blanks before the value belong to the name, but for one.
        let name = name.trim_ascii_end().to_vec();
        self.0.tags.push((name, unescape(value.as_bytes())));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, _: &mut (), san: SanPlus) -> ControlFlow<()> {
        self.push(Token::San(san.to_string()))
    }

    fn nag(&mut self, _: &mut (), nag: Nag) -> ControlFlow<()> {
        self.push(Token::Nag(nag.0))
    }

    fn comment(&mut self, _: &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.push(Token::Comment(on_one_line(comment.as_bytes()).into_owned()))
    }

    fn begin_variation(&mut self, _: &mut ()) -> ControlFlow<(), Skip> {
        self.0.tokens.push(Token::BeginVariation);
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, _: &mut ()) -> ControlFlow<()> {
        self.push(Token::EndVariation)
    }

    fn outcome(&mut self, _: &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.push(Token::Outcome(outcome.as_str()))
    }

    fn end_game(&mut self, (): ()) {}
}

/// The text with blanks for the braces that are never closed. They open no
/// comment, but pgn-reader would take the rest of the game for one.
fn blank_unclosed_braces(text: &[u8]) -> Cow<'_, [u8]> {
    let last_open = text.iter().rposition(|byte| *byte == b'{');
    let last_close = text.iter().rposition(|byte| *byte == b'}');
    if last_open.is_none() || last_open < last_close {
        return Cow::Borrowed(text);
    }
    let mut closed = text.to_vec();
    let mut start = 0;
    for end in Scanner::new(text)
        .map(|lexeme| (lexeme.start, lexeme.end))
        .chain([(text.len(), text.len())])
    {
        let gap = closed.get_mut(start..end.0).unwrap_or_default();
        for byte in gap.iter_mut().filter(|byte| **byte == b'{') {
            *byte = b' ';
        }
        start = end.1;
    }
    Cow::Owned(closed)
}

/// The text with moves such as `a8Q` and `Rd8++`, which pgn-reader would omit, as `a8=Q` and `Rd8+`.
fn with_plain_moves(text: &[u8]) -> Cow<'_, [u8]> {
    if !text
        .windows(2)
        .any(|pair| is_promotion(pair) || is_long_suffix(pair))
    {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut copied = 0;
    for lexeme in Scanner::new(text).filter(|lexeme| lexeme.kind == LexemeKind::Move) {
        out.extend_from_slice(text.get(copied..lexeme.start).unwrap_or_default());
        write_plain(lexeme.text(text), &mut out);
        copied = lexeme.end;
    }
    out.extend_from_slice(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

fn is_promotion(pair: &[u8]) -> bool {
    matches!(pair, [b'1' | b'8', b'Q' | b'R' | b'B' | b'N' | b'K'])
}

fn is_long_suffix(pair: &[u8]) -> bool {
    pair.iter().all(|byte| matches!(byte, b'+' | b'#'))
}

/// Appends a move with `=` in promotions and a suffix of at most one byte.
fn write_plain(token: &[u8], out: &mut Vec<u8>) {
    let suffix = token.iter().rev();
    let suffix = suffix
        .take_while(|byte| matches!(byte, b'+' | b'#'))
        .count();
    let (body, suffix) = token.split_at(token.len() - suffix);
    let lacks_equals = SanText::parse(token).is_some_and(|san| san.lacks_equals());
    match (lacks_equals, body.split_last()) {
        (true, Some((role, squares))) => {
            out.extend_from_slice(squares);
            out.extend_from_slice(&[b'=', *role]);
        }
        _ => out.extend_from_slice(body),
    }
    match suffix {
        [] => {}
        suffix if suffix.contains(&b'#') => out.push(b'#'),
        _ => out.push(b'+'),
    }
}

/// A comment on one line: each run of white space with a line break is one blank. Where a comment is
/// wrapped belongs to the layout of the text.
pub fn on_one_line(comment: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr2(b'\n', b'\r', comment).is_none() {
        return Cow::Borrowed(comment);
    }
    let mut out = Vec::with_capacity(comment.len());
    for run in comment.chunk_by(|a, b| a.is_ascii_whitespace() == b.is_ascii_whitespace()) {
        let is_blank = run.first().is_some_and(u8::is_ascii_whitespace);
        match is_blank && memchr::memchr2(b'\n', b'\r', run).is_some() {
            true => out.push(b' '),
            false => out.extend_from_slice(run),
        }
    }
    Cow::Owned(out)
}

/// A tag's value with escapes resolved. (`RawTag::decode` of pgn-reader 0.29
/// decodes four backslashes to one.)
pub fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut bytes = raw.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => out.extend(bytes.next().or(Some(byte))),
            byte => out.push(*byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_parsed() {
        let game = Game::parse(
            b"[White \"O\\\\\\\\\\\"K\"]\n\n1. e4! $14 {one} (1. d4 {two}) 1... e5\n\n2. Nf3 1/2-1/2\n",
        );
        assert_eq!(game.tag(b"White"), Some(&b"O\\\\\"K"[..]));
        assert_eq!(game.main_line().collect::<Vec<_>>(), ["e4", "e5", "Nf3"]);
        assert_eq!(game.main_line_plies().len(), 3);
        let expected = [
            Token::San("e4".into()),
            Token::Nag(1),
            Token::Nag(14),
            Token::Comment(b"one".into()),
            Token::BeginVariation,
            Token::San("d4".into()),
            Token::Comment(b"two".into()),
            Token::EndVariation,
            Token::San("e5".into()),
            Token::San("Nf3".into()),
            Token::Outcome("1/2-1/2"),
        ];
        assert_eq!(game.tokens, expected);
    }

    #[test]
    fn blanks_before_a_value_are_not_of_the_name() {
        let game = Game::parse(b"[White \t\"x\"]\n[Black  \"y\"]\n[Site\"z\"]\n\n1. e4 *\n");
        let tag = |name: &str| game.tag(name.as_bytes());
        assert_eq!(tag("White"), Some(&b"x"[..]));
        assert_eq!(tag("Black"), Some(&b"y"[..]));
        assert_eq!(tag("Site"), Some(&b"z"[..]));
    }

    #[test]
    fn long_comments_come_in_one_piece() {
        let text = format!("1. e4 {{{}}} *", "long ".repeat(100_000));
        let game = Game::parse(text.as_bytes());
        assert!(matches!(&game.tokens[1], Token::Comment(text) if text.len() == 500_000));
    }

    #[test]
    fn positions_follow_the_main_line() {
        let fen = |text: &str, plies| {
            Some(
                Game::parse(text.as_bytes())
                    .main_line_position(plies)?
                    .fen(),
            )
        };
        let text = "1. e4 (1. d4 d5) 1... e5 {x} 2. Nf3 Ke6";
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(fen(text, 0).as_deref(), Some(start));
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        assert_eq!(fen(text, 3).as_deref(), Some(after));
        assert_eq!(fen(text, 4), None);
        assert_eq!(fen(text, usize::MAX), None);
    }

    #[test]
    fn positions_start_from_the_set_up() {
        let fen = |tags: &str, moves: &str| {
            let text = format!("{tags}\n\n{moves} *\n");
            Some(Game::parse(text.as_bytes()).main_line_position(1)?.fen())
        };
        let set_up = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 7\"]";
        let after = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 7";
        assert_eq!(fen(set_up, "7. e4").as_deref(), Some(after));
        let castles = "[FEN \"4k3/8/8/8/8/8/8/2R1K3 w C - 0 1\"]";
        assert!(fen(castles, "1. O-O-O").is_some());
        assert_eq!(fen("[FEN \"nonsense\"]", "1. e4"), None);
        assert!(fen("[Variant \"Crazyhouse\"]", "1. e4").is_some());
        assert_eq!(fen("[Variant \"Xiangqi\"]", "1. e4"), None);
        assert!(fen("[Variant \"Fischer Random\"]", "1. e4").is_some());
    }

    /// A debug build reads a megabyte of tokens in a second or two. Quadratic
    /// time would take minutes.
    #[test]
    fn many_tokens_are_read_in_linear_time() {
        for token in ["(", "$1", ";\n", "-- ", ". "] {
            Game::parse(token.repeat(1_000_000 / token.len()).as_bytes());
        }
    }

    #[test]
    fn broken_games_end_where_they_break() {
        for text in ["", "[White \"x", "1. e4 {unclosed", "(((((", ")))"] {
            Game::parse(text.as_bytes());
        }
        let game = Game::parse(b"[White \"{\"]\n\n1. e4 {a} e5 {unclosed 2. Nf3 *\n");
        assert_eq!(game.main_line().count(), 3);
        assert_eq!(game.tag(b"White"), Some(&b"{"[..]));
    }
}
