//! The canonical order of the legal moves of a position (`spec/moves.md`,
//! "Canonical order").

use shakmaty::variant::VariantPosition;
use shakmaty::{Color, Move, MoveList, Position as _, Role, Square};

use super::move_number::{MoveNumber, target};
use super::move_sets::MoveSets;
use super::{ChessPosition, IllegalPly, PlyKind};

/// A legal move, with facts that are known as it is generated.
#[derive(Debug, Clone, Copy)]
pub struct LegalPly {
    /// The move.
    pub ply: PlyKind,
    /// Increases in the canonical order.
    pub key: u32,
    /// The piece that moves; for castling, the king.
    pub role: Role,
    /// Whether it [changes the skeleton](ChessPosition::changes_skeleton).
    pub changes_skeleton: bool,
}

impl ChessPosition {
    /// All legal moves, in the canonical order of the format: by origin, then
    /// target, then promotion N, B, R, Q, K. Squares are counted from the opposite
    /// corner for Black. Drops follow, by role P, N, B, R, Q, then by square.
    pub fn legal_plies(&self) -> Vec<PlyKind> {
        let turn = self.turn();
        let mut moves = self.0.legal_moves();
        moves.sort_unstable_by_key(|m| canonical_key(*m, turn));
        moves.iter().map(|m| self.ply(*m)).collect()
    }

    /// All legal moves, in any order.
    pub fn unordered_plies(&self) -> impl Iterator<Item = LegalPly> {
        let turn = self.turn();
        let rights = self.0.castles().castling_rights();
        let king_changes = (rights & self.0.us()).any();
        let moves = self.0.legal_moves().into_iter();
        moves.map(move |m| LegalPly {
            ply: self.ply(m),
            key: canonical_key(m, turn),
            role: m.role(),
            changes_skeleton: match m {
                Move::Put { .. } => false,
                Move::EnPassant { .. } | Move::Castle { .. } => true,
                Move::Normal {
                    role,
                    from,
                    capture,
                    ..
                } => match role {
                    Role::Pawn => true,
                    Role::King if king_changes => true,
                    _ => capture.is_some() || rights.contains(from),
                },
            },
        })
    }

    /// The number of legal moves.
    pub fn legal_count(&self) -> u32 {
        match self.move_sets() {
            Some(sets) => sets.count(),
            None => count(&self.0.legal_moves()),
        }
    }

    /// Plays a move and returns its number among the legal moves. A null move has
    /// none and is an error.
    pub fn play_numbered(&mut self, ply: PlyKind) -> Result<MoveNumber, IllegalPly> {
        let wanted = self.candidate_move(ply).ok_or(IllegalPly)?;
        let choice = match self.move_sets() {
            Some(sets) => sets.choice(wanted),
            None => choice(&self.0.legal_moves(), wanted, self.turn()),
        };
        let choice = choice.ok_or(IllegalPly)?;
        self.advance(wanted)?;
        Ok(choice)
    }

    /// Plays the legal move whose number `choose` returns, given the number of
    /// legal moves, and returns the ply. Returns `Ok(None)` and plays nothing if
    /// there is no such move or it leads to an invalid position.
    pub fn play_nth<E>(
        &mut self,
        choose: impl FnOnce(u32) -> Result<u32, E>,
    ) -> Result<Option<PlyKind>, E> {
        let chosen = match self.move_sets() {
            Some(sets) => sets.nth(choose(sets.count())?),
            None => {
                let moves = self.0.legal_moves();
                nth(&moves, choose(count(&moves))?, self.turn())
            }
        };
        let Some(chosen) = chosen else {
            return Ok(None);
        };
        let ply = self.ply(chosen);
        Ok(self.advance(chosen).is_ok().then_some(ply))
    }

    /// The legal moves as sets, which are numbered faster than a list. `None` for a variant, and
    /// where [`MoveSets::new`] returns it.
    fn move_sets(&self) -> Option<MoveSets<'_>> {
        match &self.0 {
            VariantPosition::Chess(chess) => MoveSets::new(chess),
            _ => None,
        }
    }
}

fn count(moves: &MoveList) -> u32 {
    moves.iter().map(|_| 1).sum()
}

