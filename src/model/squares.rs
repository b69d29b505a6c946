//! The attackers of each square, coded in seven bits.

use crate::chess::{Bitboard, Role, Square};

use super::maps::{AttackCounts, AttackMap};
use super::simd::Isa;
use super::table::{MaskedTable, table};
use super::values::{CLASS_VALUES, VALUES};

/// The attackers of a square. Bits 0 to 2: the class of their least attacker (0
/// none, 1 pawn, 2 minor, 3 rook, 4 queen, 5 king). Bits 3 and 4: the number of
/// their attackers. Bits 5 and 6: the number of ours. Numbers above 3 are coded
/// as 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SquareCode(u8);

impl SquareCode {
    /// The code with this number, below 128.
    #[allow(clippy::cast_possible_truncation, reason = "seven bits")]
    pub(super) const fn of(number: usize) -> SquareCode {
        SquareCode((number & 127) as u8)
    }

    /// The seven bits.
    #[inline]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// The class of their least attacker.
    #[inline]
    pub const fn least(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The number of their attackers, at most 3.
    #[inline]
    pub const fn theirs(self) -> u8 {
        self.0 >> 3 & 3
    }

    /// The number of our attackers, at most 3.
    #[inline]
    pub const fn ours(self) -> u8 {
        self.0 >> 5
    }

    /// The code with one attacker of ours fewer, if there is one.
    #[inline]
    pub const fn without_own_attacker(self) -> SquareCode {
        SquareCode(if self.ours() > 0 { self.0 - 32 } else { self.0 })
    }
}

/// The codes of all squares.
#[derive(Debug, Clone)]
pub struct Codes(MaskedTable<u8, 64>);

impl Codes {
    /// The codes of a position with these maps.
    #[inline(always)]
    pub fn new<I: Isa>(ours: &AttackMap, theirs: &AttackMap) -> Codes {
        let minors = theirs.minors & !theirs.pawns;
        let light = theirs.minors | theirs.pawns;
        let rooks = theirs.rooks & !light;
        let queens = theirs.queens & !(light | theirs.rooks);
        let kings = theirs.king & !(light | theirs.rooks | theirs.queens);
        let [their_low, their_high] = counts(theirs.counts);
        let [our_low, our_high] = counts(ours.counts);
        let planes = [
            theirs.pawns | rooks | kings,
            minors | rooks,
            queens | kings,
            their_low,
            their_high,
            our_low,
            our_high,
        ];
        Codes(MaskedTable(I::codes(planes)))
    }

    /// The code of a square.
    #[inline]
    pub fn at(&self, square: Square) -> SquareCode {
        SquareCode(self.0[square as usize])
    }
}

/// The bits of each square's count: the lower ones and the higher ones.
#[inline(always)]
fn counts(times: AttackCounts) -> [Bitboard; 2] {
    let AttackCounts([once, twice, thrice]) = times;
    [once & !twice | thrice, twice]
}

/// The safety of a piece on a square with this code: 0 not attacked, 1 attacked
/// by a piece of less value, 2 not defended, 3 defended at least twice, 4
/// otherwise. For a king, 1 and 3 do not occur.
#[inline]
pub(super) fn safety(role: Role, code: SquareCode) -> usize {
    SAFETY[(role as usize) << 7 | code.number()].into()
}

static SAFETY: MaskedTable<u8, 1024> = table!([0; 1024], |number| {
    let (role, code) = (number >> 7, SquareCode::of(number));
    let is_king = role == Role::King as usize;
    if code.theirs() == 0 {
        0
    } else if !is_king && *CLASS_VALUES.at(code.least()) < *VALUES.at(role) {
        1
    } else if code.ours() == 0 {
        2
    } else if !is_king && code.ours() >= 2 {
        3
    } else {
        4
    }
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};
    use crate::model::board::{Board, ViewSide};
    use crate::model::simd::Baseline;

    fn codes(fen: &str) -> Codes {
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
        let board = Board::new(&position).expect("chess");
        Codes::new::<Baseline>(
            &AttackMap::of(&board, ViewSide::Us),
            &AttackMap::of(&board, ViewSide::Them),
        )
    }

    fn parts(code: SquareCode) -> (usize, u8, u8) {
        (code.least(), code.theirs(), code.ours())
    }

    #[test]
    fn least_attackers_and_numbers() {
        let codes = codes("3r3k/3q1n2/8/1b2p3/5P2/3p1N2/3Q4/3RK3 w - - 0 1");
        for (square, expected) in [
            (Square::D3, (2, 3, 2)),
            (Square::E5, (2, 1, 2)),
            (Square::F4, (1, 1, 1)),
            (Square::D8, (2, 2, 0)),
            (Square::H8, (2, 2, 0)),
            (Square::G8, (3, 2, 0)),
            (Square::A1, (0, 0, 1)),
        ] {
            assert_eq!(parts(codes.at(square)), expected, "{square}");
        }
    }

    #[test]
    fn codes_agree_with_maps() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
        let board = Board::new(&position).expect("chess");
        let [ours, theirs] = [ViewSide::Us, ViewSide::Them].map(|side| AttackMap::of(&board, side));
        let codes = Codes::new::<Baseline>(&ours, &theirs);
        for square in Square::ALL {
            let classes = [
                theirs.pawns,
                theirs.minors,
                theirs.rooks,
                theirs.queens,
                theirs.king,
            ];
            let least = classes.iter().position(|class| class.contains(square));
            let code = codes.at(square);
            assert_eq!(code.least(), least.map_or(0, |class| class + 1));
            assert_eq!(usize::from(code.theirs()), theirs.counts.at(square));
            assert_eq!(usize::from(code.ours()), ours.counts.at(square));
        }
    }

    #[test]
    fn one_attacker_less() {
        assert_eq!(
            SquareCode::of(2 << 5 | 9).without_own_attacker(),
            SquareCode::of(1 << 5 | 9)
        );
        assert_eq!(SquareCode::of(9).without_own_attacker(), SquareCode::of(9));
    }

    #[test]
    fn safety_levels() {
        let code = |least: usize, theirs: usize, ours: usize| {
            SquareCode::of(least | theirs << 3 | ours << 5)
        };
        for (role, code, expected) in [
            (Role::Rook, code(0, 0, 0), 0),
            (Role::Rook, code(2, 1, 3), 1),
            (Role::Rook, code(3, 1, 0), 2),
            (Role::Rook, code(3, 1, 2), 3),
            (Role::Rook, code(3, 1, 1), 4),
            (Role::King, code(1, 1, 2), 4),
        ] {
            assert_eq!(safety(role, code), expected);
        }
    }
}
