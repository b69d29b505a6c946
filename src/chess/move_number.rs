//! The number of a move in canonical order, and the parts of a move that
//! determine it.

use shakmaty::{File, Move, Role, Square};

/// The roles that a pawn of chess promotes to, in canonical order: from the least valuable
/// to the most. The numbers of moves depend on this order, and so do the two-bit fields of
/// codecs and position codes, which hold the index of a role. The move model uses the
/// reverse order.
pub const CANONICAL_PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A legal move of a position, by its number in canonical order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNumber {
    /// The number of the move, from 0.
    pub index: u32,
    /// The number of legal moves.
    pub count: u32,
}

/// The target of the moving piece; for castling, that of the king.
pub(super) fn target(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => {
            let file = if king < rook { File::G } else { File::C };
            Square::from_coords(file, king.rank())
        }
        _ => m.to(),
    }
}
