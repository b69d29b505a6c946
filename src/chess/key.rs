//! Hash of the pieces on a board.

use shakmaty::{Color, Piece, Position as _, Square};

use super::{ChessPosition, Setup};

/// The odd number nearest to 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014). Every bit of the
/// input affects every bit of the result.
pub const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(GOLDEN);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The input of `mix` for Black to move; those for pieces on squares are lower.
const BLACK_TO_MOVE: u64 = PIECE_TERMS as u64;

/// The number of kinds of pieces times that of squares.
const PIECE_TERMS: usize = 12 * 64;

/// What a piece on a square adds, at 64 × its kind + the square. Boards are hashed after
/// each ply of an opening.
static PIECES: [u64; PIECE_TERMS] = {
    let mut terms = [0; PIECE_TERMS];
    let mut rest: &mut [u64] = &mut terms;
    let mut input = 0;
    while let [term, tail @ ..] = rest {
        *term = mix(input);
        rest = tail;
        input += 1;
    }
    terms
};

impl ChessPosition {
    /// Hash of the pieces on the board and the side to move (`spec/openings.md`);
    /// may collide. Nothing else affects it.
    pub fn key(&self) -> u32 {
        key(self.0.board().into_iter(), self.0.turn())
    }
}

impl Setup {
    /// The same hash for these pieces, with this side to move.
    pub fn key(&self, turn: Color) -> u32 {
        let pieces = Square::ALL.into_iter().zip(self.pieces);
        key(
            pieces.filter_map(|(square, piece)| Some((square, piece?))),
            turn,
        )
    }
}

fn key(pieces: impl Iterator<Item = (Square, Piece)>, turn: Color) -> u32 {
    let mut sum = match turn {
        Color::White => 0,
        Color::Black => mix(BLACK_TO_MOVE),
    };
    for (square, piece) in pieces {
        let role = piece.role as usize - 1;
        let kind = if piece.color.is_white() {
            role
        } else {
            6 + role
        };
        let term = PIECES.get(64 * kind + square.to_usize());
        sum = u64::wrapping_add(sum, term.copied().unwrap_or(0));
    }
    let [.., a, b, c, d] = sum.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::PlyKind;

    /// The first two outputs of the generator for seed 0, as published.
    #[test]
    fn it_is_splitmix64() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(GOLDEN), 0x6e78_9e6a_a1b9_65f4);
    }

    fn played(moves: &[(Square, Square)]) -> ChessPosition {
        let mut position = ChessPosition::standard();
        for (from, to) in moves {
            let ply = PlyKind::Move {
                from: *from,
                to: *to,
                promotion: None,
            };
            position.make(ply).unwrap();
        }
        position
    }

    /// The examples of the specification.
    #[test]
    fn keys_are_those_of_the_specification() {
        assert_eq!(ChessPosition::standard().key(), 0x48e1_0201);
        let king_pawn = [(Square::E2, Square::E4)];
        assert_eq!(played(&king_pawn).key(), 0xfef1_7797);
    }

    #[test]
    fn the_key_is_of_the_board_and_the_side_to_move() {
        use Square::{B8, C6, E2, E3, E4, E5, E7, F3, F6, G1, G8};
        let italian = played(&[(E2, E4), (E7, E5), (G1, F3), (B8, C6)]);
        let other_way = played(&[(G1, F3), (B8, C6), (E2, E4), (E7, E5)]);
        assert_eq!(italian.key(), other_way.key());
        let knight_back = played(&[(G1, F3), (G8, F6), (F3, G1), (F6, G8)]);
        assert_eq!(knight_back.key(), ChessPosition::standard().key());
        let black_lost_a_move = played(&[(E2, E3), (E7, E5), (E3, E4)]);
        assert_ne!(black_lost_a_move.key(), played(&[(E2, E4), (E7, E5)]).key());
    }
}
