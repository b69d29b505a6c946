//! The lexer: finds tag pairs, moves, comments and results in PGN.
//!
//! Unlike a parser of the meaning it also covers the bytes between lexemes
//! (white space, move numbers, `%` lines and anything that is not PGN). They
//! are the gaps that [`layout`](super::layout) describes.

use crate::chess::SanText;
use memchr::{memchr, memchr2};

/// The kind of a lexeme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LexemeKind {
    /// `[Name` at the start of a line.
    TagName,
    /// `"value"]`, directly after a tag name.
    TagValue,
    /// The text of a move, without annotation.
    Move,
    /// A numeric annotation glyph, `$0` to `$255`.
    Nag,
    /// One of `!`, `?`, `!!`, `??`, `!?`, `?!`.
    Glyph,
    /// A comment in braces.
    Comment,
    /// A comment from `;` to the end of the line, without the line ending.
    LineComment,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// A termination marker.
    Result,
}

/// A meaningful stretch of PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lexeme {
    /// The kind.
    pub kind: LexemeKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
}

impl Lexeme {
    /// The bytes of the lexeme in the text that was scanned.
    pub fn text<'a>(&self, scanned: &'a [u8]) -> &'a [u8] {
        scanned.get(self.start..self.end).unwrap_or_default()
    }
}

/// The byte order mark of UTF-8. It may precede the first tag pair of a file,
/// and so occurs wherever files were concatenated.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Termination markers, in the order of their numbers in the format.
pub(super) const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Annotation glyphs, in the order of the equivalent NAGs `$1` to `$6`.
pub(super) const GLYPHS: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];

