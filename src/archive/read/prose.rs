//! How the prose of an archive is compressed.

use crate::archive::block::OpenBlock;
use crate::archive::error::Error;
use crate::archive::read::archive::Archive;

impl Archive {
    /// Whether prose is compressed by context mixing: that of the first block of the last segment
    /// with games.
    ///
    /// # Errors
    /// That segment or that block is damaged.
    pub fn mixes_prose(&self) -> Result<bool, Error> {
        let segments = self.container().segments();
        let Some(last) = segments.iter().rposition(|entry| entry.games > 0) else {
            return Ok(false);
        };
        let places = self.block_places_of(last)?;
        let Some(first) = places.first() else {
            return Ok(false);
        };
        let block = self.block_games(first)?;
        block.of(0, |block: &OpenBlock, _| block.mixes_prose())
    }
}
