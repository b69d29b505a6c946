//! Castling rights.

use crate::chess::{Color, Role, Setup, Square};

use super::board::{PieceBoard, is_backrank};
use super::error::PositionEncodeError;

/// The king and the rooks of a side that may castle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Castling {
    pub(super) king: Square,
    /// The rook on the side of the h-file.
    pub(super) king_side: Option<Square>,
    /// The rook on the side of the a-file.
    pub(super) queen_side: Option<Square>,
}

impl Castling {
    /// The rights of a side of a position with this board; `None` if it has
    /// none.
    pub(super) fn of(
        setup: &Setup,
        board: &PieceBoard,
        side: Color,
    ) -> Result<Option<Castling>, PositionEncodeError> {
        let has_right = |square: &Square| setup.castling_rooks >> u32::from(*square) & 1 == 1;
        if Square::ALL
            .iter()
            .any(|square| has_right(square) && !is_backrank(*square))
        {
            return Err(PositionEncodeError::RightOffBackRank);
        }
        let on_rank = |square: &Square| square.rank() == side.backrank();
        let mut rooks = Square::ALL.into_iter().filter(has_right).filter(on_rank);
        let (first, second) = (rooks.next(), rooks.next());
        let Some(first) = first else {
            return Ok(None);
        };
        let castling =
            Self::of_rooks(board, side, first, second).filter(|_| rooks.next().is_none());
        castling
            .ok_or(PositionEncodeError::Castling { side })
            .map(Some)
    }

    /// The rights with this rook and optionally a second one, closer to the
    /// h-file.
    pub(super) fn of_rooks(
        board: &PieceBoard,
        side: Color,
        first: Square,
        second: Option<Square>,
    ) -> Option<Castling> {
        let king = castling_king(board, side)?;
        let mut castling = Castling {
            king,
            king_side: None,
            queen_side: None,
        };
        for rook in [Some(first), second].into_iter().flatten() {
            let is_rook = board.find(side, Role::Rook).any(|square| square == rook);
            let right = match rook < king {
                true => &mut castling.queen_side,
                false => &mut castling.king_side,
            };
            if !is_rook || right.replace(rook).is_some() {
                return None;
            }
        }
        Some(castling)
    }

    /// The squares of the rooks, one bit per square, a1 lowest.
    pub(super) fn rooks(self) -> u64 {
        let rooks = [self.king_side, self.queen_side].into_iter().flatten();
        rooks.fold(0, |bits, square| bits | 1 << u32::from(square))
    }
}

/// The only king of a side, if it is on the side's first rank.
fn castling_king(board: &PieceBoard, side: Color) -> Option<Square> {
    let mut kings = board.find(side, Role::King);
    let king = kings.next().filter(|_| kings.next().is_none())?;
    (king.rank() == side.backrank()).then_some(king)
}

/// The outermost rooks of a side on its first rank: that between king and
/// h-file, and that between king and a-file. Both are `None` unless the side
/// has exactly one king and it is on this rank.
pub(super) fn outermost(board: &PieceBoard, side: Color) -> [Option<Square>; 2] {
    let Some(king) = castling_king(board, side) else {
        return [None; 2];
    };
    let rooks = || {
        let rooks = board.find(side, Role::Rook);
        rooks.filter(|square| square.rank() == side.backrank())
    };
    [
        rooks().next_back().filter(|rook| *rook > king),
        rooks().next().filter(|rook| *rook < king),
    ]
}
