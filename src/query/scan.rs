//! Filtering the games of a block.

use super::block::{GameSet, QueryBlock};
use super::evaluate::select;
use super::ready::Sieve;
use crate::archive::{Archive, BlockGames, BlockPlace, Error};
use crate::index::Found;

/// A block whose games are filtered.
pub(super) struct BlockScan<'s, 'q, 'a> {
    pub(super) archive: &'a Archive,
    pub(super) sieve: &'s Sieve<'q>,
    pub(super) place: &'s BlockPlace,
    /// The games left by an index, by their numbers in the archive; `None` if all
    /// games are tested.
    pub(super) known: Option<&'s [(u64, Found)]>,
}

impl<'a> BlockScan<'_, '_, 'a> {
    /// The block, and its games that pass.
    pub(super) fn selected(&self) -> Result<(QueryBlock<'a>, GameSet), Error> {
        let block = QueryBlock::new(self.archive, self.place);
        let games = match self.known {
            Some(known) => block.some(known.iter().map(|(number, _)| *number)),
            None => block.all(),
        };
        let segment = self.place.segment();
        let is_whole = self.known.is_none();
        let games = match self.sieve.of_segment(self.archive, segment, is_whole)? {
            Some(filter) => select(filter, &block, games)?,
            None => {
                // Without a filter the block must still be opened to report damage.
                block.open()?;
                games
            }
        };
        Ok((block, games))
    }

    /// Calls `see` for each game that passes, in order.
    pub(super) fn each_selected(
        &self,
        mut see: impl FnMut(&BlockGames<'a>, usize),
    ) -> Result<(), Error> {
        let (block, games) = self.selected()?;
        if games.any() {
            let block = block.open()?;
            games.iter_ones().for_each(|game| see(block, game));
        }
        Ok(())
    }
}
