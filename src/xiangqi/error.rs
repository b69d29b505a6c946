//! Encoding and decoding errors of position codes.

use super::{Point, XiangqiPiece};
use crate::bits::BitsError;

/// The reasons why a code cannot represent a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum XiangqiEncodeError {
    /// More pieces of a kind than at the start of a game.
    #[error("{} has too many {}s: at most {}", piece.side, piece.kind, piece.kind.count())]
    TooMany {
        /// The piece.
        piece: XiangqiPiece,
    },
    /// Two soldiers of a side on one file on their own side of the river.
    #[error("two {piece}s on one file before the river")]
    TwoSoldiersOnFile {
        /// The piece.
        piece: XiangqiPiece,
    },
    /// A piece on a point that it cannot reach by the rules.
    #[error("a {piece} on {point}, where none can come")]
    OutOfReach {
        /// The piece.
        piece: XiangqiPiece,
        /// Its point.
        point: Point,
    },
}

/// Decoding errors of position codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// A number that is neither a point nor the value for captured pieces.
    #[error("{number} is not a point")]
    NotAPoint {
        /// The number.
        number: u8,
    },
    /// A list with more than 32 pieces.
    #[error("{count} pieces, where there are 32")]
    TooManyPieces {
        /// The number of pieces in the list.
        count: u8,
    },
    /// The pieces of a list are not in ascending order of IDs.
    #[error("the pieces are not in ascending order")]
    Order,
    /// Two pieces on one point.
    #[error("two pieces on {point}")]
    TwoOnPoint {
        /// The point.
        point: Point,
    },
    /// The number is not 0 after its last digit.
    #[error("the number is larger than its digits can make")]
    Remainder,
    /// The position has another encoding, or none.
    #[error("not the encoding of the position that it decodes to")]
    NotCanonical,
    /// The bits end inside the position, or bits follow it.
    #[error(transparent)]
    Bits(#[from] BitsError),
}
