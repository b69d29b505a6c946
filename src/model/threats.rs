//! Hanging pieces, critical pieces and threats.

use crate::chess::{Bitboard, Role, Square, attacks};

use super::board::Board;
use super::exchange::{attackers, swap_off};
use super::legal::PieceTargets;
use super::maps::AttackMap;
use super::simd::Isa;
use super::squares::Codes;
use super::table::MaskedTable;
use super::values::{CLASS_VALUES, value};

/// Sets of squares by the value at stake: at most a pawn, at most a minor, at
/// most a rook, more.
pub(super) type Stakes = [Bitboard; 4];

/// The hanging pieces and the threats of a position.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Threats {
    /// Our hanging pieces: they can be captured with a gain.
    pub(super) hanging: Bitboard,
    /// Our hanging pieces by the loss.
    hanging_stakes: Stakes,
    /// Our hanging pieces that one more defender would save.
    savable: Bitboard,
    /// Our pieces that would hang with one defender fewer.
    critical: Bitboard,
    /// The same, by the loss in that case.
    critical_stakes: Stakes,
    /// Their hanging pieces.
    pub(super) winning: Bitboard,
    /// Their hanging pieces by the gain.
    winning_stakes: Stakes,
    /// Their pieces that would hang with one attacker more.
    nearly_winning: Bitboard,
    /// The most valuable of our hanging pieces.
    pub(super) top: Option<Top>,
    /// By the role of a piece of ours, the pieces that it threatens if it
    /// attacks them.
    targets: MaskedTable<Stakes, 8>,
    /// The squares that they attack at least twice.
    their_twice: Bitboard,
}

/// The most valuable of our hanging pieces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Top {
    pub(super) role: Role,
    pub(super) square: Square,
    /// The square of its only attacker; `None` if it has several, or only one
    /// through our king.
    pub(super) attacker: Option<Square>,
    /// The squares between it and its only attacker.
    pub(super) line: Bitboard,
}

/// The index of a set of [`Stakes`].
fn level(loss: i32) -> usize {
    match loss {
        ..=1 => 0,
        2..=3 => 1,
        4..=5 => 2,
        _ => 3,
    }
}

impl Threats {
    #[inline(always)]
    pub(super) fn new(
        board: &Board,
        ours: &AttackMap,
        theirs: &AttackMap,
        codes: &Codes,
    ) -> Threats {
        let mut threats = Threats {
            their_twice: theirs.twice(),
            ..Threats::default()
        };
        let kings = board.by_role(Role::King);
        for square in board.us() & theirs.any() & !kings {
            threats.classify_ours(board, codes, square);
        }
        for square in board.them() & ours.any() & !kings {
            threats.classify_theirs(board, ours, codes, square);
        }
        threats.top = Role::ALL.iter().rev().find_map(|role| {
            let square = (board.ours(*role) & threats.hanging).first()?;
            Some(threats.top_at(board, *role, square))
        });
        threats.targets = threats.targets(board, board.them() & !theirs.any() & !kings);
        threats
    }

    #[inline(always)]
    fn classify_ours(&mut self, board: &Board, codes: &Codes, square: Square) {
        let code = codes.at(square);
        let prize = board.role_at(square).map_or(0, value);
        let least = CLASS_VALUES[code.least()];
        let loss = if code.ours() == 0 {
            prize
        } else if least < prize {
            prize - least
        } else if code.theirs() >= 2 {
            swap_off(board, square, prize, board.occupied(), board.them())
        } else {
            0
        };
        let here = Bitboard::from_square(square);
        if loss > 0 {
            self.hanging |= here;
            add(&mut self.hanging_stakes, level(loss), here);
            if least >= prize {
                self.savable |= here;
            }
        } else if code.theirs() == code.ours() && code.theirs() <= 2 {
            self.critical |= here;
            let stake = if code.ours() == 1 { level(prize) } else { 0 };
            add(&mut self.critical_stakes, stake, here);
        }
    }

    #[inline(always)]
    fn classify_theirs(&mut self, board: &Board, ours: &AttackMap, codes: &Codes, square: Square) {
        let code = codes.at(square);
        let prize = board.role_at(square).map_or(0, value);
        let least = least_value(ours, square);
        let gain = if code.theirs() == 0 {
            prize
        } else if least < prize {
            prize - least
        } else if code.ours() >= 2 {
            swap_off(board, square, prize, board.occupied(), board.us())
        } else {
            0
        };
        let here = Bitboard::from_square(square);
        if gain > 0 {
            self.winning |= here;
            add(&mut self.winning_stakes, level(gain), here);
        } else if code.theirs() == code.ours() && code.ours() <= 2 {
            self.nearly_winning |= here;
        }
    }

    #[inline(always)]
    fn top_at(&self, board: &Board, role: Role, square: Square) -> Top {
        let attackers = attackers(board, square, board.occupied()) & board.them();
        let attacker = attackers
            .first()
            .filter(|_| !self.their_twice.contains(square));
        let line = attacker.map_or(Bitboard::EMPTY, |from| attacks::between(square, from));
        Top {
            role,
            square,
            attacker,
            line,
        }
    }

