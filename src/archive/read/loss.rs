//! Losses: parts of an archive that cannot be decoded or verified.

use crate::archive::error::Error;
use crate::archive::read::block_places::BlockPlace;
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

impl Loss {
    /// The loss of a block.
    pub(crate) fn of_place(place: &BlockPlace, error: Error) -> Self {
        Loss {
            games: place.games(),
            raw_bytes: place.raw_bytes,
            error,
        }
    }
}
