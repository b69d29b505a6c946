//! The board as a value for each square.

use std::sync::LazyLock;

use crate::chess::{ChessPosition, Color, Piece, Role, Setup, Square};

use super::error::PositionEncodeError;

/// The roles in the order of their values: White's are 1 … 6, Black's 7 … 12.
const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// The content of each square, in square order. Pawns on ranks 1 and 8 are
/// rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceBoard([Option<Piece>; 64]);

impl PieceBoard {
    /// The board of a position.
    pub(super) fn of(setup: &Setup) -> Result<Self, PositionEncodeError> {
        let board = PieceBoard(setup.pieces);
        match board.misplaced_pawn() {
            Some(square) => Err(PositionEncodeError::Pawn { square }),
            None => Ok(board),
        }
    }

    /// The board of the standard start position.
    pub(super) fn standard() -> Self {
        static STANDARD: LazyLock<PieceBoard> =
            LazyLock::new(|| PieceBoard(ChessPosition::standard().setup().pieces));
        *STANDARD
    }

    /// An empty board.
    pub(super) fn empty() -> Self {
        PieceBoard([None; 64])
    }

    /// The piece on a square.
    pub(super) fn at(&self, square: Square) -> Option<Piece> {
        self.0.get(usize::from(square)).copied().flatten()
    }

    /// Puts a piece on a square, and returns the piece that was there.
    pub(super) fn put(&mut self, square: Square, piece: Option<Piece>) -> Option<Piece> {
        let place = self.0.get_mut(usize::from(square))?;
        std::mem::replace(place, piece)
    }

    /// The squares with their contents, in square order.
    pub(super) fn squares(&self) -> impl DoubleEndedIterator<Item = (Square, Option<Piece>)> {
        Square::ALL.into_iter().zip(self.0)
    }

    /// The squares of the pieces of a side and role, in square order.
    pub(super) fn find(&self, color: Color, role: Role) -> impl DoubleEndedIterator<Item = Square> {
        let piece = Some(Piece { color, role });
        let found = self.squares().filter(move |(_, at)| *at == piece);
        found.map(|(square, _)| square)
    }

    /// The first pawn on rank 1 or 8.
    pub(super) fn misplaced_pawn(&self) -> Option<Square> {
        let is_pawn = |piece: Piece| piece.role == Role::Pawn;
        let mut squares = self.squares();
        let found = squares.find(|(square, at)| is_backrank(*square) && at.is_some_and(is_pawn));
        found.map(|(square, _)| square)
    }

    pub(super) fn into_pieces(self) -> [Option<Piece>; 64] {
        self.0
    }
}

/// Whether a square is on rank 1 or 8.
pub(super) fn is_backrank(square: Square) -> bool {
    Color::ALL
        .iter()
        .any(|side| side.backrank() == square.rank())
}

/// The value of a square's content: 0 empty, 1 … 6 White's P N B R Q K, 7 … 12
/// Black's.
pub(super) fn value(at: Option<Piece>) -> u8 {
    let Some(piece) = at else { return 0 };
    let kind = (1..).zip(ROLES).find(|(_, role)| *role == piece.role);
    kind.map_or(0, |(kind, _)| piece.color.fold_wb(kind, kind + 6))
}

/// The content that a value encodes; `None` above 12.
pub(super) fn from_value(value: u8) -> Option<Option<Piece>> {
    let Some(number) = value.checked_sub(1) else {
        return Some(None);
    };
    let color = match number / 6 {
        0 => Color::White,
        1 => Color::Black,
        _ => return None,
    };
    let role = *ROLES.get(usize::from(number % 6))?;
    Some(Some(Piece { color, role }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_trip() {
        let letters: String = (0..13)
            .filter_map(from_value)
            .map(|at| at.map_or('.', |piece| piece.char()))
            .collect();
        assert_eq!(letters, ".PNBRQKpnbrqk");
        for number in 0..13 {
            assert_eq!(from_value(number).map(value), Some(number));
        }
        assert_eq!(from_value(13), None);
    }
}
