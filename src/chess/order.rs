//! The canonical order of the legal moves of a position (`spec/moves.md`,
//! "Canonical order").

use shakmaty::{Color, File, Move, Position as _, Square};

use super::{Ply, Position};

impl Position {
    /// All legal moves, in the canonical order of the format: by square of
    /// origin, then target, then promotion N, B, R, Q, K, with the squares of
    /// Black counted from the other end of the board; behind them the drops, by
    /// role P, N, B, R, Q, then square.
    pub fn legal_plies(&self) -> Vec<Ply> {
        let mut moves = self.0.legal_moves();
        let turn = self.turn();
        moves.sort_unstable_by_key(|m| canonical_key(*m, turn));
        moves.iter().map(|m| self.ply(*m)).collect()
    }
}

/// Where the moving piece arrives; of castling, the king.
pub(super) fn target(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => {
            let file = if king < rook { File::G } else { File::C };
            Square::from_coords(file, king.rank())
        }
        _ => m.to(),
    }
}

/// Sorts into canonical order. Castling stands behind a plain king's move to
/// the same square, which Chess960 makes possible.
fn canonical_key(m: Move, turn: Color) -> u32 {
    let number = |square: Square| {
        u32::from(if turn.is_white() {
            square
        } else {
            square.rotate_180()
        })
    };
    let to = number(target(m));
    let Some(from) = m.from() else {
        return 1 << 16 | u32::from(u8::from(m.role())) << 6 | to;
    };
    let promotion = m.promotion().map_or(0, u8::from);
    number(from) << 10 | to << 4 | u32::from(promotion) << 1 | u32::from(m.is_castle())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    #[test]
    fn canonical_order_of_the_first_ply() {
        let plies = Position::standard().legal_plies();
        let e4 = Ply::Move {
            from: Square::E2,
            to: Square::E4,
            promotion: None,
        };
        assert_eq!(plies.iter().position(|ply| *ply == e4), Some(13));
    }

    #[test]
    fn drops_come_last() {
        let fen = b"4k3/8/8/8/8/8/P7/4K3[QNpp] b - - 0 1";
        let rules = crate::chess::Rules::named(b"crazyhouse").expect("rules");
        let position = Position::from_fen(fen, rules).expect("a position");
        let plies = position.legal_plies();
        let first_drop = plies.iter().position(|ply| matches!(ply, Ply::Drop { .. }));
        assert_eq!(first_drop, Some(5), "behind the king's moves");
        // Black counts from h8: the first square where a pawn can be put is h7.
        let first = Ply::Drop {
            role: Role::Pawn,
            to: Square::H7,
        };
        assert_eq!(plies.get(5), Some(&first));
        assert_eq!(plies.len(), 5 + 47);
    }
}
