//! Sets of pieces on sets of squares.

use crate::chess::{Bitboard, Board, Color, Piece, Role, Square};

/// Pieces of some kinds that stand on some squares: `P`, `Nd5`, `[RQ]7`, `a1-4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceSet {
    /// The roles of White's and of Black's pieces, a bit each.
    roles: [u8; 2],
    squares: Bitboard,
}

/// The bit of a role.
fn bit(role: Role) -> u8 {
    1 << (role as u8)
}

impl PieceSet {
    /// The empty set of pieces on these squares.
    pub(super) fn none(squares: Bitboard) -> PieceSet {
        PieceSet {
            roles: [0; 2],
            squares,
        }
    }

    /// All pieces of a side.
    pub(super) fn side(color: Color) -> PieceSet {
        let mut set = PieceSet::none(Bitboard::FULL);
        Role::ALL.into_iter().for_each(|role| set.add(color, role));
        set
    }

    /// All pieces.
    pub(super) fn all() -> PieceSet {
        let mut set = PieceSet::side(Color::White);
        Role::ALL
            .into_iter()
            .for_each(|role| set.add(Color::Black, role));
        set
    }

    /// Adds the pieces of a side with a role.
    pub(super) fn add(&mut self, color: Color, role: Role) {
        let [white, black] = &mut self.roles;
        *color.fold_wb(white, black) |= bit(role);
    }

    /// The same kinds of pieces on these squares.
    pub(super) fn on(self, squares: Bitboard) -> PieceSet {
        PieceSet { squares, ..self }
    }

    /// Whether it has no kind of piece but pawns.
    pub(super) fn is_of_pawns(&self) -> bool {
        self.roles.iter().all(|roles| roles & !bit(Role::Pawn) == 0)
    }

    /// The set with colours exchanged and ranks mirrored.
    pub(super) fn flipped(&self) -> PieceSet {
        let [white, black] = self.roles;
        PieceSet {
            roles: [black, white],
            squares: self.squares.flip_vertical(),
        }
    }

    /// The squares of the pieces on a board.
    pub(super) fn of(&self, board: &Board) -> Bitboard {
        let kinds = self.kinds().map(|piece| board.by_piece(piece));
        let found = kinds.fold(Bitboard::EMPTY, |found, pieces| found | pieces);
        found & self.squares
    }

    /// The kinds of pieces.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Piece> {
        let of_side = |(color, roles): (Color, u8)| {
            let roles = Role::ALL
                .into_iter()
                .filter(move |role| roles & bit(*role) != 0);
            roles.map(move |role| Piece { color, role })
        };
        Color::ALL.into_iter().zip(self.roles).flat_map(of_side)
    }

    /// The squares on which the pieces are.
    pub(super) fn squares(&self) -> Bitboard {
        self.squares
    }

    /// Whether a piece on a square is one of the set.
    pub(super) fn has(&self, color: Color, role: Role, square: Square) -> bool {
        let [white, black] = self.roles;
        color.fold_wb(white, black) & bit(role) != 0 && self.squares.contains(square)
    }
}
