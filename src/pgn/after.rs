//! The position after moves that a user has typed or pasted.

use super::parse::parse;
use super::play::Position;
use super::scan::{Lexeme, Scanner};
use super::verbatim_reason::VerbatimReason;

/// A text that is not a line of legal moves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidLine {
    /// A word that is no part of a game.
    #[error("{0:?} is not a move")]
    Word(String),
    /// A word that names no legal move.
    #[error("{word:?} is not a legal move after {}", plies_text(*.plies))]
    Move {
        /// The word.
        word: String,
        /// The number of plies before it.
        plies: usize,
    },
    /// A move, variation or result where none is allowed, for example a move after the result.
    #[error("{word:?} is out of place after {}", plies_text(*.plies))]
    Misplaced {
        /// The word.
        word: String,
        /// The number of plies before it.
        plies: usize,
    },
    /// The tags give no legal start position.
    #[error("the FEN and Variant tags give no legal start position")]
    Start,
    /// There are more plies than a game may have.
    #[error("more than {0} plies")]
    TooLong(usize),
    /// There are no moves.
    #[error("there are no moves")]
    NoMoves,
}

fn plies_text(count: usize) -> String {
    match count {
        1 => "1 ply".to_owned(),
        _ => format!("{count} plies"),
    }
}

impl Position {
    /// The position after the moves of a PGN movetext, such as `1. e4 e5 2. Nf3`, from the start
    /// position or that of a FEN tag. Move numbers may be missing. Comments and variations are
    /// allowed, but not played.
    ///
    /// ```
    /// let position = pgna::Position::after("e4 e5 2. Nf3")?;
    /// assert!(!position.is_white_to_move());
    /// # Ok::<(), pgna::InvalidLine>(())
    /// ```
    ///
    /// # Errors
    /// There are no moves, a word is not a legal move, or the tags give no start position.
    pub fn after(moves: &str) -> Result<Position, InvalidLine> {
        let text = moves.as_bytes();
        let lexemes: Vec<Lexeme> = Scanner::new(text).collect();
        let owned = |word| String::from_utf8_lossy(word).into_owned();
        if let Some(word) = first_unscanned_word(text, &lexemes) {
            return Err(InvalidLine::Word(owned(without_number(word))));
        }
        let parsed = parse(text, &lexemes);
        let tree = parsed.tree;
        let plies: Vec<_> = tree.plies().collect();
        // The parser stops at the first lexeme that is not part of the line.
        let parsed_bytes = text.len() - tree.tail.len();
        if let Some(wrong) = lexemes.iter().find(|next| next.start >= parsed_bytes) {
            let (word, plies) = (owned(wrong.text(text)), plies.len());
            return Err(match parsed.verbatim_reason {
                Some(VerbatimReason::StartPosition | VerbatimReason::Variant) => InvalidLine::Start,
                Some(VerbatimReason::TooLong) => InvalidLine::TooLong(plies),
                Some(VerbatimReason::Misplaced) => InvalidLine::Misplaced { word, plies },
                _ => InvalidLine::Move { word, plies },
            });
        }
        if plies.is_empty() {
            return Err(InvalidLine::NoMoves);
        }
        let mut position = tree.start.clone();
        for (number, ply) in plies.into_iter().enumerate() {
            position.make(ply).map_err(|_| InvalidLine::Move {
                word: ply.to_string(),
                plies: number,
            })?;
        }
        Ok(Position(position))
    }
}

/// A word without the move number at its start.
fn without_number(word: &[u8]) -> &[u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match word.get(digits..).unwrap_or_default() {
        [b'.', rest @ ..] => {
            let dots = rest.iter().take_while(|byte| **byte == b'.').count();
            rest.get(dots..).unwrap_or_default()
        }
        _ => word,
    }
}

/// The first word that is neither PGN nor a move number.
fn first_unscanned_word<'a>(text: &'a [u8], lexemes: &[Lexeme]) -> Option<&'a [u8]> {
    let is_number = |word: &[u8]| word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.'));
    let ends = lexemes.iter().map(|lexeme| lexeme.end);
    let starts = lexemes.iter().map(|lexeme| lexeme.start);
    let gaps = [0].into_iter().chain(ends).zip(starts.chain([text.len()]));
    gaps.filter_map(|(start, end)| text.get(start..end))
        .flat_map(|gap| gap.split(u8::is_ascii_whitespace))
        .find(|word| !is_number(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_played_from_the_start() {
        for text in [
            "1. e4 e5 2. Nf3",
            "e4 e5 Nf3",
            "1.e4 {good} (1. d4) e5 Nf3 *",
        ] {
            let fen = Position::after(text).unwrap().fen();
            assert!(
                fen.starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/"),
                "{text}"
            );
        }
    }

    #[test]
    fn the_first_word_that_is_no_move_is_named() {
        let error = |text| Position::after(text).unwrap_err().to_string();
        assert_eq!(
            error("1. e4 Ke7"),
            "\"Ke7\" is not a legal move after 1 ply"
        );
        assert_eq!(error("e5 e4"), "\"e5\" is not a legal move after 0 plies");
        assert_eq!(error("1. e4 e5 2. Zz"), "\"Zz\" is not a move");
        assert_eq!(error("1. e4 e5 2.Zz"), "\"Zz\" is not a move");
        assert_eq!(error("1. e4 e5 2...Zz"), "\"Zz\" is not a move");
        assert_eq!(error("1. e4 (oops"), "\"oops\" is not a move");
        for text in ["1. e4 c5 2. Bb8", "1. e4 c5 2.Bb8", "e4 c5 {why} 2... Bb8!"] {
            assert_eq!(error(text), "\"Bb8\" is not a legal move after 2 plies");
        }
        assert_eq!(error(""), "there are no moves");
        assert_eq!(error("1. *"), "there are no moves");
        for tags in ["[FEN \"bad\"]", "[Variant \"Nope\"]"] {
            let text = format!("{tags}\n\n1. e4");
            assert_eq!(Position::after(&text), Err(InvalidLine::Start));
        }
        assert_eq!(error("1. e4 * d4"), "\"d4\" is out of place after 1 ply");
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(200_000);
        let error = Position::after(&long).unwrap_err();
        assert!(matches!(error, InvalidLine::TooLong(_)), "{error}");
    }
}
