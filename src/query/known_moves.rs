//! The next move of each game in a position, as far as indexes give it.

use super::board::BoardTest;
use super::position_test::PositionTest;
use crate::archive::{Archive, Error};
use crate::index::{Found, SearchScope};
use std::collections::BTreeMap;

/// What the indexes give for a game.
#[derive(Debug, Default)]
pub(super) struct KnownMoves {
    /// The number of plies before the position's first occurrence.
    here: Option<usize>,
    /// The positions after its moves that occur in the game: the index of the move, and
    /// the number of plies before the first occurrence.
    after: Vec<(usize, usize)>,
    /// Whether the indexes leave some of this open, so that the moves must be decoded.
    is_doubtful: bool,
}

impl KnownMoves {
    /// The moves whose resulting positions occur in the game; `None` if the indexes leave
    /// that open.
    pub(super) fn reached(&self) -> Option<impl Iterator<Item = usize>> {
        let reached = self.after.iter().map(|(number, _)| *number);
        (!self.is_doubtful).then_some(reached)
    }

    /// The move that the game plays in the position. It is known only if the position
    /// after the move did not occur earlier in the game.
    pub(super) fn next(&self) -> Option<usize> {
        let next = self.here? + 1;
        let mut after = self.after.iter();
        after.find_map(|(number, ply)| (*ply == next).then_some(*number))
    }

    /// The number of plies before the position's first occurrence.
    pub(super) fn here(&self) -> Option<usize> {
        self.here
    }
}

/// The games of a segment, counted from 0, that reach or may reach a position or one of
/// those after its moves. Returns `None` without indexes.
pub(super) fn known_moves(
    archive: &Archive,
    segment: usize,
    here: &BoardTest,
    after: impl Iterator<Item = BoardTest>,
) -> Result<Option<BTreeMap<u32, KnownMoves>>, Error> {
    let mut games: BTreeMap<u32, KnownMoves> = BTreeMap::new();
    let boards = std::iter::once(here.clone()).chain(after);
    let scope = SearchScope {
        in_variations: false,
        without_places: false,
    };
    for (number, board) in boards.enumerate() {
        let Some(found) =
            archive.search_index(segment, &[PositionTest::of_board(board)][..], scope)?
        else {
            return Ok(None);
        };
        for (game, found) in found {
            let known = games.entry(game).or_default();
            match (found, number.checked_sub(1)) {
                (Found::Possible(_) | Found::Somewhere, _) => known.is_doubtful = true,
                (Found::Ply(ply), None) => known.here = Some(ply),
                (Found::Ply(ply), Some(number)) => known.after.push((number, ply)),
            }
        }
    }
    Ok(Some(games))
}
