//! The positions of the games outside the opening tree: from another start position, or that no index
//! lists.

use super::super::block::QueryBlock;
use super::pending::{BlockWork, PendingGame, by_block};
use crate::archive::{Archive, BlockPlace};
use crate::chess::{ChessPosition, PlyKind};
use crate::parallel;
use std::ops::ControlFlow;

/// The most games whose positions are held in memory. Those of more are decoded for each question.
const MAX_GAMES: usize = 1 << 16;

/// The most positions, at 8 bytes each.
const MAX_POSITIONS: usize = 1 << 23;

/// Position hashes with the places of the games that have them, sorted. Hashes may collide.
#[derive(Debug, Default)]
pub(super) struct PositionTable(Option<Vec<(u32, u32)>>);

impl PositionTable {
    /// Decodes games. The table is empty if they are too many. Games that cannot be read have no
    /// positions.
    pub(super) fn build(
        archive: &Archive,
        blocks: &[BlockPlace],
        mut games: Vec<PendingGame>,
    ) -> PositionTable {
        if games.len() > MAX_GAMES {
            return PositionTable(None);
        }
        let work = by_block(blocks, &mut games);
        let keys = parallel::map(&work, |work| keys_of_block(archive, work));
        let count = keys.iter().map(Vec::len).sum::<usize>();
        if count > MAX_POSITIONS {
            return PositionTable(None);
        }
        let mut table = keys.concat();
        table.sort_unstable();
        table.dedup();
        PositionTable(Some(table))
    }

    /// The places of the games that may have a position with this hash; `None` without a table.
    pub(super) fn games_with(&self, key: u32) -> Option<impl Iterator<Item = usize>> {
        let table = self.0.as_ref()?;
        let first = table.partition_point(|(other, _)| *other < key);
        let games = table.iter().skip(first).take_while(move |(other, _)| *other == key);
        Some(games.map(|(_, place)| *place as usize))
    }
}

fn keys_of_block(archive: &Archive, (place, games): &BlockWork<'_>) -> Vec<(u32, u32)> {
    let block = QueryBlock::new(archive, place);
    let mut keys = Vec::new();
    for game in *games {
        let Some(block) = block.open().ok() else {
            return keys;
        };
        let begin = |start: &ChessPosition| (start.clone(), vec![start.key()]);
        let step = |(position, keys): &mut (ChessPosition, Vec<u32>), ply: PlyKind| {
            if position.make(ply).is_err() {
                return ControlFlow::Break(());
            }
            keys.push(position.key());
            ControlFlow::Continue(())
        };
        let at = block.game_of(game.number);
        let line = at.and_then(|at| block.follow_main_line(at, begin, step).ok()?);
        if let (Some((_, of_game)), Ok(place)) = (line, u32::try_from(game.place)) {
            keys.extend(of_game.into_iter().map(|key| (key, place)));
        }
    }
    keys
}
