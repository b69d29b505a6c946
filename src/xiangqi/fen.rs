//! FEN, the text format of positions (`docs/xiangqi.md`, "FEN").

use std::str::{FromStr, SplitAsciiWhitespace};

use super::point::{FILES, ROWS};
use super::{Point, XiangqiPiece, XiangqiPosition, XiangqiSide};

/// The data of a FEN. The counters are not part of the position, and no code
/// stores them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fen {
    /// The board and the side to move.
    pub position: XiangqiPosition,
    /// The number of plies since a capture; 0 if missing.
    pub halfmoves: u32,
    /// The number of the next move; 1 if missing.
    pub fullmoves: u32,
}

/// FEN parsing errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The board is not 10 ranks separated by `/`.
    #[error("a board has 10 ranks")]
    Ranks,
    /// A rank has more or fewer than 9 points.
    #[error("rank {rank} does not have 9 points")]
    RankLength {
        /// The rank, from 10 down to 1.
        rank: u8,
    },
    /// A character that is neither a piece nor a number of empty points.
    #[error("{found:?} is neither a piece (RNBAKCP, also H and E) nor a digit from 1 to 9")]
    NoPiece {
        /// The character.
        found: char,
    },
    /// The side to move is not `w`, `r` or `b`.
    #[error("the side to move is w or r for Red, b for Black")]
    Side,
    /// The third or the fourth field, which only chess uses, is not `-`.
    #[error("the third and the fourth field must be -")]
    Unused,
    /// A counter is not a number below 2^32.
    #[error("a counter is not a number below 2^32")]
    Counter,
    /// A field follows the counters.
    #[error("more than six fields")]
    TooLong,
}

impl FromStr for Fen {
    type Err = FenError;

    /// Parses up to six fields. Missing fields at the end default to `w`, `-`,
    /// `-`, 0 and 1.
    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().unwrap_or_default();
        let turn = match fields.next() {
            None | Some("w" | "r") => XiangqiSide::Red,
            Some("b") => XiangqiSide::Black,
            Some(_) => return Err(FenError::Side),
        };
        for unused in fields.by_ref().take(2) {
            if unused != "-" {
                return Err(FenError::Unused);
            }
        }
        let fen = Fen {
            position: read_board(board, turn)?,
            halfmoves: counter(&mut fields, 0)?,
            fullmoves: counter(&mut fields, 1)?,
        };
        match fields.next() {
            None => Ok(fen),
            Some(_) => Err(FenError::TooLong),
        }
    }
}

fn counter(fields: &mut SplitAsciiWhitespace<'_>, missing: u32) -> Result<u32, FenError> {
    let Some(field) = fields.next() else {
        return Ok(missing);
    };
    // `parse` also accepts a sign.
    let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
    let number = field.parse().ok().filter(|_| is_number);
    number.ok_or(FenError::Counter)
}

fn read_board(text: &str, turn: XiangqiSide) -> Result<XiangqiPosition, FenError> {
    let mut position = XiangqiPosition::empty(turn);
    let mut points = Point::all();
    let mut ranks = text.split('/');
    for rank in (1..=ROWS).rev() {
        let row = ranks.next().ok_or(FenError::Ranks)?;
        read_row(
            row,
            rank,
            &mut points.by_ref().take(FILES.into()),
            &mut position,
        )?;
    }
    match ranks.next() {
        None => Ok(position),
        Some(_) => Err(FenError::Ranks),
    }
}

fn read_row(
    row: &str,
    rank: u8,
    points: &mut impl Iterator<Item = Point>,
    position: &mut XiangqiPosition,
) -> Result<(), FenError> {
    let wrong_length = FenError::RankLength { rank };
    for found in row.chars() {
        match found.to_digit(10) {
            Some(0) => return Err(FenError::NoPiece { found }),
            Some(empty) => {
                for _ in 0..empty {
                    points.next().ok_or(wrong_length)?;
                }
            }
            None => {
                let piece = XiangqiPiece::from_letter(found).ok_or(FenError::NoPiece { found })?;
                position.put(points.next().ok_or(wrong_length)?, Some(piece));
            }
        }
    }
    match points.next() {
        None => Ok(()),
        Some(_) => Err(wrong_length),
    }
}

