//! Splits PGN into records whose concatenation is the input.
//!
//! A record is a game (at least one tag pair or one move) with the text that
//! follows it, or text before the first game. The end of a record depends only
//! on bytes from its own start on, so a stream is split into the same records
//! whatever the size of the buffer.

use super::scan::{Lexeme, LexemeKind, Scanner};

/// The maximum length of a record in bytes. A longer record is split into
/// pieces of this length, which are stored verbatim.
pub const MAX_RECORD_BYTES: usize = 16 << 20;

/// A stretch of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Offset of its first byte in the buffer.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
    /// Whether it is a game. Only games have numbers.
    pub is_game: bool,
    /// Whether it is a piece of a record that is too long to be parsed.
    pub is_piece: bool,
}

/// An iterator over the records of a buffer.
#[derive(Debug, Clone)]
pub struct Splitter<'a> {
    text: &'a [u8],
    pos: usize,
    /// Whether the input ends at the end of the buffer.
    is_last: bool,
    /// Whether the next record continues one that was too long.
    in_piece: bool,
    max_record_bytes: usize,
    scanner: Scanner<'a>,
}

impl<'a> Splitter<'a> {
    /// A splitter of `text`. `is_last` says whether the input ends with it; if
    /// not, the splitter stops before a record that more text could change.
    /// `in_piece` is the result of [`Splitter::in_piece`] for the text before.
    pub fn new(text: &'a [u8], is_last: bool, in_piece: bool) -> Self {
        Splitter {
            text,
            pos: 0,
            is_last,
            in_piece,
            max_record_bytes: MAX_RECORD_BYTES,
            scanner: Scanner::new(text),
        }
    }

    /// Sets another maximum length of a record, in bytes.
    pub fn with_max_record_bytes(mut self, max_record_bytes: usize) -> Self {
        self.max_record_bytes = max_record_bytes.max(1);
        self
    }

    /// Offset of the next record.
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Whether the next record continues one that was too long.
    pub fn in_piece(&self) -> bool {
        self.in_piece
    }

    /// Scans from the position to the end of the record.
    fn find_cut(&mut self, window: &'a [u8]) -> (SplitProgress, Option<usize>) {
        self.scanner.restart(window, self.pos, !self.in_piece);
        let mut progress = SplitProgress::of_piece(self.in_piece);
        while let Some(lexeme) = self.scanner.next() {
            let number = self.scanner.number();
            if let Some(cut) = progress.cut_before(&lexeme, number, self.pos, window) {
                return (progress, Some(cut));
            }
        }
        (progress, None)
    }
}

impl Iterator for Splitter<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let start = self.pos;
        let bound = start.saturating_add(self.max_record_bytes);
        let window = self.text.get(..bound).unwrap_or(self.text);
        if start >= window.len() {
            return None;
        }
        let (progress, cut) = self.find_cut(window);
        let may_change = !self.is_last && self.text.len() <= bound;
        if may_change && (cut.is_none() || self.scanner.touched_end()) {
            return None;
        }
        let is_too_long = cut.is_none() && window.len() < self.text.len();
        let record = Record {
            start,
            end: cut.unwrap_or(window.len()),
            is_game: progress.is_game && !self.in_piece,
            is_piece: is_too_long || self.in_piece,
        };
        self.pos = record.end;
        self.in_piece = is_too_long;
        Some(record)
    }
}

/// The state of a record that is being scanned.
#[derive(Debug, Default)]
pub(super) struct SplitProgress {
    pub(super) is_game: bool,
    /// Name of the first tag pair. If it occurs again, a new record starts.
    pub(super) first_tag: Option<Lexeme>,
    pub(super) has_body: bool,
    pub(super) has_ended: bool,
    /// The number of open variations.
    pub(super) depth: u64,
}

impl SplitProgress {
    /// The state before the first lexeme. `is_piece` says whether the record
    /// continues one that was too long.
    pub(super) fn of_piece(is_piece: bool) -> SplitProgress {
        SplitProgress {
            has_body: is_piece,
            ..SplitProgress::default()
        }
    }

