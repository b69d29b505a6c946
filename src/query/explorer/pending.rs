//! Games whose next move only their moves give.

use super::super::block::QueryBlock;
use super::super::position_moves::PositionMoves;
use crate::archive::{Archive, BlockGames, BlockPlace, Error};
use crate::chess::{ChessPosition, PlyKind};
use crate::index::Found;
use crate::parallel;
use std::ops::ControlFlow;

/// A game to decode.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingGame {
    pub(super) place: usize,
    /// The number in the archive.
    pub(super) number: u64,
    pub(super) found: Found,
}

/// The games of one block.
pub(super) type BlockWork<'w> = (&'w BlockPlace, &'w [PendingGame]);

/// Divides games among their blocks. Sorts them.
pub(super) fn by_block<'w>(
    blocks: &'w [BlockPlace],
    games: &'w mut [PendingGame],
) -> Vec<BlockWork<'w>> {
    games.sort_unstable_by_key(|game| game.number);
    let mut rest = &*games;
    let mut work = Vec::new();
    for block in blocks {
        let end = block.games().end;
        let (of_block, others) = rest.split_at(rest.partition_point(|game| game.number < end));
        rest = others;
        if !of_block.is_empty() {
            work.push((block, of_block));
        }
    }
    work
}

/// Decodes games up to the position. Returns the places of those that have it with the index of
/// their next move, and the errors of what could not be read.
pub(super) fn next_moves(
    archive: &Archive,
    work: &[BlockWork<'_>],
    moves: &PositionMoves,
) -> (Vec<(usize, usize)>, Vec<Error>) {
    let found = parallel::map(work, |(place, games)| {
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        let block = QueryBlock::new(archive, place);
        let opened = block.open().map_err(|error| errors.push(error)).ok();
        for game in *games {
            let Some((block, at)) =
                opened.and_then(|block| Some((block, block.game_of(game.number)?)))
            else {
                continue;
            };
            match next_move(block, at, game.found, moves) {
                Ok(next) => found.extend(next.map(|next| (game.place, next))),
                Err(error) => errors.push(error),
            }
        }
        (found, errors)
    });
    let (found, errors): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    (found.concat(), errors.into_iter().flatten().collect())
}

fn next_move(
    block: &BlockGames<'_>,
    game: usize,
    found: Found,
    moves: &PositionMoves,
) -> Result<Option<usize>, Error> {
    let begin = |start: &ChessPosition| NextMoveSearch::new(start, moves, found);
    let search = block.follow_main_line(game, begin, NextMoveSearch::step)?;
    Ok(search.and_then(|search| search.next))
}

/// A search of a main line for the move after a position.
pub(super) struct NextMoveSearch<'m> {
    position: ChessPosition,
    moves: &'m PositionMoves,
    /// No position with a lower potential is the one that is sought.
    least_potential: u16,
    /// The index of the move, once it is found.
    pub(super) next: Option<usize>,
}

impl<'m> NextMoveSearch<'m> {
    /// A search from a start position, in a game of which an index shows `found`.
    pub(super) fn new(start: &ChessPosition, moves: &'m PositionMoves, found: Found) -> Self {
        NextMoveSearch {
            position: start.clone(),
            moves,
            least_potential: match found {
                Found::Possible(potential) => potential,
                Found::Ply(_) | Found::Somewhere => 0,
            },
            next: None,
        }
    }

    /// Goes on with the next ply of the line, until the move is found.
    pub(super) fn step(&mut self, ply: PlyKind) -> ControlFlow<()> {
        if self.moves.board.is_in(&self.position) {
            self.next = self.moves.number_of(ply).or_else(|| {
                // Castling of Chess960 is another ply and leads to the same position.
                self.position.make(ply).ok()?;
                self.moves.leading_to(&self.position)
            });
            return ControlFlow::Break(());
        }
        let changes = self.least_potential > 0 && self.position.changes_skeleton(ply);
        if self.position.make(ply).is_err() {
            return ControlFlow::Break(());
        }
        match changes && self.position.skeleton().potential() < self.least_potential {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
