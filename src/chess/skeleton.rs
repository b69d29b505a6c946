//! The part of a chess position that legal moves change only in one direction.

use shakmaty::{Bitboard, CastlingSide, Color, Piece, Position as _, Role, Square};

use super::{ChessPosition, PlyKind, Setup};

/// The pawns, the numbers of officers, and the castling rights.
///
/// A skeleton that a game has left never recurs in it: pawns only advance,
/// pieces only become fewer, and rights are only lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Skeleton {
    /// The squares of White's and of Black's pawns, one bit per square, a1
    /// lowest.
    pub pawns: [u64; 2],
    /// The numbers of knights, bishops on light squares, bishops on dark squares, rooks and queens
    /// of White and of Black.
    pub officers: [[u8; OFFICERS as usize]; 2],
    /// The squares of the rooks that may castle, one bit per square, a1 lowest.
    pub castling_rooks: u64,
}

/// To which sides of the board White and Black have castled.
pub type Castlings = [Option<CastlingSide>; 2];

/// The index of a side; 0 is White.
pub fn side_of(color: Color) -> usize {
    color.fold_wb(0, 1)
}

/// The number of kinds of officers that a [`Skeleton`] counts.
pub const OFFICERS: u8 = 5;

/// The index of an officer on a square among knight, bishop on a light square, bishop on a dark
/// square, rook and queen.
pub fn officer_of(role: Role, square: Square) -> Option<usize> {
    match role {
        Role::Knight => Some(0),
        Role::Bishop => Some(1 + usize::from(square.is_dark())),
        Role::Rook => Some(3),
        Role::Queen => Some(4),
        Role::Pawn | Role::King => None,
    }
}

impl Skeleton {
    /// The number of pieces of a side, including pawns and one king.
    pub fn piece_count(&self, side: usize) -> u32 {
        let pawns = self.pawns.get(side).map_or(0, |pawns| pawns.count_ones());
        let officers = self.officers.get(side).copied().unwrap_or_default();
        let officers = officers.into_iter().map(u32::from).sum::<u32>();
        1 + pawns + officers
    }

    /// A number that each change of the skeleton in a game of standard chess makes smaller: the
    /// steps that pawns can go, the pieces that can be captured, and the rights that can be lost.
    pub fn potential(&self) -> u16 {
        let [white, black] = self.pawns;
        let steps = |pawns: u64| {
            let ranks = pawns.to_le_bytes().map(u8::count_ones);
            // A pawn before promotion counts more than the piece that it becomes.
            ranks
                .into_iter()
                .zip((1..=8).rev())
                .map(|(count, weight)| count * weight)
                .sum::<u32>()
        };
        let officers = self
            .officers
            .iter()
            .flatten()
            .copied()
            .map(u32::from)
            .sum::<u32>();
        let rights = self.castling_rooks.count_ones();
        let potential = steps(white) + steps(black.swap_bytes()) + officers + rights;
        u16::try_from(potential).unwrap_or(u16::MAX)
    }

    /// Whether it has more officers of some kind, as it has after a promotion.
    pub fn has_more_officers_than(&self, other: &Skeleton) -> bool {
        let counts = |of: &Skeleton| of.officers.into_iter().flatten();
        counts(self)
            .zip(counts(other))
            .any(|(more, less)| more > less)
    }

    fn add(&mut self, square: Square, piece: Piece) {
        let side = side_of(piece.color);
        if piece.role == Role::Pawn {
            if let Some(pawns) = self.pawns.get_mut(side) {
                *pawns |= 1 << u32::from(square);
            }
        } else if let Some(officer) = officer_of(piece.role, square)
            && let Some(of_side) = self.officers.get_mut(side)
            && let Some(count) = of_side.get_mut(officer)
        {
            *count += 1;
        }
    }
}

impl ChessPosition {
    /// The skeleton of the position.
    pub fn skeleton(&self) -> Skeleton {
        let board = self.0.board();
        let of = |color, role| board.by_piece(Piece { color, role });
        let officers = |color| {
            let bishops = of(color, Role::Bishop);
            [
                of(color, Role::Knight),
                bishops & Bitboard::LIGHT_SQUARES,
                bishops & Bitboard::DARK_SQUARES,
                of(color, Role::Rook),
                of(color, Role::Queen),
            ]
            .map(|officers| u8::try_from(officers.count()).unwrap_or(u8::MAX))
        };
        Skeleton {
            pawns: [Color::White, Color::Black].map(|color| of(color, Role::Pawn).0),
            officers: [Color::White, Color::Black].map(officers),
            castling_rooks: self.0.castles().castling_rights().0,
        }
    }
}

impl ChessPosition {
    /// Whether a legal ply of standard chess changes the skeleton.
    pub fn changes_skeleton(&self, ply: PlyKind) -> bool {
        let PlyKind::Move { from, to, .. } = ply else {
            return false;
        };
        let board = self.0.board();
        let rooks = self.0.castles().castling_rights();
        match board.role_at(from) {
            Some(Role::Pawn) => true,
            Some(Role::King) if (rooks & self.0.us()).any() => true,
            _ => board.occupied().contains(to) || rooks.contains(from),
        }
    }
}

impl Setup {
    /// The skeleton of a position with these data.
    pub fn skeleton(&self) -> Skeleton {
        let mut skeleton = Skeleton {
            castling_rooks: self.castling_rooks,
            ..Skeleton::default()
        };
        for (square, piece) in Square::ALL.into_iter().zip(self.pieces) {
            if let Some(piece) = piece {
                skeleton.add(square, piece);
            }
        }
        skeleton
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Rules;

    #[test]
    fn positions_and_setups_have_the_same() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k3/pp6/7Q/3Pp3/8/8/8/4K2R w Kq e6 0 9",
        ] {
            let position =
                ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
            assert_eq!(position.skeleton(), position.setup().skeleton());
        }
        let skeleton = ChessPosition::standard().skeleton();
        assert_eq!([skeleton.piece_count(0), skeleton.piece_count(1)], [16, 16]);
        assert_eq!(skeleton.pawns, [0xff00, 0xff << 48]);
        assert_eq!(skeleton.officers, [[2, 1, 1, 2, 1]; 2]);
        assert_eq!(skeleton.castling_rooks, 0x8100_0000_0000_0081);
    }

    #[test]
    fn plies_that_change_it_are_reported() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p3P1pp/1n6/1PpPp3/8/q4N2/P6P/R3K2R w KQkq c6 0 9",
            "r3k2r/p3P1pp/1n6/1P1Pp3/8/q4N2/P6P/R3K2R b Kq - 0 9",
        ] {
            let position =
                ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
            for ply in position.legal_plies() {
                let mut after = position.clone();
                after.make(ply).unwrap();
                let changes = after.skeleton() != position.skeleton();
                let potential = after.skeleton().potential();
                assert_eq!(
                    potential < position.skeleton().potential(),
                    changes,
                    "{ply:?}"
                );
                assert_eq!(position.changes_skeleton(ply), changes, "{ply:?}");
            }
        }
    }
}
