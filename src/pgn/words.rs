//! Words of a movetext that are no moves.

use super::scan::{LexemeKind, Scanner};

/// Whether the movetext has words that are no moves, such as `Sf3` for `Nf3`, which are read as
/// white space. Text after the result does not count.
pub fn has_words(record: &[u8]) -> bool {
    let mut scanner = Scanner::new(record);
    let mut last = None;
    while let Some(lexeme) = scanner.next() {
        let is_tag = matches!(lexeme.kind, LexemeKind::TagName | LexemeKind::TagValue);
        if scanner.has_word() && !is_tag {
            return true;
        }
        last = Some(lexeme.kind);
    }
    scanner.has_word() && last != Some(LexemeKind::Result)
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