    /// The pieces that each role threatens: those that are not defended, and
    /// those worth more.
    #[inline(always)]
    fn targets(&self, board: &Board, loose: Bitboard) -> MaskedTable<Stakes, 8> {
        let pawns = loose & board.by_role(Role::Pawn) | self.nearly_winning;
        let minors = board.theirs(Role::Knight) | board.theirs(Role::Bishop);
        let (rooks, queens) = (board.theirs(Role::Rook), board.theirs(Role::Queen));
        let by_minors = [pawns, minors & loose | rooks, rooks & loose, queens];
        let by_queens = [pawns, minors & loose, rooks & loose, queens & loose];
        let by_rooks = [
            pawns,
            minors & loose,
            rooks & loose | queens,
            queens & loose,
        ];
        MaskedTable([
            Stakes::default(),
            [pawns, minors, rooks, queens],
            by_minors,
            by_minors,
            by_rooks,
            by_queens,
            by_queens,
            Stakes::default(),
        ])
    }

    /// The data that all moves of a piece share.
    #[inline(always)]
    pub(super) fn of(&self, piece: &PieceTargets, ours: &AttackMap) -> PieceThreats {
        let alone = piece.attacks & !ours.twice();
        PieceThreats {
            critical: piece.attacks & self.critical,
            hanging: self.hanging.without(piece.from),
            winning: self.winning & !alone,
        }
    }

    /// The signature of the pieces that a move leaves hanging or undefended.
    /// `reach` is the set of squares that the piece attacks from its target.
    #[inline(always)]
    pub(super) fn losses<I: Isa>(
        &self,
        of: &PieceThreats,
        piece: &PieceTargets,
        to: Square,
        reach: Bitboard,
        relief: Bitboard,
    ) -> usize {
        let target = Bitboard::from_square(to);
        let given_up = of.critical & !reach & !target;
        let defended = self.savable & reach & !piece.attacks;
        let mut left = of.hanging & !defended & !(relief & !self.their_twice);
        if let Some(top) = &self.top
            && top.line.contains(to)
        {
            left = left.without(top.square);
        }
        I::signature([
            (left, &self.hanging_stakes),
            (given_up, &self.critical_stakes),
        ])
    }

    /// The signature of the pieces that we attack with a gain after a move.
    #[inline(always)]
    pub(super) fn gains<I: Isa>(
        &self,
        of: &PieceThreats,
        to: Square,
        role: Role,
        reach: Bitboard,
    ) -> usize {
        let winning = of.winning.without(to);
        let targets = &self.targets[role as usize];
        I::signature([(winning, &self.winning_stakes), (reach, targets)])
    }

    /// The signature of the pieces that a move newly threatens.
    #[inline(always)]
    pub(super) fn new_threats<I: Isa>(
        &self,
        piece: &PieceTargets,
        role: Role,
        reach: Bitboard,
    ) -> usize {
        let targets = &self.targets[role as usize];
        I::signature([(reach & !piece.attacks, targets)])
    }
}

/// The data that all moves of a piece share.
#[derive(Debug, Clone, Copy)]
pub(super) struct PieceThreats {
    critical: Bitboard,
    hanging: Bitboard,
    winning: Bitboard,
}

/// The value of our least piece that attacks a square.
#[inline(always)]
fn least_value(ours: &AttackMap, square: Square) -> i32 {
    let classes = [ours.pawns, ours.minors, ours.rooks, ours.queens, ours.king];
    let least = classes.iter().position(|class| class.contains(square));
    least.map_or(0, |class| CLASS_VALUES[class + 1])
}

#[inline(always)]
fn add(stakes: &mut Stakes, level: usize, squares: Bitboard) {
    if let Some(set) = stakes.get_mut(level) {
        *set |= squares;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};
    use crate::model::board::ViewSide;
    use crate::model::simd::Baseline;

    fn threats(fen: &str) -> Threats {
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
        let board = Board::new(&position).expect("chess");
        let [ours, theirs] = [ViewSide::Us, ViewSide::Them].map(|side| AttackMap::of(&board, side));
        let codes = Codes::new::<Baseline>(&ours, &theirs);
        Threats::new(&board, &ours, &theirs, &codes)
    }

    fn squares<const N: usize>(squares: [Square; N]) -> Bitboard {
        squares.into_iter().collect()
    }

    /// A pawn attacks the rook on d4. A rook and a bishop attack undefended
    /// pawns.
    #[test]
    fn hanging_and_critical_pieces() {
        let threats = threats("r3k3/8/2b5/4p3/3R2N1/5P2/P7/4K3 w - - 0 1");
        assert_eq!(
            threats.hanging,
            squares([Square::A2, Square::F3, Square::D4])
        );
        assert_eq!(threats.savable, squares([Square::A2, Square::F3]));
        assert_eq!(threats.critical, squares([]));
        let top = threats.top.expect("a piece");
        assert_eq!((top.role, top.square), (Role::Rook, Square::D4));
        assert_eq!(top.attacker, Some(Square::E5));
        assert_eq!(threats.hanging_stakes.map(|set| set.count()), [2, 0, 1, 0]);
    }

    /// The rook would hang without its only defender.
    #[test]
    fn defenders_that_are_needed() {
        let threats = threats("3rk3/8/8/8/3R2b1/4P1N1/8/4K1R1 w - - 0 1");
        assert_eq!(threats.hanging, squares([]));
        assert_eq!(threats.critical, squares([Square::D4]));
        assert_eq!(threats.critical_stakes.map(|set| set.count()), [0, 0, 1, 0]);
    }

    #[test]
    fn what_can_be_won() {
        let threats = threats("4k3/8/4p3/3r4/1q2P3/P7/8/4K2R w - - 0 1");
        assert_eq!(threats.winning, squares([Square::B4, Square::D5]));
        // The gain of a queen for a pawn is in the highest set, that of a rook
        // for a pawn one below.
        assert_eq!(threats.winning_stakes.map(|set| set.count()), [0, 0, 1, 1]);
    }
}