impl XiangqiPosition {
    /// Formats the position as a FEN, with the counters 0 and 1.
    pub fn fen(&self) -> String {
        let mut out = String::new();
        let mut empty = 0;
        for point in Point::all() {
            if point.file() == 0 && point.row() > 0 {
                out.push('/');
            }
            match self.at(point) {
                None => empty += 1,
                Some(piece) => {
                    push_empty(&mut out, &mut empty);
                    out.push(piece.letter());
                }
            }
            if point.file() == FILES - 1 {
                push_empty(&mut out, &mut empty);
            }
        }
        let turn = match self.turn() {
            XiangqiSide::Red => 'w',
            XiangqiSide::Black => 'b',
        };
        format!("{out} {turn} - - 0 1")
    }
}

/// Writes the number of empty points if it is not 0, and resets it.
fn push_empty(out: &mut String, empty: &mut u32) {
    if *empty > 0 {
        out.push_str(&empty.to_string());
    }
    *empty = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    fn read(text: &str) -> Result<Fen, FenError> {
        text.parse()
    }

    #[test]
    fn missing_fields_are_those_of_the_start() {
        let start = read(&format!("{BOARD} w - - 0 1"));
        assert_eq!(
            start.as_ref().map(|fen| &fen.position),
            Ok(&XiangqiPosition::start())
        );
        for rest in [
            "",
            " w",
            " r",
            " w -",
            " w - -",
            "  w  - - 0 ",
            " w - - 00 1",
        ] {
            assert_eq!(read(&format!("{BOARD}{rest}")), start, "{rest}");
        }
        let other_letters = BOARD.replace('n', "h").replace('B', "E");
        assert_eq!(read(&other_letters), start);
    }

    #[test]
    fn sides_and_counters_are_read() {
        let fen = read(&format!("{BOARD} b - - 7 4294967295")).expect("a FEN");
        assert_eq!((fen.halfmoves, fen.fullmoves), (7, u32::MAX));
        assert_eq!(fen.position.turn(), XiangqiSide::Black);
        assert_eq!(fen.position.fen(), format!("{BOARD} b - - 0 1"));
    }

    #[test]
    fn what_is_no_fen_is_refused() {
        let with = |rest: &str| format!("{BOARD} {rest}");
        let row = |row: &str| BOARD.replacen("9", row, 1);
        for (text, error) in [
            (String::new(), FenError::RankLength { rank: 10 }),
            ("9/9".to_owned(), FenError::Ranks),
            (format!("{BOARD}/9"), FenError::Ranks),
            (row("8"), FenError::RankLength { rank: 9 }),
            (row("91"), FenError::RankLength { rank: 9 }),
            (row("9k"), FenError::RankLength { rank: 9 }),
            (row("09"), FenError::NoPiece { found: '0' }),
            (row("8q"), FenError::NoPiece { found: 'q' }),
            (row("8帥"), FenError::NoPiece { found: '帥' }),
            (with("x"), FenError::Side),
            (with("B"), FenError::Side),
            (with("w KQkq"), FenError::Unused),
            (with("w - e3"), FenError::Unused),
            (with("w - - +1"), FenError::Counter),
            (with("w - - 0 4294967296"), FenError::Counter),
            (with("w - - 0 1 x"), FenError::TooLong),
        ] {
            assert_eq!(read(&text), Err(error), "{text}");
        }
    }

    #[test]
    fn digits_side_by_side_add_up() {
        let spread = BOARD.replacen("9", "45", 1);
        assert_eq!(
            read(&spread).expect("a FEN").position,
            XiangqiPosition::start()
        );
    }
}
