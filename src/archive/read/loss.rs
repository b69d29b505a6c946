//! Losses: parts of an archive that cannot be decoded or verified.

use crate::archive::error::Error;
use std::ops::Range;

/// A part of an archive that cannot be decoded or verified.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loss {
    /// The numbers of the games that are lost.
    pub games: Range<u64>,
    /// The size of the lost text, in bytes.
    pub raw_bytes: u64,
    /// The cause.
    pub error: Error,
}
