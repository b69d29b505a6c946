//! Losses: parts of an archive that cannot be decoded or verified.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::archive::read::block_places::BlockPlace;
use std::fmt;
use std::ops::Range;

/// A part of an archive that cannot be decoded or verified.
#[derive(Debug)]
#[non_exhaustive]
pub struct Loss {
    /// The numbers of the games that are lost.
    pub games: Range<u64>,
    /// The size of the text of the blocks that are lost, in bytes. 0 if games of a block are lost
    /// that is not lost itself.
    pub raw_bytes: u64,
    /// The cause.
    pub error: Error,
}

impl fmt::Display for Loss {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.games.end.saturating_sub(self.games.start) {
            0 => out.write_str("no game is lost"),
            1 => write!(out, "cannot read game {}", self.games.start),
            _ => write!(
                out,
                "cannot read games {} to {}",
                self.games.start,
                self.games.end.saturating_sub(1)
            ),
        }
    }
}

impl std::error::Error for Loss {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl Loss {
    /// The loss of some games of a segment (from 0).
    pub(crate) fn of_games(
        archive: &Archive,
        segment: usize,
        games: Range<u64>,
        error: Error,
    ) -> Self {
        let places = archive.block_places_of(segment).unwrap_or_default();
        let is_lost =
            |place: &&BlockPlace| place.games.start >= games.start && place.games.end <= games.end;
        Loss {
            raw_bytes: places
                .iter()
                .filter(is_lost)
                .map(|place| place.raw_bytes)
                .sum(),
            games,
            error,
        }
    }

    /// The loss of a block.
    pub(crate) fn of_place(place: &BlockPlace, error: Error) -> Self {
        Loss {
            games: place.games(),
            raw_bytes: place.raw_bytes,
            error,
        }
    }
}
