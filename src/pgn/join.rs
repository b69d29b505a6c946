//! The separator that two games need so that they are split apart again.
//!
//! A record ends where the next one begins, and a beginning can have another meaning after another
//! record than it has in its own file. So a game that is appended to another must begin on a new
//! line, and sometimes needs more than that.

use super::scan::{Lexeme, LexemeKind, Scanner};
use super::split::SplitProgress;

/// The separator between two games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Separator {
    /// Its bytes. They become the end of the record of the first game.
    pub text: Vec<u8>,
    /// Whether it closes a comment of the first game, which would otherwise continue in the second.
    pub closes_comment: bool,
    /// Whether it ends the first game with `*`, because the second would otherwise continue it.
    pub ends_game: bool,
    /// Whether the separator does not suffice to split the games apart: the first is not a game
    /// once its comment is closed, or the second does not begin with a tag pair or a move, so that
    /// its beginning becomes part of the first.
    pub is_ambiguous: bool,
}

/// The beginning of a game.
enum RecordStart<'a> {
    /// A tag pair with this name.
    Tag(&'a [u8]),
    /// A move or its number.
    Move,
    /// Anything else.
    Other,
}

/// The end of a record.
struct RecordEnd<'a> {
    progress: SplitProgress,
    first_tag: &'a [u8],
    /// Whether an unclosed brace has been seen.
    is_open: bool,
    /// Whether the record ends with digits, which would be taken for the number of a move that
    /// follows.
    has_number: bool,
}

/// The separator needed between the record `last` and the record `next`.
///
/// If `last` was split because of its length, `last` is its last piece, with `is_piece` set. If
/// `next` was split, `next` is its first piece.
///
/// ```
/// use pgna::internals::pgn::separator;
///
/// assert_eq!(separator(b"1. e4 *", false, b"[Event \"\"]\n").text, b"\n\n");
/// assert_eq!(separator(b"1. e4 *\r\n\r\n", false, b"1. d4 *\n").text, b"");
/// assert_eq!(separator(b"1. e4\n\n", false, b"1. d4 *\n").text, b"*\n\n");
/// ```
pub fn separator(last: &[u8], is_piece: bool, next: &[u8]) -> Separator {
    let mut separator = Separator::default();
    let start = RecordStart::of(next);
    let mut whole = last.to_vec();
    if RecordEnd::of(last, is_piece).is_open {
        separator.closes_comment = true;
        whole.push(b'}');
    }
    let end = RecordEnd::of(&whole, is_piece);
    let needs_end = end.would_continue(&start);
    let depth = match start {
        RecordStart::Move => end.progress.depth,
        _ => 0,
    };
    separator.is_ambiguous =
        matches!(start, RecordStart::Other) || !(is_piece || end.progress.is_game);
    let line_end = line_end(last);
    if needs_end {
        separator.ends_game = true;
        if newlines_at_end(&whole) == 0 {
            whole.extend_from_slice(line_end);
        }
        whole.extend((0..depth).map(|_| b')'));
        whole.extend_from_slice(if depth > 0 { b" *" } else { b"*" });
    }
    for _ in newlines_at_end(&whole)..2 {
        whole.extend_from_slice(line_end);
    }
    separator.text = whole.split_off(last.len());
    separator
}

/// Whether a comment is open at the end of a record, so that a following record could close it.
pub fn leaves_comment_open(record: &[u8], is_piece: bool) -> bool {
    match memchr::memrchr2(b'{', b'}', record) {
        Some(at) if record.get(at) == Some(&b'{') => RecordEnd::of(record, is_piece).is_open,
        _ => false,
    }
}

impl<'a> RecordStart<'a> {
    fn of(record: &'a [u8]) -> RecordStart<'a> {
        let mut scanner = Scanner::new(record);
        let Some(lexeme) = scanner.next() else {
            return RecordStart::Other;
        };
        let begins = scanner.number().unwrap_or(lexeme.start) == 0;
        match lexeme.kind {
            LexemeKind::TagName if begins => RecordStart::Tag(lexeme.text(record)),
            LexemeKind::Move if begins => RecordStart::Move,
            _ => RecordStart::Other,
        }
    }
}

impl<'a> RecordEnd<'a> {
    fn of(record: &'a [u8], is_piece: bool) -> RecordEnd<'a> {
        let mut scanner = Scanner::new(record);
        scanner.restart(record, 0, !is_piece);
        let mut progress = SplitProgress::of_piece(is_piece);
        while let Some(lexeme) = scanner.next() {
            // The record is already split, so the result is not needed.
            let _ = progress.cut_before(&lexeme, scanner.number(), 0, record);
        }
        let first_tag = progress.first_tag.as_ref();
        RecordEnd {
            first_tag: first_tag.map_or(&[], |tag: &Lexeme| tag.text(record)),
            is_open: scanner.has_open_brace(),
            has_number: scanner.number().is_some(),
            progress,
        }
    }

    /// Whether a game that begins like this would be parsed as part of this one.
    fn would_continue(&self, start: &RecordStart<'_>) -> bool {
        match start {
            RecordStart::Tag(name) => !self.progress.has_body && self.first_tag != *name,
            RecordStart::Move => !self.progress.has_ended || self.has_number,
            RecordStart::Other => false,
        }
    }
}

/// The line ending of a record, by its first.
fn line_end(record: &[u8]) -> &'static [u8] {
    match memchr::memchr2(b'\n', b'\r', record) {
        Some(at) if record.get(at..at + 2) == Some(b"\r\n") => b"\r\n",
        Some(at) if record.get(at) == Some(&b'\r') => b"\r",
        _ => b"\n",
    }
}

/// The number of line endings at the end of the text, up to 2: 2 if it ends with a blank line, 1 if
/// with a complete line.
fn newlines_at_end(text: &[u8]) -> usize {
    let without = |text: &[u8]| match text {
        [.., b'\r', b'\n'] => Some(text.len() - 2),
        [.., b'\r' | b'\n'] => Some(text.len() - 1),
        _ => None,
    };
    let Some(first) = without(text) else {
        return 0;
    };
    let before = text.get(..first).unwrap_or_default();
    1 + usize::from(without(before).is_some())
}

#[cfg(test)]
mod tests {
    use super::super::split::Splitter;
    use super::*;

