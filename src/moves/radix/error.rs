//! What can be wrong with numbers of legal moves.

use crate::bits::BitsError;

/// Why bytes are not the numbers of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RadixError {
    /// A ply is announced where no legal move is left.
    #[error("no legal move is left to choose from")]
    NoLegalMove,
    /// A number is not used up by its digits.
    #[error("a number is larger than its digits can make")]
    Remainder,
    /// A number of several ends with a byte that is 0.
    #[error("a number has leading zeros")]
    LeadingZeros,
    /// The form of several numbers holds only one.
    #[error("one number in the form of several")]
    SingleNumber,
    /// A length is not in its shortest form, the bytes end inside a number, or
    /// there are fewer or more numbers than the line has.
    #[error(transparent)]
    Bits(#[from] BitsError),
}
