//! The blocks of an archive, and the games that each holds.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::archive::read::open_segment::{LocatedSegment, OpenSegment};
use crate::container::Segment;
use std::ops::Range;

/// The location of a block, and the games that it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockPlace {
    pub(in crate::archive) segment: usize,
    pub(in crate::archive) block: usize,
    /// The number of games of the segment before the block.
    first: usize,
    pub(super) games: Range<u64>,
    pub(super) raw_bytes: u64,
}

/// The place of a block. Segments and blocks are numbered from 0.
fn place_of(open: &Segment, segment: usize, block: usize) -> Option<BlockPlace> {
    let of_block = open.index().blocks().get(block)?;
    Some(BlockPlace {
        segment,
        block,
        first: usize::try_from(of_block.first_game).unwrap_or(usize::MAX),
        games: open.games_of_block(of_block),
        raw_bytes: of_block.shape.raw_bytes.into(),
    })
}

impl BlockPlace {
    /// The numbers of the games of the block.
    pub fn games(&self) -> Range<u64> {
        self.games.clone()
    }

    /// The number of the segment, from 0.
    pub fn segment(&self) -> usize {
        self.segment
    }

    /// The number in the segment, from 0, of a game of the block.
    #[inline]
    pub fn game_in_segment(&self, game: usize) -> usize {
        self.first.saturating_add(game)
    }
}

impl LocatedSegment {
    /// The blocks of this segment, in the order of their games. `number` is that of the segment,
    /// from 0.
    pub(crate) fn block_places(&self, number: usize) -> impl Iterator<Item = BlockPlace> {
        let blocks = 0..self.segment.index().blocks().len();
        blocks.filter_map(move |block| place_of(&self.segment, number, block))
    }
}

impl Archive {
    /// All blocks, in the order of their games.
    ///
    /// # Errors
    /// A segment is damaged.
    #[doc(hidden)]
    pub fn block_places(&self) -> Result<Vec<BlockPlace>, Error> {
        let segments = 0..self.container().segments().len();
        let places: Result<Vec<_>, _> = segments
            .map(|segment| self.block_places_of(segment))
            .collect();
        Ok(places?.concat())
    }

    /// The blocks of a segment (from 0), in the order of their games.
    ///
    /// # Errors
    /// The segment is damaged.
    pub(crate) fn block_places_of(&self, segment: usize) -> Result<Vec<BlockPlace>, Error> {
        Ok(self.segment(segment)?.block_places(segment).collect())
    }

    /// As [`Archive::block_places_of`], without the tables of the segment, which games need.
    ///
    /// # Errors
    /// The block index is damaged.
    pub(crate) fn located_blocks_of(&self, segment: usize) -> Result<Vec<BlockPlace>, Error> {
        let located = self.located_segment(segment)?;
        Ok(located.block_places(segment).collect())
    }

    /// The numbers of the games of each segment. Work on an archive is best divided at these bounds: a
    /// segment has tables of its own, which are read first.
    pub fn segment_ranges(&self) -> Vec<Range<u64>> {
        let segments = 0..self.container().segments().len();
        segments
            .map(|segment| self.games_of_segment(segment))
            .collect()
    }

    /// The numbers of the games of each block of a segment, which is given by its index in
    /// [`Archive::segment_ranges`]. The games of a block are decoded together, so a large segment is
    /// best divided at these bounds. Reads the block index.
    ///
    /// # Errors
    /// There is no such segment, or it is damaged.
    pub fn block_ranges(&self, segment: usize) -> Result<Vec<Range<u64>>, Error> {
        let segment = self.container().segment(segment)?;
        let blocks = segment.index().blocks().iter();
        let games = blocks.map(|block| segment.games_of_block(block));
        Ok(games.filter(|games| !games.is_empty()).collect())
    }

    /// The numbers of the games of a segment (from 0).
    pub(crate) fn games_of_segment(&self, segment: usize) -> Range<u64> {
        let entry = self.container().segments().get(segment);
        entry.map_or(0..0, |entry| {
            let first = entry.first_game.saturating_add(1);
            first..first.saturating_add(entry.games.into())
        })
    }

    /// The place of the block that holds a game.
    ///
    /// # Errors
    /// There is no such game, or its segment is damaged.
    pub(crate) fn block_place_of(&self, number: u64) -> Result<BlockPlace, Error> {
        let missing = || Error::no_such_game(number, self.games());
        let game = self.container().find_game(number).ok_or_else(missing)?;
        let open = self.segment(game.segment)?;
        let block = open.segment.block_of_game(game.game);
        let place = block.and_then(|block| place_of(&open.segment, game.segment, block));
        place.ok_or_else(missing)
    }

    fn is_block_intact(&self, place: &BlockPlace) -> bool {
        let open = self.segment(place.segment);
        let read = |open: OpenSegment| self.container().block(&open.segment, place.block);
        open.is_ok_and(|open| read(open).is_ok()) && self.block_games(place).is_ok()
    }

    /// The games that are unreadable if this game is: all games of its segment if the
    /// segment cannot be opened, all games of its block if the block cannot be opened,
    /// otherwise the game alone.
    pub fn unreadable_with(&self, number: u64) -> Range<u64> {
        let alone = number..number.saturating_add(1);
        match self.block_place_of(number) {
            Ok(place) if self.is_block_intact(&place) => alone,
            Ok(place) => place.games(),
            Err(_) => {
                let game = self.container().find_game(number);
                game.map_or(alone, |game| self.games_of_segment(game.segment))
            }
        }
    }
}
