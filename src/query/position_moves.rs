//! A position with its legal moves.

use super::board::BoardTest;
use crate::chess::{ChessPosition, Color, PlyKind, Spelling};

/// A position with its legal moves, and the positions after them.
pub(super) struct PositionMoves {
    pub(super) board: BoardTest,
    pub(super) turn: Color,
    /// Each move, in standard algebraic notation too, with the position after it.
    pub(super) moves: Vec<(PlyKind, String, BoardTest)>,
}

impl PositionMoves {
    pub(super) fn of(position: &ChessPosition) -> PositionMoves {
        let moves = position.legal_plies().into_iter().filter_map(|ply| {
            let mut after = position.clone();
            let mut san = Vec::new();
            after.write(ply, Spelling::STANDARD, &mut san).ok()?;
            let san = String::from_utf8(san).ok()?;
            Some((ply, san, BoardTest::of_setup(after.setup())))
        });
        PositionMoves {
            board: BoardTest::of_setup(position.setup()),
            turn: position.turn(),
            moves: moves.collect(),
        }
    }

    /// The index of a move.
    pub(super) fn number_of(&self, ply: PlyKind) -> Option<usize> {
        self.moves.iter().position(|(known, ..)| *known == ply)
    }

    /// The index of the move that leads to a position.
    pub(super) fn leading_to(&self, position: &ChessPosition) -> Option<usize> {
        let mut boards = self.moves.iter().map(|(.., board)| board);
        boards.position(|board| board.is_in(position))
    }
}
