//! Splitting the text of a comment into literals and fields.

use super::clock::ClockText;
use super::number::NumberText;
use super::squares;
use crate::chess::SanText;

/// A piece of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommentToken<'a> {
    Literal(&'a [u8]),
    Number(NumberText<'a>),
    Clock(ClockText<'a>),
    /// The squares of a `%csl` command, or the arrows of a `%cal` command.
    Squares(&'a [u8]),
    Arrows(&'a [u8]),
    /// Consecutive moves with their move numbers.
    Moves(&'a [u8]),
}

const SQUARES: &[u8] = b"[%csl ";
const ARROWS: &[u8] = b"[%cal ";

/// Splits a text into tokens. No literal is empty, and no two are adjacent.
pub(super) fn cut(text: &[u8]) -> Vec<CommentToken<'_>> {
    let mut tokens = Vec::new();
    let (mut start, mut at) = (0, 0);
    // Whether a field may start here: not inside a word.
    let mut is_free = true;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let may_be_field = is_free && rest.first().copied().is_some_and(starts_field);
        let found = may_be_field.then(|| field(rest, text.get(start..at).unwrap_or_default()));
        if let Some((token, len)) = found.flatten() {
            if let Some(literal) = text.get(start..at).filter(|literal| !literal.is_empty()) {
                tokens.push(CommentToken::Literal(literal));
            }
            tokens.push(token);
            at += len;
            start = at;
        } else {
            is_free = rest.first().is_some_and(|byte| !is_of_word(*byte));
            at += 1;
        }
    }
    if let Some(literal) = text.get(start..).filter(|literal| !literal.is_empty()) {
        tokens.push(CommentToken::Literal(literal));
    }
    tokens
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Whether a field may start with this byte.
fn starts_field(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-#".contains(&byte)
}

/// The field at the start of `text`, after `literal`, and its length.
fn field<'a>(text: &'a [u8], literal: &[u8]) -> Option<(CommentToken<'a>, usize)> {
    if literal.ends_with(SQUARES) {
        let list = squares::at(text, 1)?;
        return Some((CommentToken::Squares(list), list.len()));
    }
    if literal.ends_with(ARROWS) {
        let list = squares::at(text, 2)?;
        return Some((CommentToken::Arrows(list), list.len()));
    }
    if let Some(moves) = moves(text) {
        return Some((CommentToken::Moves(moves), moves.len()));
    }
    if let Some(clock) = ClockText::at(text) {
        return Some((CommentToken::Clock(clock), clock.text.len()));
    }
    let number = NumberText::at(text)?;
    Some((CommentToken::Number(number), number.text.len()))
}

/// Moves at the start of a text, separated by single spaces, with optional move
/// numbers such as `12.` and `12...`.
fn moves(text: &[u8]) -> Option<&[u8]> {
    let (mut len, mut at) = (0, 0);
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let number = move_number(rest);
        let word = word(rest.get(number..).unwrap_or_default());
        let is_move = word.first().is_some_and(u8::is_ascii_alphabetic);
        if !is_move || SanText::parse(word).is_none() {
            break;
        }
        len = at + number + word.len();
        if text.get(len) != Some(&b' ') {
            break;
        }
        at = len + 1;
    }
    text.get(..len).filter(|moves| !moves.is_empty())
}

/// The length of a move number with its dots and the space after them.
fn move_number(text: &[u8]) -> usize {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return 0;
    }
    let dots = text.get(digits..).unwrap_or_default();
    let dots = dots.iter().take_while(|byte| **byte == b'.').count();
    if dots == 0 {
        return 0;
    }
    let blank = usize::from(text.get(digits + dots) == Some(&b' '));
    digits + dots + blank
}

/// No move is longer. The limit keeps the scan of long words short.
const MOST_MOVE_BYTES: usize = 16;

/// The longest prefix of a text that may be a move.
fn word(text: &[u8]) -> &[u8] {
    let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+#=-@".contains(byte);
    let word = text.iter().take(MOST_MOVE_BYTES).take_while(is_inside);
    text.get(..word.count()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        let tokens = cut(text.as_bytes());
        let parts = tokens.iter().map(|token| match token {
            CommentToken::Literal(text) => String::from_utf8(text.to_vec()).unwrap(),
            CommentToken::Number(_) => "<n>".into(),
            CommentToken::Clock(_) => "<c>".into(),
            CommentToken::Squares(_) => "<s>".into(),
            CommentToken::Arrows(_) => "<a>".into(),
            CommentToken::Moves(_) => "<m>".into(),
        });
        parts.collect()
    }

    #[test]
    fn fields_are_found() {
        for (text, expected) in [
            (" [%eval 0.17] [%clk 0:03:00] ", " [%eval <n>] [%clk <c>] "),
            ("[%eval #-3] [%emt 00:04:18.5]", "[%eval <n>] [%emt <c>]"),
            ("+0.31/17 4.5s", "<n>/<n> <n>s"),
            ("-M5/20 0.1s", "<n>/<n> <n>s"),
            ("d=24, mb=+0-1+0, tb=null", "d=<n>, mb=<n><n><n>, tb=null"),
            ("pv=Nf3 d5 O-O, pd=e7e8", "pv=<m>, pd=<m>"),
            (
                "(-1.22 → -1.93) Mistake. c3 was best.",
                "(<n> → <n>) Mistake. <m> was best.",
            ),
            ("12. Nf3 Nc6 13. d4 is 2nd", "<m> is <n>nd"),
            ("[%csl Ga1,Rb2][%cal Ga1b2]", "[%csl <s>][%cal <a>]"),
            ("[%csl nothing]", "[%csl nothing]"),
            ("B23 Sicilian, 007, x86_64", "B23 Sicilian, 007, x86_64"),
            ("1-0 -0 1.2.3", "<n>-<n> -<n> <n>.<n>"),
            ("", ""),
        ] {
            assert_eq!(shape(text), expected, "{text}");
        }
    }

    #[test]
    fn tokens_are_the_text() {
        for text in [
            "a 1 b",
            "12:30:59.25",
            "3...Nf6 4. O-O-O# x",
            "99999999999999999",
            "é5",
        ] {
            let bytes = cut(text.as_bytes()).into_iter().map(|token| match token {
                CommentToken::Literal(text) | CommentToken::Moves(text) => text.len(),
                CommentToken::Squares(text) | CommentToken::Arrows(text) => text.len(),
                CommentToken::Number(number) => number.text.len(),
                CommentToken::Clock(clock) => clock.text.len(),
            });
            assert_eq!(bytes.sum::<usize>(), text.len(), "{text}");
        }
    }
}
