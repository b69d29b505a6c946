//! What indexes tell of the games that pass a position: by which move each goes on.

use super::board::Board;
use crate::archive::{Archive, ArchiveError};
use crate::index::Found;
use std::collections::BTreeMap;

/// What is told of a game.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The position comes first behind so many plies.
    here: Option<usize>,
    /// The positions behind its moves that come, by the number of the move, each with how
    /// many plies are before it.
    behind: Vec<(usize, usize)>,
    /// Whether some of this is not known, so that the moves have to be looked at.
    is_doubtful: bool,
}

impl Told {
    /// The moves that lead to the positions behind that come; `None` in doubt.
    pub(super) fn reached(&self) -> Option<impl Iterator<Item = usize>> {
        let reached = self.behind.iter().map(|(number, _)| *number);
        (!self.is_doubtful).then_some(reached)
    }

    /// How the game goes on in the position, if it comes and a move has been played there:
    /// the position behind that move comes next, unless it was there before.
    pub(super) fn next(&self) -> Option<usize> {
        let next = self.here? + 1;
        let mut behind = self.behind.iter();
        behind.find_map(|(number, ply)| (*ply == next).then_some(*number))
    }

    /// Behind how many plies the position comes first.
    pub(super) fn here(&self) -> Option<usize> {
        self.here
    }
}

/// The games of a segment, counted from 0, that reach a position or one of those behind
/// its moves, or that may. `None` without indexes.
pub(super) fn told(
    archive: &Archive,
    segment: usize,
    here: &Board,
    behind: impl Iterator<Item = Board>,
) -> Result<Option<BTreeMap<u32, Told>>, ArchiveError> {
    let mut games: BTreeMap<u32, Told> = BTreeMap::new();
    let boards = std::iter::once(here.clone()).chain(behind);
    for (number, board) in boards.enumerate() {
        let Some(found) = archive.search_index(segment, &[board][..], false)? else {
            return Ok(None);
        };
        for (game, found) in found {
            let told = games.entry(game).or_default();
            match (found, number.checked_sub(1)) {
                (Found::Perhaps, _) => told.is_doubtful = true,
                (Found::Ply(ply), None) => told.here = Some(ply),
                (Found::Ply(ply), Some(number)) => told.behind.push((number, ply)),
            }
        }
    }
    Ok(Some(games))
}
