//! The games outside the opening tree: from another start position, or that no index lists.

use super::super::block::QueryBlock;
use super::super::position_moves::PositionMoves;
use super::pending::{BlockWork, NextMoveSearch, PendingGame, by_block};
use crate::archive::{Archive, BlockPlace, Error};
use crate::chess::{ChessPosition, PlyKind};
use crate::index::Found;
use crate::parallel;
use std::ops::ControlFlow;

/// The most games that are held in memory. If there are more, they are decoded for each question.
const MAX_GAMES: usize = 1 << 16;

/// The most plies of all games, at 12 bytes each.
const MAX_PLIES: usize = 1 << 23;

/// Games whose moves are held in memory, and where their positions are.
#[derive(Debug, Default)]
pub(super) struct OutsideGames {
    games: Vec<OutsideGame>,
    /// Position hashes with the indexes of the games that have them, sorted. Hashes may collide.
    positions: Vec<(u32, u32)>,
}

#[derive(Debug, Clone)]
struct OutsideGame {
    place: usize,
    start: ChessPosition,
    /// In 16 bits each, see [`PlyKind::to_bits`].
    plies: Vec<u16>,
}

impl OutsideGames {
    /// Decodes games; `None` if they are too many. Games that are damaged are left out.
    ///
    /// # Errors
    /// A game cannot be read now.
    pub(super) fn read(
        archive: &Archive,
        blocks: &[BlockPlace],
        mut games: Vec<PendingGame>,
    ) -> Result<Option<OutsideGames>, Error> {
        if games.len() > MAX_GAMES {
            return Ok(None);
        }
        let work = by_block(blocks, &mut games);
        let games = parallel::try_map(&work, |work| read_block(archive, work))?.concat();
        let plies = games.iter().map(|game| game.plies.len());
        if plies.sum::<usize>() > MAX_PLIES {
            return Ok(None);
        }
        let keys = parallel::map((0..).zip(&games), |(number, game)| {
            game.keys()
                .into_iter()
                .map(|key| (key, number))
                .collect::<Vec<(u32, u32)>>()
        });
        let mut positions = keys.concat();
        positions.sort_unstable();
        positions.dedup();
        Ok(Some(OutsideGames { games, positions }))
    }

    /// The places of the games that have a position and go on with a move, with its index.
    pub(super) fn next_moves<'s>(
        &'s self,
        key: u32,
        moves: &'s PositionMoves,
    ) -> impl Iterator<Item = (usize, usize)> {
        let first = self.positions.partition_point(|(other, _)| *other < key);
        let positions = self.positions.iter().skip(first);
        let numbers = positions.take_while(move |(other, _)| *other == key);
        numbers.filter_map(move |(_, number)| {
            let game = self.games.get(usize::try_from(*number).ok()?)?;
            Some((game.place, game.next_move(moves)?))
        })
    }
}

impl OutsideGame {
    fn plies(&self) -> impl Iterator<Item = PlyKind> {
        self.plies
            .iter()
            .map_while(|bits| PlyKind::from_bits(*bits))
    }

    /// The hashes of its positions.
    fn keys(&self) -> Vec<u32> {
        let mut position = self.start.clone();
        let mut keys = vec![position.key()];
        for ply in self.plies() {
            if position.make(ply).is_err() {
                break;
            }
            keys.push(position.key());
        }
        keys
    }

    fn next_move(&self, moves: &PositionMoves) -> Option<usize> {
        let mut search = NextMoveSearch::new(&self.start, moves, Found::ANYWHERE);
        let _ = self.plies().try_for_each(|ply| search.step(ply));
        search.next
    }
}

fn read_block(
    archive: &Archive,
    (place, games): &BlockWork<'_>,
) -> Result<Vec<OutsideGame>, Error> {
    let block = QueryBlock::new(archive, place);
    let Some(block) = unless_damaged(block.open())? else {
        return Ok(Vec::new());
    };
    let lines = games.iter().map(|game| {
        let begin = |start: &ChessPosition| (start.clone(), Vec::new());
        let step = |(_, plies): &mut (ChessPosition, Vec<u16>), ply: PlyKind| {
            plies.push(ply.to_bits());
            ControlFlow::Continue(())
        };
        let Some(at) = block.game_of(game.number) else {
            return Ok(None);
        };
        let line = unless_damaged(block.follow_main_line(at, begin, step))?.flatten();
        Ok(line.map(|(start, plies)| OutsideGame {
            place: game.place,
            start,
            plies,
        }))
    });
    lines.filter_map(Result::transpose).collect()
}

/// What was read; `None` if it is damaged.
fn unless_damaged<T>(read: Result<T, Error>) -> Result<Option<T>, Error> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.may_pass() => Err(error),
        Err(_) => Ok(None),
    }
}
