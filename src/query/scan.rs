//! Filtering the games of a block.

use super::block::{GameSet, QueryBlock};
use super::evaluate::select;
use super::filter::Filter;
use super::ready::Sieve;
use super::segments::segments_for;
use crate::archive::{Archive, BlockGames, BlockPlace, Error};
use crate::index::Found;
use crate::parallel;

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
        let block = QueryBlock::new(self.archive, self.place).in_scan(self.known.is_none());
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

    /// Calls `see` for each game that passes, in order. Returns the errors of what could not be
    /// read.
    pub(super) fn try_each_selected(
        &self,
        mut see: impl FnMut(&BlockGames<'a>, usize) -> Result<(), Error>,
    ) -> Vec<Error> {
        let mut errors = BlockErrors::default();
        let seen = self.each_selected(|block, game| errors.extend(see(block, game).err()));
        errors.extend(seen.err());
        errors.into_errors()
    }
}

/// The errors of what could not be read of a block. A movetext that is damaged is one error, not one
/// for each game.
#[derive(Debug, Default)]
pub(super) struct BlockErrors {
    errors: Vec<Error>,
    has_movetext: bool,
}

impl BlockErrors {
    pub(super) fn extend(&mut self, error: Option<Error>) {
        if let Some(error) = error {
            let is_movetext = error.is_lost_movetext();
            if !is_movetext || !self.has_movetext {
                self.errors.push(error);
            }
            self.has_movetext |= is_movetext;
        }
    }

    pub(super) fn into_errors(self) -> Vec<Error> {
        self.errors
    }
}

/// The blocks of the segments that may have games which pass a filter.
fn places_of(archive: &Archive, filter: Option<&Filter>) -> Result<Vec<BlockPlace>, Error> {
    let segments = segments_for(archive, filter)?;
    let places = parallel::try_map(&segments, |segment| archive.block_places_of(*segment));
    Ok(places?.concat())
}

/// Adds up the games of an archive that pass a filter, block by block and in parallel. Returns the
/// errors of what could not be read.
pub(super) fn fold_blocks<S: Default + Send>(
    archive: &Archive,
    filter: Option<&Filter>,
    add: impl Fn(&mut S, &BlockScan<'_, '_, '_>) -> Vec<Error> + Sync,
    merge: impl FnMut(&mut S, S),
) -> (S, Vec<Error>) {
    let places = match places_of(archive, filter) {
        Ok(places) => places,
        Err(error) => return (S::default(), vec![error]),
    };
    let sieve = Sieve::new(archive, filter);
    let add = |sum: &mut S, place| {
        let scan = BlockScan {
            archive,
            sieve: &sieve,
            place,
            known: None,
        };
        add(sum, &scan)
    };
    let (sum, errors) = parallel::fold(&places, S::default, add, merge);
    (sum, errors.into_iter().flatten().collect())
}
