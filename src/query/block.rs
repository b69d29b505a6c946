//! Blocks that are opened on demand.

use crate::archive::{Archive, BlockGames, BlockPlace, Error};
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use std::cell::OnceCell;

/// A set of games of a block: one bit per game.
pub(super) type GameSet = BitVec<usize, Lsb0>;

const BITS: usize = usize::BITS as usize;

/// The indices of the games in a set, in order. Scans word by word, which is faster than
/// `iter_ones`.
pub(super) fn ones(games: &GameSet) -> impl Iterator<Item = usize> {
    let words = games.as_raw_slice().iter().zip((0..).step_by(BITS));
    let places = words.flat_map(|(word, first)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let place = rest.trailing_zeros() as usize;
            rest &= rest.checked_sub(1)?;
            Some(first + place)
        })
    });
    // The bits after the last game are unspecified.
    places.take_while(|place| *place < games.len())
}

/// A block that is opened when a query needs data that is not cached.
pub(crate) struct QueryBlock<'a> {
    archive: &'a Archive,
    place: BlockPlace,
    /// Whether the blocks after it will be opened too.
    is_in_scan: bool,
    open: OnceCell<BlockGames<'a>>,
}

impl<'a> QueryBlock<'a> {
    pub(crate) fn new(archive: &'a Archive, place: &BlockPlace) -> QueryBlock<'a> {
        QueryBlock {
            archive,
            place: place.clone(),
            is_in_scan: false,
            open: OnceCell::new(),
        }
    }

    /// A block of a scan of all blocks, if it is one.
    pub(crate) fn in_scan(self, is_in_scan: bool) -> Self {
        QueryBlock { is_in_scan, ..self }
    }

    pub(crate) fn place(&self) -> &BlockPlace {
        &self.place
    }

    /// The archive.
    pub(crate) fn archive(&self) -> &'a Archive {
        self.archive
    }

    /// Opens the block if it is not open yet.
    pub(crate) fn open(&self) -> Result<&BlockGames<'a>, Error> {
        if let Some(open) = self.open.get() {
            return Ok(open);
        }
        if self.is_in_scan {
            self.archive.will_read_tags(&self.place)?;
        }
        let open = self.archive.block_games(&self.place)?;
        Ok(self.open.get_or_init(|| open))
    }

    /// The empty set.
    pub(super) fn none(&self) -> GameSet {
        let games = self.place.games();
        let games = usize::try_from(games.end - games.start);
        BitVec::repeat(false, games.unwrap_or(usize::MAX))
    }

    /// The set of all games of the block.
    pub(super) fn all(&self) -> GameSet {
        !self.none()
    }

    /// The set of the games with these numbers. Numbers outside the block are ignored.
    pub(super) fn some(&self, numbers: impl Iterator<Item = u64>) -> GameSet {
        let mut games = self.none();
        let first = self.place.games().start;
        for number in numbers {
            let game = number.checked_sub(first);
            let game = game.and_then(|game| usize::try_from(game).ok());
            if let Some(game) = game.filter(|game| *game < games.len()) {
                games.set(game, true);
            }
        }
        games
    }

    /// The number of a game in the archive.
    pub(crate) fn number(&self, game: usize) -> u64 {
        self.place.games().start + game as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_those_of_the_bits() {
        for len in [0, 1, 63, 64, 65, 200] {
            for step in [1, 3, 64, 200] {
                let bits = (0..len).map(|at| at % step == 0);
                let games: GameSet = bits.collect();
                for games in [
                    games.clone(),
                    !games.clone(),
                    games & !GameSet::repeat(false, len),
                ] {
                    assert!(ones(&games).eq(games.iter_ones()), "{len} {step}");
                }
            }
        }
    }
}
