//! Words of a movetext that are no moves.

use super::scan::{LexemeKind, Scanner};
use std::ops::Range;

/// Whether the movetext has words that are no moves, such as `Sf3` for `Nf3`, which are read as
/// white space. Text after the result does not count.
pub fn has_words(record: &[u8]) -> bool {
    let (mut end, mut last) = (0, None);
    for lexeme in Scanner::new(record) {
        let is_tag = matches!(lexeme.kind, LexemeKind::TagName | LexemeKind::TagValue);
        if !is_tag && has_word(record, end..lexeme.start) {
            return true;
        }
        (end, last) = (lexeme.end, Some(lexeme.kind));
    }
    last != Some(LexemeKind::Result) && has_word(record, end..record.len())
}

/// Whether the text between two lexemes has a letter, except in lines that begin with `%`.
fn has_word(record: &[u8], gap: Range<usize>) -> bool {
    let begins_line = record
        .get(..gap.start)
        .is_none_or(|before| before.is_empty() || before.ends_with(b"\n"));
    let gap = record.get(gap).unwrap_or_default();
    let mut lines = gap.split(|byte| *byte == b'\n').enumerate();
    lines.any(|(at, line)| {
        let is_escaped = line.starts_with(b"%") && (at > 0 || begins_line);
        !is_escaped
            && String::from_utf8_lossy(line)
                .chars()
                .any(char::is_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_the_movetext_are_found() {
        let tags = "[A \"Sf3\"]\nword\n[B \"x\"]\n\n";
        for words in [
            "1. e4 Sf6 *",
            "1. Sf3 d5 *",
            "1. e4 e5 2. Qh9",
            "1. e4 12x e5 *",
            "1. e4 (xxx) e5 *",
            "1. e4 ход e5 *",
            "1. e4 { open *",
        ] {
            assert!(has_words(format!("{tags}{words}").as_bytes()), "{words}");
        }
        for none in [
            "1. e4 {Sf6} e5 $3 $999 ; Qh9\n",
            "1.e4 +- e5 -- 0-0 1/2 ½-½",
            "%Sf6\n1. e4 (1. d4 *) *",
            "1. e4 * text\n",
        ] {
            assert!(!has_words(format!("{tags}{none}").as_bytes()), "{none}");
        }
    }
}