    /// The end of the record, if it ends before this lexeme.
    pub(super) fn cut_before(
        &mut self,
        lexeme: &Lexeme,
        number: Option<usize>,
        start: usize,
        text: &[u8],
    ) -> Option<usize> {
        match lexeme.kind {
            LexemeKind::TagName => {
                let is_preceded = !self.is_game && lexeme.start > start;
                let returns = |first: Lexeme| first.text(text) == lexeme.text(text);
                if self.has_body || is_preceded || self.first_tag.is_some_and(returns) {
                    return Some(lexeme.start);
                }
                self.first_tag.get_or_insert(*lexeme);
                self.is_game = true;
            }
            LexemeKind::Move if self.has_ended => return Some(number.unwrap_or(lexeme.start)),
            LexemeKind::Move => {
                self.has_body = true;
                self.is_game = true;
            }
            LexemeKind::Result => {
                self.has_body = true;
                self.has_ended |= self.depth == 0;
            }
            LexemeKind::Open => self.depth += 1,
            LexemeKind::Close => self.depth = self.depth.saturating_sub(1),
            LexemeKind::TagValue
            | LexemeKind::Nag
            | LexemeKind::Glyph
            | LexemeKind::Comment
            | LexemeKind::LineComment => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        Splitter::new(text.as_bytes(), true, false)
            .map(|record| &text[record.start..record.end])
            .collect()
    }

    #[test]
    fn records_start_at_tag_pairs_or_at_moves_after_a_result() {
        assert_eq!(
            split("[A \"\"]\n[B \"\"]\n\n1. e4 *\n[A \"\"]\n\n[A \"\"]\n"),
            [
                "[A \"\"]\n[B \"\"]\n\n1. e4 *\n",
                "[A \"\"]\n\n",
                "[A \"\"]\n"
            ]
        );
        assert_eq!(
            split("1. e4 1-0\n\n{x} 1. d4 (1. c4 *) 0-1\n\n"),
            ["1. e4 1-0\n\n{x} ", "1. d4 (1. c4 *) 0-1\n\n"]
        );
        assert_eq!(split("\u{feff}[A \"\"]\n"), ["\u{feff}", "[A \"\"]\n"]);
        assert_eq!(split("text\n[A \"\"]\n"), ["text\n", "[A \"\"]\n"]);
    }

    #[test]
    fn tag_pairs_in_comments_open_no_record() {
        for text in [
            "1. e4 {\n\n[Event \"x\"]\n\n} e5 *\n",
            "1. e4 ;[Event \"x\"]\ne5 *\n",
            "1. e4\n%[Event \"x\"]\ne5 *\n",
        ] {
            assert_eq!(split(text), [text]);
        }
        assert_eq!(
            split("1. e4 {\n[Event \"x\"]\n").len(),
            2,
            "an unclosed brace is no comment"
        );
    }

    /// Each record ends before a move number that precedes an unclosed brace:
    /// what is known about braces must survive the restart at each record.
    #[test]
    fn unclosed_braces_before_moves_are_linear() {
        let text = "* 5 {{ e4 ".repeat(200_000);
        assert!(split(&text).len() > 100_000);
    }

    /// Splits with a buffer that grows and slides, as for a stream.
    fn split_streamed(text: &[u8], step: usize, max: usize) -> Vec<(usize, usize, bool, bool)> {
        let (mut from, mut to, mut in_piece) = (0, step.min(text.len()), false);
        let mut found = Vec::new();
        loop {
            let is_last = to == text.len();
            let mut splitter =
                Splitter::new(&text[from..to], is_last, in_piece).with_max_record_bytes(max);
            for record in splitter.by_ref() {
                found.push((
                    from + record.start,
                    from + record.end,
                    record.is_game,
                    record.is_piece,
                ));
            }
            from += splitter.position();
            in_piece = splitter.in_piece();
            if is_last {
                return found;
            }
            to = (to + step).min(text.len());
        }
    }

    proptest::proptest! {
        #[test]
        fn cutting_is_complete_and_independent_of_the_buffer(
            parts in proptest::collection::vec(
                proptest::sample::select(vec![
                    "[A \"x\"]", "[B \"y\"]", "\n", "\r\n", "1. ", "e4 ", "Nf6", "{", "}", "(", ")",
                    ";", "%", "1-0", "*", "\u{feff}", "word", "\"", "\\", " ", "$1", "!?", "0",
                ]),
                0..60,
            ),
            step in 1usize..20,
            max in 1usize..80,
        ) {
            let text = parts.concat().into_bytes();
            let whole = split_streamed(&text, text.len().max(1), max);
            let mut end = 0;
            for (start, stop, ..) in &whole {
                proptest::prop_assert_eq!(*start, end);
                proptest::prop_assert!(stop > start && stop - start <= max);
                end = *stop;
            }
            proptest::prop_assert_eq!(end, text.len());
            proptest::prop_assert_eq!(whole, split_streamed(&text, step, max));
        }
    }
}
