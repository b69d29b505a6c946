//! The squares that each side attacks, with counts.

use crate::chess::{Bitboard, Role, Square, attacks};

use super::board::{Board, ViewSide};

/// The squares that one side attacks. Sliders see through sliders of their own
/// side that move along the same line, so that a battery counts in full.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttackMap {
    /// The number of attackers of each square.
    pub counts: AttackCounts,
    /// Squares attacked by pawns.
    pub pawns: Bitboard,
    /// Squares attacked by knights or bishops.
    pub minors: Bitboard,
    /// Squares attacked by rooks.
    pub rooks: Bitboard,
    /// Squares attacked by queens.
    pub queens: Bitboard,
    /// Squares attacked by the king.
    pub king: Bitboard,
}

impl AttackMap {
    /// The map of a side. Their sliders also see through our king, because it
    /// cannot retreat along the line of a check.
    #[inline(always)]
    pub fn of(board: &Board, side: ViewSide) -> AttackMap {
        let (pieces, occupied, king) = match side {
            ViewSide::Us => (board.us(), board.occupied(), board.king()),
            ViewSide::Them => {
                let open = board.occupied().without(board.king());
                (board.them(), open, board.their_king())
            }
        };
        let of = |role| board.by_role(role) & pieces;
        let (bishops, rooks, queens) = (of(Role::Bishop), of(Role::Rook), of(Role::Queen));
        let mut map = AttackMap::default();
        let pawns = match side {
            ViewSide::Us => beside(of(Role::Pawn).shift(8)),
            ViewSide::Them => their_pawn_attacks(of(Role::Pawn)),
        };
        for attacked in pawns {
            map.pawns |= map.counts.count(attacked);
        }
        for knight in of(Role::Knight) {
            map.minors |= map.counts.count(attacks::knight_attacks(knight));
        }
        let open = occupied & !(bishops | queens);
        for bishop in bishops {
            map.minors |= map.counts.count(attacks::bishop_attacks(bishop, open));
        }
        let straight = occupied & !(rooks | queens);
        for rook in rooks {
            map.rooks |= map.counts.count(attacks::rook_attacks(rook, straight));
        }
        for queen in queens {
            let diagonal = attacks::bishop_attacks(queen, open);
            map.queens |= map
                .counts
                .count(diagonal | attacks::rook_attacks(queen, straight));
        }
        map.king = map.counts.count(attacks::king_attacks(king));
        map
    }

    /// The squares that are attacked at least once.
    #[inline(always)]
    pub fn any(&self) -> Bitboard {
        let AttackCounts([once, ..]) = self.counts;
        once
    }

    /// The squares that are attacked at least twice.
    #[inline(always)]
    pub fn twice(&self) -> Bitboard {
        let AttackCounts([_, twice, _]) = self.counts;
        twice
    }
}

/// The squares that are attacked at least once, twice, three times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttackCounts(pub [Bitboard; 3]);

impl AttackCounts {
    /// Counts the squares that a piece attacks, and returns them.
    #[inline(always)]
    fn count(&mut self, squares: Bitboard) -> Bitboard {
        let AttackCounts([once, twice, thrice]) = self;
        *thrice |= *twice & squares;
        *twice |= *once & squares;
        *once |= squares;
        squares
    }

    /// The number of attackers of a square, at most 3.
    pub fn at(&self, square: Square) -> usize {
        let counts = self.0.iter();
        counts.filter(|squares| squares.contains(square)).count()
    }
}

/// The squares that their pawns attack: to the right, and to the left.
#[inline(always)]
pub(super) fn their_pawn_attacks(pawns: Bitboard) -> [Bitboard; 2] {
    beside(pawns.shift(-8))
}

/// The squares one file to the right, and one to the left.
#[inline(always)]
fn beside(squares: Bitboard) -> [Bitboard; 2] {
    [
        Bitboard(squares.0 << 1) & !FILE_A,
        Bitboard(squares.0 >> 1) & !FILE_H,
    ]
}

const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};

    fn map(fen: &str, side: ViewSide) -> AttackMap {
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
        AttackMap::of(&Board::new(&position).expect("chess"), side)
    }

    #[test]
    fn the_start() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let ours = map(start, ViewSide::Us);
        assert_eq!(ours.pawns, Bitboard(0x0000_0000_00ff_0000));
        assert_eq!(ours.minors, Bitboard(0x0000_0000_00a5_5a00));
        assert_eq!(ours.rooks, Bitboard(0x0000_0000_0000_8142));
        assert_eq!(ours.counts.at(Square::F3), 3);
        assert_eq!(
            ours.counts.at(Square::D2),
            3,
            "queen, king, bishop and knight"
        );
        assert_eq!(ours.counts.at(Square::A3), 2);
        assert_eq!(ours.counts.at(Square::A1), 0);
        let theirs = map(start, ViewSide::Them);
        for (ours, theirs) in ours.counts.0.into_iter().zip(theirs.counts.0) {
            assert_eq!(ours.flip_vertical(), theirs);
        }
    }

    #[test]
    fn batteries_count_in_full() {
        let battery = map("3r3k/3q4/8/1b6/8/3p4/8/3RK3 w - - 0 1", ViewSide::Them);
        assert_eq!(battery.counts.at(Square::D5), 2, "rook shielded by queen");
        assert_eq!(battery.counts.at(Square::D3), 3, "and the bishop");
        assert_eq!(battery.counts.at(Square::D2), 0);
        let crossed = map("3b3k/3q4/8/8/8/8/8/4K3 w - - 0 1", ViewSide::Them);
        assert_eq!(crossed.counts.at(Square::D5), 1, "a bishop sees no file");
    }

    #[test]
    fn a_king_does_not_shield_itself() {
        let checked = map("4k3/8/8/8/8/8/8/r3K3 w - - 0 1", ViewSide::Them);
        assert!(checked.any().contains(Square::F1));
        let ours = map("4k3/8/8/8/8/8/8/r3K2R w - - 0 1", ViewSide::Us);
        assert!(!ours.rooks.contains(Square::D1));
    }
}
