//! Decoding errors of `radix` and `radix-end`.

use crate::bits::BitsError;

/// Decoding errors of `radix` and `radix-end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RadixError {
    /// The line has more plies, but no move is legal.
    #[error("no legal move is left to choose from")]
    NoLegalMove,
    /// A number is not 0 after its last digit, or is not a valid ending.
    #[error("a number is larger than its digits can make")]
    Remainder,
    /// The most significant byte of a number is 0.
    #[error("a number has leading zeros")]
    LeadingZeros,
    /// The form of several numbers contains only one.
    #[error("one number in the form of several")]
    SingleNumber,
    /// A length is not in its shortest form, the bytes end inside a number, or
    /// the number of numbers is not that of the line.
    #[error(transparent)]
    Bits(#[from] BitsError),
}