/// An iterator over the lexemes of PGN. Takes linear time.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    text: &'a [u8],
    pos: usize,
    start: usize,
    /// Whether a line starts at `start`.
    starts_line: bool,
    /// Start of the first move number since the last lexeme.
    number: Option<usize>,
    /// A stretch known to contain no `}`, so that all unclosed comments
    /// together cost one search.
    unclosed: std::ops::Range<usize>,
    /// A tag value that follows the tag name just returned.
    value: Option<Lexeme>,
    reached_end: bool,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of `text`, which is the start of a line.
    pub fn new(text: &'a [u8]) -> Self {
        Scanner {
            text,
            pos: 0,
            start: 0,
            starts_line: true,
            number: None,
            unclosed: 0..0,
            value: None,
            reached_end: false,
        }
    }

    /// Restarts at `start` of `text`, which begins with the same bytes as
    /// before. What is known about unclosed comments is retained.
    pub(super) fn restart(&mut self, text: &'a [u8], start: usize, starts_line: bool) {
        let unclosed = self.unclosed.clone();
        *self = Scanner {
            pos: start,
            start,
            starts_line,
            unclosed,
            ..Scanner::new(text)
        };
    }

    /// Start of the move number of the last lexeme, if it has one.
    pub(super) fn number(&self) -> Option<usize> {
        self.number
    }

    /// Whether more text after the end could change a lexeme.
    pub(super) fn touched_end(&self) -> bool {
        self.reached_end
    }

    /// Whether an unclosed brace has been seen, which opens no comment.
    pub(super) fn has_open_brace(&self) -> bool {
        !self.unclosed.is_empty()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    fn starts_with(&self, prefix: &[u8]) -> bool {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        rest.starts_with(prefix)
    }

    fn at_line_start(&self) -> bool {
        let before = self.text.get(self.start..self.pos).unwrap_or_default();
        match before.strip_suffix(BYTE_ORDER_MARK).unwrap_or(before) {
            [] => self.starts_line,
            [.., last] => matches!(last, b'\n' | b'\r'),
        }
    }

    fn lexeme(&mut self, kind: LexemeKind, len: usize) -> Option<Lexeme> {
        let start = self.pos;
        self.pos = start + len;
        Some(Lexeme {
            kind,
            start,
            end: self.pos,
        })
    }

    /// Scans at the position; `None` if the bytes belong to a gap.
    fn step(&mut self, byte: u8) -> Option<Lexeme> {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b'.' => self.skip(1),
            b'[' if self.at_line_start() => self.tag(),
            0xef if self.at_line_start() && self.starts_with(BYTE_ORDER_MARK) => {
                self.skip(BYTE_ORDER_MARK.len())
            }
            b'%' if self.at_line_start() => {
                let len = self.line_len();
                self.skip(len)
            }
            b'{' => self.comment(),
            b';' => {
                let len = self.line_len();
                self.lexeme(LexemeKind::LineComment, len)
            }
            b'(' => self.lexeme(LexemeKind::Open, 1),
            b')' => self.lexeme(LexemeKind::Close, 1),
            b'$' => self.nag(),
            b'!' | b'?' => self.glyph(),
            _ => self.word(byte),
        }
    }

    fn skip(&mut self, len: usize) -> Option<Lexeme> {
        self.pos += len;
        None
    }

    /// The number of bytes from the position to the end of the line.
    fn line_len(&mut self) -> usize {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        memchr2(b'\n', b'\r', rest).unwrap_or_else(|| {
            self.reached_end = true;
            rest.len()
        })
    }

    fn tag(&mut self) -> Option<Lexeme> {
        let len = self.line_len();
        let line = self.text.get(self.pos..self.pos + len).unwrap_or_default();
        let Some((name_len, value)) = tag_pair(line) else {
            return self.skip(1);
        };
        let value = Lexeme {
            kind: LexemeKind::TagValue,
            start: self.pos + value.start,
            end: self.pos + value.end,
        };
        let name = self.lexeme(LexemeKind::TagName, name_len);
        self.pos = value.start;
        self.value = Some(value);
        name
    }

    fn comment(&mut self) -> Option<Lexeme> {
        let from = if self.unclosed.contains(&self.pos) {
            self.unclosed.end
        } else {
            self.pos
        };
        let rest = self.text.get(from..).unwrap_or_default();
        match memchr(b'}', rest) {
            Some(close) => self.lexeme(LexemeKind::Comment, from + close + 1 - self.pos),
            None => {
                // A restart can be before the known stretch, at the move number
                // of a record.
                let known = if from == self.pos {
                    self.pos
                } else {
                    self.unclosed.start
                };
                self.unclosed = known..self.text.len();
                self.reached_end = true;
                self.skip(1)
            }
        }
    }

    fn nag(&mut self) -> Option<Lexeme> {
        let digits = self.run(1, |byte| byte.is_ascii_digit());
        let start = self.pos + 1;
        let text = self.text.get(start..start + digits).unwrap_or_default();
        match nag_value(text) {
            Some(_) => self.lexeme(LexemeKind::Nag, 1 + digits),
            None => self.skip(1 + digits),
        }
    }

    fn glyph(&mut self) -> Option<Lexeme> {
        let second = matches!(self.byte(self.pos + 1), Some(b'!' | b'?'));
        self.lexeme(LexemeKind::Glyph, if second { 2 } else { 1 })
    }

    fn word(&mut self, first: u8) -> Option<Lexeme> {
        let len = 1 + self.run(1, |byte| !is_word_end(byte));
        let word = self.text.get(self.pos..self.pos + len).unwrap_or_default();
        if RESULTS.contains(&word) {
            return self.lexeme(LexemeKind::Result, len);
        }
        if SanText::parse(word).is_some() {
            return self.lexeme(LexemeKind::Move, len);
        }
        if first.is_ascii_digit() {
            self.number.get_or_insert(self.pos);
            let digits = 1 + self.run(1, |byte| byte.is_ascii_digit());
            return self.skip(digits);
        }
        self.skip(len)
    }

    /// Length of the run of bytes that satisfy `inside`, from `offset` bytes
    /// after the position.
    fn run(&mut self, offset: usize, inside: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.get(self.pos + offset..).unwrap_or_default();
        rest.iter()
            .position(|byte| !inside(*byte))
            .unwrap_or_else(|| {
                self.reached_end = true;
                rest.len()
            })
    }
}

impl Iterator for Scanner<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        self.number = None;
        if let Some(value) = self.value.take() {
            self.pos = value.end;
            return Some(value);
        }
        while let Some(byte) = self.byte(self.pos) {
            if let Some(lexeme) = self.step(byte) {
                return Some(lexeme);
            }
        }
        None
    }
}

fn is_word_end(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b'\r' | b'.' | b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b';'
    )
}

/// The value of a NAG's digits: `0` to `255` without leading zeros.
pub(super) fn nag_value(digits: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(digits).ok()?;
    let value: u8 = text.parse().ok()?;
    (value.to_string() == text).then_some(value)
}

/// The maximum length of a tag name in bytes; a longer name is not a tag pair.
pub const MAX_TAG_NAME_BYTES: usize = 255;

