//! The targets of a piece, as a set of squares numbered from a1.

use shakmaty::variant::VariantPosition;
use shakmaty::{Bitboard, Position as _, Square};

use super::legal::LegalTargets;
use super::{ChessPosition, PlyKind};

impl ChessPosition {
    /// The number of a target, counted from 0 in the order a1, b1, … h8, among
    /// the legal targets of the piece on `from`. Returns `None` if the move is
    /// not legal. The promotions of a pawn on one square are one target.
    pub fn target_number(&self, from: Square, to: Square) -> Option<u8> {
        let targets = self.targets(from);
        let below = Bitboard(Bitboard::from_square(to).0 - 1);
        let number = u8::try_from((targets & below).count()).ok()?;
        targets.contains(to).then_some(number)
    }

    /// The target with this number.
    pub fn numbered_target(&self, from: Square, number: u8) -> Option<Square> {
        self.targets(from).into_iter().nth(usize::from(number))
    }

    /// The legal targets of the piece on a square; empty if no piece of the
    /// side to move is on it.
    fn targets(&self, from: Square) -> Bitboard {
        let VariantPosition::Chess(chess) = &self.0 else {
            return self.targets_listed(from);
        };
        let Some(legal) = LegalTargets::new(chess) else {
            return Bitboard::EMPTY;
        };
        let targets = legal.targets(from);
        if !chess.board().kings().contains(from) || !legal.pieces().contains(from) {
            return targets;
        }
        let castlings = legal.castlings().filter_map(|m| match self.ply(m) {
            PlyKind::Move { to, .. } => Some(to),
            PlyKind::Null | PlyKind::Drop { .. } => None,
        });
        targets | castlings.collect::<Bitboard>()
    }

    /// The same from the list of all legal moves.
    fn targets_listed(&self, from: Square) -> Bitboard {
        let moves = self.0.legal_moves();
        let own = moves.iter().filter(|m| m.from() == Some(from));
        own.filter_map(|m| match self.ply(*m) {
            PlyKind::Move { to, .. } => Some(to),
            PlyKind::Null | PlyKind::Drop { .. } => None,
        })
        .collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::chess::Rules;
    use proptest::prelude::*;

    /// Start positions from which random play includes checks, pins, castling,
    /// promotions, en passant (also pinned), Chess960 and variants.
    pub(crate) const STARTS: [(&str, &str); 11] = [
        (
            "chess",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "chess",
            "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
        ),
        (
            "chess",
            "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w Kq d6 0 17",
        ),
        ("chess", "8/8/8/K1Pp3r/8/8/3k4/8 w - d6 0 1"),
        ("chess", "4k3/4q3/8/8/1b5b/8/1r1NB3/q2RKR1r w - - 0 1"),
        ("chess", "k7/8/8/1N3N2/3K4/1n3n2/8/8 w - - 0 1"),
        ("chess960", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 0 1"),
        ("chess960", "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1"),
        (
            "atomic",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "crazyhouse",
            "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R[Qq] w KQkq - 0 1",
        ),
        ("racingkings", "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"),
    ];

    pub(crate) fn position(name: &str, fen: &str) -> ChessPosition {
        let rules = Rules::by_name(name.as_bytes()).expect("rules");
        ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position")
    }

    /// The targets of a piece by the list of legal plies, in square order.
    fn listed(plies: &[PlyKind], from: Square) -> Vec<Square> {
        let mut targets = Vec::new();
        for ply in plies {
            if let PlyKind::Move { from: f, to, .. } = ply
                && *f == from
            {
                targets.push(*to);
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    #[test]
    fn a_queen_has_27_targets() {
        let position = position("chess", "8/8/8/8/3Q4/8/7k/K7 w - - 0 1");
        let number = |to| position.target_number(Square::D4, to);
        assert_eq!(number(Square::G1), Some(1));
        assert_eq!(number(Square::H8), Some(25));
        assert_eq!(number(Square::C6), None);
        assert_eq!(position.target_number(Square::H2, Square::H1), None);
        let free = self::position("chess", "8/8/8/8/3Q4/8/K6k/8 w - - 0 1");
        assert_eq!(free.target_number(Square::D4, Square::H8), Some(26));
        assert_eq!(free.numbered_target(Square::D4, 26), Some(Square::H8));
        assert_eq!(free.numbered_target(Square::D4, 27), None);
    }

    #[test]
    fn promotions_to_one_square_are_one_target() {
        let position = position("chess", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(position.target_number(Square::A7, Square::B8), Some(1));
        assert_eq!(position.numbered_target(Square::A7, 2), None);
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_the_legal_plies(
            start in 0..STARTS.len(),
            picks in prop::collection::vec(any::<usize>(), 0..60),
        ) {
            let (name, fen) = STARTS[start];
            let mut position = position(name, fen);
            for pick in picks {
                let plies = position.legal_plies();
                for from in Square::ALL {
                    let listed = listed(&plies, from);
                    for (number, to) in (0u8..).zip(&listed) {
                        prop_assert_eq!(position.target_number(from, *to), Some(number));
                    }
                    let targets = (0..28).map_while(|n| position.numbered_target(from, n));
                    prop_assert!(targets.eq(listed.iter().copied()));
                    let to = Square::ALL[pick % 64];
                    let number = position.target_number(from, to);
                    prop_assert_eq!(number.is_some(), listed.contains(&to));
                }
                let Some(ply) = plies.get(pick % plies.len().max(1)) else {
                    break;
                };
                position.make(*ply).expect("a legal ply");
            }
        }
    }
}