    fn games(text: &[u8]) -> Vec<Vec<u8>> {
        Splitter::new(text, true, false)
            .filter(|record| record.is_game)
            .map(|record| text[record.start..record.end].to_vec())
            .collect()
    }

    /// The games concatenated, and whether two of them may not be split apart.
    fn join(games: &[Vec<u8>]) -> (Vec<u8>, bool) {
        let mut joined = Vec::new();
        let mut is_loose = false;
        for (at, game) in games.iter().enumerate() {
            if let Some(last) = at.checked_sub(1).map(|last| &games[last]) {
                let separator = separator(last, false, game);
                joined.extend_from_slice(&separator.text);
                is_loose |= separator.is_ambiguous;
            }
            joined.extend_from_slice(game);
        }
        (joined, is_loose)
    }

    fn text_of_gap(last: &str, next: &str) -> (String, bool) {
        let separator = separator(last.as_bytes(), false, next.as_bytes());
        (
            String::from_utf8(separator.text).unwrap(),
            separator.is_ambiguous,
        )
    }

    #[test]
    fn continuation_of_a_split_record_is_after_its_tag_pairs() {
        let of = |is_piece| separator(b"word\n", is_piece, b"[Event \"\"]\n").text;
        assert_eq!(of(true), b"\n");
        assert_eq!(of(false), b"*\n\n");
    }

    #[test]
    fn games_get_separators() {
        let tagged = "[Event \"\"]\n\n1. e4 *\n\n";
        for (last, next, between) in [
            (tagged, tagged, ""),
            ("1. e4 *", tagged, "\n\n"),
            ("1. e4 *\n", tagged, "\n"),
            ("1. e4\r\n*\r\n", tagged, "\r\n"),
            ("1. e4 *\r1. e5\r", tagged, "\r"),
            ("1. e4 *", "1. d4 *", "\n\n"),
            ("1. e4 ; a", tagged, "\n\n"),
            ("1. e4 {a", tagged, "}\n\n"),
            ("1. e4 {a\n", "1. d4", "}\n*\n\n"),
            ("1. e4 *\n\n2", "1. d4", "\n*\n\n"),
            ("1. e4 (1. d4 (1. c4 *", "1. d4", "\n)) *\n\n"),
            ("[Event \"\"]\n", tagged, "\n"),
            ("[Site \"\"]\n", tagged, "*\n\n"),
        ] {
            let gap = text_of_gap(last, next);
            assert_eq!(gap, (between.to_owned(), false), "{last:?} {next:?}");
        }
    }

    #[test]
    fn ambiguous_separators_are_reported() {
        assert!(text_of_gap("{ 1. e4 *\n\n", "[A \"\"]").1);
        assert!(text_of_gap("1. e4 *\n\n", "{x} 1. d4 *").1);
        assert!(text_of_gap("1. e4 *\n\n", "\u{feff}1. d4 *").1);
    }

    #[test]
    fn games_of_many_kinds_are_cut_apart_again() {
        let kinds = [
            "[A \"x\"]\n",
            "[B \"x\"]\n[A \"x\"]\r\n\r\n",
            "1. e4 e5",
            "1. e4 e5 *",
            "1. e4 (1. d4",
            "[A \"x\"] 1. e4 {a",
            "1. e4 * 17",
            "[A \"x\"]\n\n% {x",
            "e4 1-0 ;",
        ];
        for first in kinds {
            for second in kinds {
                for third in kinds {
                    let of_them = [first, second, third].map(|game| game.as_bytes().to_vec());
                    let (text, is_loose) = join(&of_them);
                    let cut = games(&text);
                    assert!(!is_loose);
                    assert_eq!(cut.len(), 3, "{of_them:?}");
                    for (game, cut) in of_them.iter().zip(&cut) {
                        assert!(cut.starts_with(game), "{of_them:?}");
                    }
                }
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_not_loose_is_cut_apart_again(
            texts in proptest::collection::vec(
                proptest::collection::vec(
                    proptest::sample::select(vec![
                        "[A \"x\"]", "\n[A \"{\"]", "\n[B \"y\"]", "\n", "\r\n", "\r", "1. ",
                        "e4 ", "Nf6", " d4 ", "{", "}", "(", ")", ";", "%", "\n%", "1-0", " * ",
                        "\u{feff}", "word", "\"", "\\", " ", "$1", "!?", "0", " 12 ", ".",
                    ]),
                    0..25,
                ),
                0..6,
            ),
        ) {
            let texts = texts.iter().map(|parts| parts.concat().into_bytes());
            let all: Vec<Vec<u8>> = texts.flat_map(|text| games(&text)).collect();
            let (text, is_loose) = join(&all);
            let cut = games(&text);
            if !is_loose {
                proptest::prop_assert_eq!(cut.len(), all.len(), "{:?}", all);
                for (game, cut) in all.iter().zip(&cut) {
                    proptest::prop_assert!(cut.starts_with(game), "{:?} {:?}", game, cut);
                }
            }
        }
    }
}
