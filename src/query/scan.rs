//! Looking through a block: which of its games pass a filter.

use super::block::{Block, Games};
use super::evaluate::select;
use super::ready::Sieve;
use crate::archive::{Archive, ArchiveError, BlockGames, BlockPlace};
use crate::index::Found;

/// A block that is looked through for games that pass a filter.
pub(super) struct Scan<'s, 'q, 'a> {
    pub(super) archive: &'a Archive,
    pub(super) sieve: &'s Sieve<'q>,
    pub(super) place: &'s BlockPlace,
    /// The games that an index has left, by their numbers in the archive; `None` where
    /// all are looked at.
    pub(super) known: Option<&'s [(u64, Found)]>,
}

impl<'a> Scan<'_, '_, 'a> {
    /// The block, and its games that pass.
    pub(super) fn selected(&self) -> Result<(Block<'a>, Games), ArchiveError> {
        let block = Block::new(self.archive, self.place);
        let games = match self.known {
            Some(known) => block.some(known.iter().map(|(number, _)| *number)),
            None => block.all(),
        };
        let segment = self.place.segment();
        let is_whole = self.known.is_none();
        let games = match self.sieve.of_segment(self.archive, segment, is_whole)? {
            Some(filter) => select(filter, &block, games)?,
            None => {
                // What is damaged is told, though nothing is asked.
                block.open()?;
                games
            }
        };
        Ok((block, games))
    }

    /// Gives the games that pass to `see`, in their order.
    pub(super) fn each_selected(
        &self,
        mut see: impl FnMut(&BlockGames<'a>, usize),
    ) -> Result<(), ArchiveError> {
        let (block, games) = self.selected()?;
        if games.any() {
            let block = block.open()?;
            games.iter_ones().for_each(|game| see(block, game));
        }
        Ok(())
    }
}
