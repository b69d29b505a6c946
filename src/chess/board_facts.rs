//! Facts of a position that conditions on positions ask for.

use shakmaty::variant::Variant;
use shakmaty::{Bitboard, Board, Color, EnPassantMode, Position as _};

use super::ChessPosition;
use super::legal::pinned;

impl ChessPosition {
    /// The pieces on their squares.
    pub fn board(&self) -> &Board {
        self.0.board()
    }

    /// Whether the side to move is in check and has no legal move.
    pub fn is_mate(&self) -> bool {
        self.0.is_checkmate()
    }

    /// Whether the side to move is not in check and has no legal move.
    pub fn is_stalemate(&self) -> bool {
        self.0.is_stalemate()
    }

    /// The pieces of a side that stand alone between their king and a piece that would attack it.
    pub fn pinned(&self, side: Color) -> Bitboard {
        let board = self.0.board();
        // In Antichess a king is a piece as any other.
        let king = match self.0.variant() {
            Variant::Antichess => None,
            _ => board.king_of(side),
        };
        let Some(king) = king else {
            return Bitboard::EMPTY;
        };
        pinned(board, side, king)
    }

    /// A hash of what makes two positions the same in the rule of threefold repetition: pieces,
    /// side to move, castling rights, the en-passant square if a pawn can capture there, and what
    /// variants add. Not forgeable, so that no file can make up a repetition.
    pub fn repetition_hash(&self) -> [u8; 16] {
        let setup = self.0.to_setup(EnPassantMode::Legal);
        let (roles, colors) = setup.board.into_bitboards();
        let mut hash = blake3::Hasher::new();
        for squares in roles.into_iter().chain(colors) {
            hash.update(&squares.0.to_le_bytes());
        }
        hash.update(&setup.castling_rights.0.to_le_bytes());
        hash.update(&setup.promoted.0.to_le_bytes());
        let ep_square = setup.ep_square.map_or(64, u8::from);
        hash.update(&[u8::from(setup.turn.is_white()), ep_square]);
        for pocket in setup.pockets.into_iter().flatten() {
            hash.update(&pocket.into_iter().collect::<Vec<u8>>());
        }
        for checks in setup.remaining_checks.into_iter().flatten() {
            hash.update(&[u8::from(checks)]);
        }
        let mut first = [0; 16];
        hash.finalize_xof().fill(&mut first);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{PlyKind, Rules, Square};

    fn position(fen: &str, rules: Rules) -> ChessPosition {
        ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position")
    }

    #[test]
    fn pieces_of_both_sides_are_pinned() {
        let fen = "4r1k1/3b4/8/1B6/4N3/8/3P4/r2QK2q w - - 0 1";
        let pinned = |side| position(fen, Rules::CHESS).pinned(side);
        let of_white: Vec<Square> = pinned(Color::White).into_iter().collect();
        assert_eq!(of_white, [Square::D1, Square::E4]);
        assert_eq!(pinned(Color::Black), Bitboard::EMPTY);
        let fen = "4k3/3b4/8/1B6/8/8/8/4K3 w - - 0 1";
        let of_black = position(fen, Rules::CHESS).pinned(Color::Black);
        assert_eq!(of_black, Bitboard::from_square(Square::D7));
        let antichess = Rules::by_name(b"antichess").unwrap();
        let of_black = position(fen, antichess).pinned(Color::Black);
        assert_eq!(of_black, Bitboard::EMPTY);
    }

    #[test]
    fn repetitions_are_of_positions_not_of_boards() {
        let hash = |fen: &str| position(fen, Rules::CHESS).repetition_hash();
        let fen = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1";
        assert_eq!(hash(fen), hash(&fen.replace("0 1", "5 40")));
        for other in [
            fen.replace("w Kq d6", "b Kq -"),
            fen.replace("Kq", "K"),
            fen.replace("d6", "-"),
            fen.replace("/8/8/8/4K", "/8/8/7P/4K"),
        ] {
            assert_ne!(hash(fen), hash(&other), "{other}");
        }
        // Without a pawn that can capture there, the square of the double step says nothing.
        let mut after = ChessPosition::standard();
        let ply = PlyKind::Move {
            from: Square::E2,
            to: Square::E4,
            promotion: None,
        };
        after.make(ply).unwrap();
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(after.repetition_hash(), hash(fen));
        let crazyhouse = Rules::by_name(b"crazyhouse").unwrap();
        let hash = |pocket: &str| {
            let fen = format!("4k3/8/8/8/8/8/8/4K2R[{pocket}] w K - 0 1");
            position(&fen, crazyhouse).repetition_hash()
        };
        assert_ne!(hash("Q"), hash("q"));
        assert_ne!(hash("Q"), hash(""));
    }

    #[test]
    fn mate_and_stalemate_leave_no_move() {
        for (fen, is_mate, is_stalemate) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true, false),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, true),
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", false, false),
        ] {
            let position = position(fen, Rules::CHESS);
            let found = (position.is_mate(), position.is_stalemate());
            assert_eq!(found, (is_mate, is_stalemate), "{fen}");
        }
    }
}