/// Parses a line that starts with `[` into the length of `[Name` and the range
/// of `"value"]`.
///
/// The value ends at the first unescaped quote that is followed by `]`; if
/// there is none, at the first such quote, escaped or not. Blanks and tabs may
/// precede the `]`.
fn tag_pair(line: &[u8]) -> Option<(usize, std::ops::Range<usize>)> {
    let name = line
        .iter()
        .skip(1)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let spaces = line
        .iter()
        .skip(1 + name)
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let start = 1 + name + spaces;
    if name == 0 || name > MAX_TAG_NAME_BYTES || line.get(start) != Some(&b'"') {
        return None;
    }
    let value = line.get(start + 1..)?;
    let end = value_end(value, true).or_else(|| value_end(value, false))?;
    Some((1 + name, start..start + 1 + end))
}

/// Length of `value"]`, including blanks and tabs before the bracket.
fn value_end(value: &[u8], escapes: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', value.get(at..)?)?;
        if value.get(at) == Some(&b'\\') {
            at += if escapes { 2 } else { 1 };
            continue;
        }
        at += 1;
        let blanks = value
            .get(at..)?
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        if value.get(at + blanks) == Some(&b']') {
            return Some(at + blanks + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(LexemeKind, &str)> {
        Scanner::new(text.as_bytes())
            .map(|lexeme| (lexeme.kind, &text[lexeme.start..lexeme.end]))
            .collect()
    }

    #[test]
    fn restart_retains_lines_and_open_braces() {
        let kinds = |scanner: &mut Scanner<'_>| -> Vec<LexemeKind> {
            scanner.map(|lexeme| lexeme.kind).collect()
        };
        let text = b"\n%{ e4";
        let mut scanner = Scanner::new(text);
        assert_eq!(kinds(&mut scanner), []);
        scanner.restart(text, 1, false);
        assert_eq!(kinds(&mut scanner), [LexemeKind::Move]);
        assert!(scanner.has_open_brace());
        scanner.restart(text, 4, false);
        assert!(scanner.has_open_brace());
        assert_eq!(kinds(&mut scanner), [LexemeKind::Move]);
        scanner.restart(text, 1, true);
        assert_eq!(kinds(&mut scanner), []);
    }

    #[test]
    fn a_game_with_everything() {
        use LexemeKind::*;
        let text =
            "[White \"O\\\"K\"]\n\n1.e4!? $14 {a}1... e5 (1... c5 ; x\n2. Nf3) 2. O-O 1/2-1/2\n";
        assert_eq!(
            kinds(text),
            [
                (TagName, "[White"),
                (TagValue, "\"O\\\"K\"]"),
                (Move, "e4"),
                (Glyph, "!?"),
                (Nag, "$14"),
                (Comment, "{a}"),
                (Move, "e5"),
                (Open, "("),
                (Move, "c5"),
                (LineComment, "; x"),
                (Move, "Nf3"),
                (Close, ")"),
                (Move, "O-O"),
                (Result, "1/2-1/2"),
            ]
        );
    }

    #[test]
    fn odd_tag_pairs() {
        use LexemeKind::*;
        let pair = |text| {
            kinds(text)
                .iter()
                .map(|(_, text)| *text)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            pair("[A \"say \"hi\" now\"]"),
            ["[A", "\"say \"hi\" now\"]"]
        );
        assert_eq!(pair("[A \"C:\\\"]"), ["[A", "\"C:\\\"]"]);
        assert_eq!(pair("[A \"x\" ]"), ["[A", "\"x\" ]"]);
        assert_eq!(pair("[A \"x\"] [B \"y\"]"), ["[A", "\"x\"]"]);
        for none in ["[A \"x]", "[ \"x\"]", "[A x]", " [A \"x\"]", "[A \"x\"\n]"] {
            assert!(
                kinds(none).iter().all(|(kind, _)| *kind != TagName),
                "{none}"
            );
        }
    }

    #[test]
    fn other_text_belongs_to_gaps() {
        assert_eq!(kinds("%e4 e5\n12 ... hello $ $999 $01 } [e4] x@f3"), []);
        assert_eq!(
            kinds("{ e4 e5"),
            [(LexemeKind::Move, "e4"), (LexemeKind::Move, "e5")]
        );
    }

    #[test]
    fn tag_names_are_of_a_bounded_length() {
        let tag = |len| kinds(&format!("[{} \"x\"]", "a".repeat(len))).len();
        assert_eq!(
            (tag(MAX_TAG_NAME_BYTES), tag(MAX_TAG_NAME_BYTES + 1)),
            (2, 0)
        );
    }

    #[test]
    fn many_unclosed_comments_are_linear() {
        let text = "{a ".repeat(2_000_000);
        assert_eq!(Scanner::new(text.as_bytes()).count(), 0);
    }
}
