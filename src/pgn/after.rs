//! The position after moves that a user has typed or pasted.

use super::parse::parse;
use super::play::Position;
use super::scan::{Lexeme, Scanner};

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
    /// There are no moves.
    #[error("no moves in {0:?}")]
    NoMoves(String),
}

fn plies_text(count: usize) -> String {
    match count {
        1 => "1 ply".to_owned(),
        _ => format!("{count} plies"),
    }
}

impl Position {
    /// The position after the moves of a PGN movetext, such as `1. e4 e5 2. Nf3`, from the start
    /// position or that of a FEN tag. Move numbers may be missing, and comments and variations are
    /// skipped.
    ///
    /// ```
    /// let position = pgna::Position::after("e4 e5 2. Nf3")?;
    /// assert!(!position.is_white_to_move());
    /// # Ok::<(), pgna::InvalidLine>(())
    /// ```
    ///
    /// # Errors
    /// There are no moves, or a word is no legal move.
    pub fn after(moves: &str) -> Result<Position, InvalidLine> {
        let text = moves.as_bytes();
        let lexemes: Vec<Lexeme> = Scanner::new(text).collect();
        let owned = |word| String::from_utf8_lossy(word).into_owned();
        if let Some(word) = first_unscanned_word(text, &lexemes) {
            return Err(InvalidLine::Word(owned(without_number(word))));
        }
        let tree = parse(text, &lexemes).tree;
        let plies: Vec<_> = tree.plies().collect();
        // The parser stops at the first lexeme that is not part of the line.
        let parsed_bytes = text.len() - tree.tail.len();
        if let Some(wrong) = lexemes.iter().find(|next| next.start >= parsed_bytes) {
            return Err(InvalidLine::Move {
                word: owned(wrong.text(text)),
                plies: plies.len(),
            });
        }
        if plies.is_empty() {
            return Err(InvalidLine::NoMoves(moves.to_owned()));
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
        assert_eq!(error(""), "no moves in \"\"");
        assert_eq!(error("1. *"), "no moves in \"1. *\"");
    }
}