/// The number of a move, if it is legal.
fn choice(moves: &MoveList, wanted: Move, turn: Color) -> Option<MoveNumber> {
    let wanted_key = canonical_key(wanted, turn);
    let below = |m: &&Move| canonical_key(**m, turn) < wanted_key;
    let index = moves.iter().filter(below).map(|_| 1).sum();
    moves.contains(&wanted).then(|| MoveNumber {
        index,
        count: count(moves),
    })
}

/// The move with this number in canonical order. It is selected without sorting;
/// each key contains the index of its move in the list.
fn nth(moves: &MoveList, index: u32, turn: Color) -> Option<Move> {
    let keys = (0..)
        .zip(moves)
        .map(|(place, m)| canonical_key(*m, turn) << PLACE_BITS | place);
    let mut keys: Vec<u32> = keys.collect();
    let index = usize::try_from(index).ok()?;
    if index >= keys.len() {
        return None;
    }
    let (_, key, _) = keys.select_nth_unstable(index);
    let place = usize::try_from(*key & ((1 << PLACE_BITS) - 1)).ok()?;
    moves.get(place).copied()
}

/// The number of bits of an index in a move list, which holds 450 moves.
const PLACE_BITS: u32 = 9;

/// The sort key of canonical order. Castling follows the king's ordinary move to
/// the same square, which is possible in Chess960.
fn canonical_key(m: Move, turn: Color) -> u32 {
    let from_other_end = if turn.is_white() { 0 } else { 63 };
    let number = |square: Square| u32::from(square) ^ from_other_end;
    let board = |from, to| number(from) << 10 | number(to) << 4;
    match m {
        Move::Normal {
            from,
            to,
            promotion,
            ..
        } => board(from, to) | promotion.map_or(0, |role| u32::from(role) << 1),
        Move::EnPassant { from, to } => board(from, to),
        Move::Castle { king, .. } => board(king, target(m)) | 1,
        Move::Put { role, to } => 1 << 16 | u32::from(role) << 6 | number(to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::targets::tests as targets;

    #[test]
    fn unordered_plies_have_the_facts_of_the_ordered() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/1P6/8/3pP3/8/8/6p1/R3K2R w KQkq d6 0 1",
            "r3k2r/1P6/8/3pP3/8/8/6p1/R3K2R w kq - 0 1",
            "4k2r/8/8/3q4/8/8/4R3/4K3 b k - 0 1",
        ] {
            let position = position(fen, "");
            let mut plies: Vec<_> = position.unordered_plies().collect();
            plies.sort_by_key(|legal| legal.key);
            let ordered: Vec<_> = plies.iter().map(|legal| legal.ply).collect();
            assert_eq!(ordered, position.legal_plies());
            for legal in plies {
                let changes = position.changes_skeleton(legal.ply);
                assert_eq!(legal.changes_skeleton, changes, "{legal:?}");
                let facts = position.move_facts(legal.ply).expect("a move");
                assert_eq!(legal.role, facts.role, "{legal:?}");
            }
        }
    }

    #[test]
    fn canonical_order_of_the_first_ply() {
        let plies = ChessPosition::standard().legal_plies();
        let e4 = PlyKind::Move {
            from: Square::E2,
            to: Square::E4,
            promotion: None,
        };
        assert_eq!(plies.iter().position(|ply| *ply == e4), Some(13));
    }

    fn position(fen: &str, variant: &str) -> ChessPosition {
        let rules = crate::chess::Rules::by_name(variant.as_bytes()).expect("rules");
        ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position")
    }

    /// The targets of the moves from a square, in canonical order.
    fn targets(position: &ChessPosition, origin: Square) -> Vec<(Square, Option<Role>)> {
        let mut out = Vec::new();
        for ply in position.legal_plies() {
            if let PlyKind::Move {
                from,
                to,
                promotion,
            } = ply
                && from == origin
            {
                out.push((to, promotion));
            }
        }
        out
    }

    #[test]
    fn the_squares_of_black_count_from_h8() {
        let position = position(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "",
        );
        let first = PlyKind::Move {
            from: Square::G8,
            to: Square::H6,
            promotion: None,
        };
        let plies = position.legal_plies();
        assert_eq!(plies.first(), Some(&first));
        let last = PlyKind::Move {
            from: Square::A7,
            to: Square::A5,
            promotion: None,
        };
        assert_eq!(plies.last(), Some(&last));
    }

    #[test]
    fn promotions_go_from_knight_to_king() {
        let roles = [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ];
        let fen = "8/P7/8/8/8/7k/8/7K w - - 0 1";
        let promotions = |position: &ChessPosition| {
            let targets = targets(position, Square::A7);
            targets
                .into_iter()
                .map(|(_, role)| role)
                .collect::<Vec<_>>()
        };
        let chess = promotions(&position(fen, ""));
        assert_eq!(
            chess,
            roles[..4].iter().copied().map(Some).collect::<Vec<_>>()
        );
        let antichess = promotions(&position("8/P7/8/8/8/7k/8/7K w - - 0 1", "antichess"));
        assert_eq!(antichess, roles.map(Some));
    }

    /// Kf1–g1 and O-O (the king onto the rook on h1) have the same target.
    #[test]
    fn castling_is_ordered_after_the_step_of_the_king() {
        let position = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "chess960");
        let squares: Vec<Square> = targets(&position, Square::F1)
            .into_iter()
            .map(|(to, _)| to)
            .collect();
        let expected = [
            Square::E1,
            Square::G1,
            Square::H1,
            Square::E2,
            Square::F2,
            Square::G2,
        ];
        assert_eq!(squares, expected);
        assert_eq!(
            position.legal_plies().get(2).copied(),
            Some(PlyKind::Move {
                from: Square::F1,
                to: Square::H1,
                promotion: None,
            })
        );
    }

    /// Counting and selection agree with sorting, in games of all variants and in games from
    /// positions with promotions, pins and checks.
    #[test]
    fn numbers_are_those_of_the_sorted_list() {
        let rules = [false, true].into_iter().flat_map(|chess960| {
            let variants = shakmaty::variant::Variant::ALL.into_iter();
            variants.map(move |variant| crate::chess::Rules { variant, chess960 })
        });
        for rules in rules {
            check_game(ChessPosition::start(rules), 1);
        }
        for seed in 1..=8 {
            for (name, fen) in targets::STARTS {
                check_game(targets::position(name, fen), seed);
            }
        }
    }

    /// Plays at random and checks the numbers of all moves.
    fn check_game(mut position: ChessPosition, mut seed: u64) {
        for _ in 0..200 {
            let legal = position.legal_plies();
            let count = u32::try_from(legal.len()).expect("few");
            assert_eq!(position.legal_count(), count);
            for (index, ply) in (0..).zip(&legal) {
                let (mut by_ply, mut by_number) = (position.clone(), position.clone());
                let choice = by_ply.play_numbered(*ply);
                assert_eq!(choice, Ok(MoveNumber { index, count }));
                let played = by_number.play_nth(|choice| {
                    assert_eq!(choice, count);
                    Ok::<_, ()>(index)
                });
                assert_eq!(played, Ok(Some(*ply)));
                assert!(by_ply.is_same_as(&by_number));
            }
            assert_eq!(position.clone().play_nth(|_| Ok::<_, ()>(count)), Ok(None));
            if legal.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let pick = usize::try_from(seed >> 33).expect("31 bits") % legal.len();
            position.make(legal[pick]).expect("a legal ply");
        }
    }

    #[test]
    fn what_is_not_legal_has_no_number() {
        let mut start = ChessPosition::standard();
        let e2_e5 = PlyKind::Move {
            from: Square::E2,
            to: Square::E5,
            promotion: None,
        };
        assert_eq!(start.play_numbered(e2_e5), Err(IllegalPly));
        assert_eq!(start.play_numbered(PlyKind::Null), Err(IllegalPly));
        assert!(start.is_standard_start());
    }

    #[test]
    fn drops_come_last() {
        let fen = b"4k3/8/8/8/8/8/P7/4K3[QNpp] b - - 0 1";
        let rules = crate::chess::Rules::by_name(b"crazyhouse").expect("rules");
        let position = ChessPosition::from_fen(fen, rules).expect("a position");
        let plies = position.legal_plies();
        let first_drop = plies
            .iter()
            .position(|ply| matches!(ply, PlyKind::Drop { .. }));
        assert_eq!(first_drop, Some(5), "after the king's moves");
        // Black counts from h8: the first square for a pawn is h7.
        let first = PlyKind::Drop {
            role: Role::Pawn,
            to: Square::H7,
        };
        assert_eq!(plies.get(5), Some(&first));
        assert_eq!(plies.len(), 5 + 47);
    }
}
