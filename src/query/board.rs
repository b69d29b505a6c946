//! Conditions on positions.

use super::error::PositionTestError;
use super::goal::Goal;
use super::material::Material;
use super::pattern::Pattern;
use crate::chess::{ChessPosition, Color, Extras, Setup, Skeleton};
use crate::index::SearchTarget;
use crate::pgn::Start;

/// A condition on a position.
#[derive(Debug, Clone)]
pub struct PositionTest(PositionCondition);

/// The form of a condition on a position.
#[derive(Debug, Clone)]
enum PositionCondition {
    /// This position.
    Exact(PositionTarget),
    /// These pieces, with either side to move.
    Pieces(PositionTarget),
    /// Any of these materials.
    Material(Vec<Material>),
    /// Any of these patterns.
    Pattern(Vec<Pattern>),
}

/// A position to search for.
#[derive(Debug, Clone)]
struct PositionTarget {
    setup: Setup,
    /// Position hashes with White and with Black to move; may collide.
    keys: [u32; 2],
    goal: Goal,
}

/// The lines that are searched for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineScope {
    /// Only the main line.
    #[default]
    MainLine,
    /// The main line and the variations.
    AnyLine,
}

impl PositionTest {
    /// The position of a FEN: pieces, side to move, castling rights, and the en-passant
    /// square if a pawn can capture there. What variants add, such as pieces in hand, is
    /// ignored. Missing fields default to `w - - 0 1`.
    ///
    /// # Errors
    /// The FEN is malformed or not a legal position.
    pub fn exact(fen: &str) -> Result<PositionTest, PositionTestError> {
        Ok(PositionTest::of_setup(position(fen)?.setup()))
    }

    /// The position of this setup.
    pub(super) fn of_setup(setup: Setup) -> PositionTest {
        PositionTest(PositionCondition::Exact(PositionTarget::of(setup)))
    }

    /// The pieces of a FEN, with either side to move. It need not be a legal position.
    ///
    /// # Errors
    /// The FEN is malformed.
    pub fn pieces(fen: &str) -> Result<PositionTest, PositionTestError> {
        let setup = Setup {
            castling_rooks: 0,
            ..setup(fen)?
        };
        let target = PositionTarget::of(setup);
        Ok(PositionTest(PositionCondition::Pieces(target)))
    }

    /// Any of these materials.
    pub fn material(any: Vec<Material>) -> PositionTest {
        PositionTest(PositionCondition::Material(any))
    }

    /// Any of these patterns.
    pub fn pattern(any: Vec<Pattern>) -> PositionTest {
        PositionTest(PositionCondition::Pattern(any))
    }

    pub(super) fn is_in(&self, position: &ChessPosition) -> bool {
        match &self.0 {
            PositionCondition::Exact(target) => target.is(position),
            PositionCondition::Pieces(target) => target.has_pieces_of(position),
            PositionCondition::Material(any) => any.iter().any(|material| material.is_of(position)),
            PositionCondition::Pattern(any) => any.iter().any(|pattern| pattern.is_in(position)),
        }
    }
}

impl SearchTarget for [PositionTest] {
    fn matches(&self, position: &ChessPosition) -> bool {
        self.iter().all(|board| board.is_in(position))
    }

    fn may_match(&self, skeleton: &Skeleton) -> bool {
        self.iter().all(|board| match &board.0 {
            PositionCondition::Exact(target) => target.goal.skeleton() == skeleton,
            PositionCondition::Pieces(target) => target.goal.has_pieces_of(skeleton),
            PositionCondition::Material(any) => {
                any.iter().any(|material| material.may_be(skeleton))
            }
            PositionCondition::Pattern(any) => any.iter().any(|pattern| pattern.may_be(skeleton)),
        })
    }

    fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool {
        self.iter().any(|board| match &board.0 {
            PositionCondition::Exact(target) | PositionCondition::Pieces(target) => {
                target.goal.is_unreachable_after(skeleton)
            }
            PositionCondition::Material(any) => any
                .iter()
                .all(|material| material.is_unreachable_after(skeleton)),
            PositionCondition::Pattern(any) => any
                .iter()
                .all(|pattern| pattern.is_unreachable_after(skeleton)),
        })
    }

    fn may_occur_in_game_ending(&self, men: [u8; 2], home_pawns: u16) -> bool {
        self.iter().all(|board| match &board.0 {
            PositionCondition::Exact(target) | PositionCondition::Pieces(target) => {
                target.goal.may_be_before(men, home_pawns)
            }
            PositionCondition::Material(any) => {
                any.iter().any(|material| material.may_be_before(men))
            }
            PositionCondition::Pattern(any) => {
                any.iter().any(|pattern| pattern.may_be_before(home_pawns))
            }
        })
    }

    fn may_precede(&self, later: &Skeleton) -> bool {
        self.iter().all(|board| match &board.0 {
            PositionCondition::Exact(target) => {
                let rights = target.goal.skeleton().castling_rooks;
                later.castling_rooks & !rights == 0 && target.goal.may_have_been(later)
            }
            PositionCondition::Pieces(target) => target.goal.may_have_been(later),
            PositionCondition::Material(_) | PositionCondition::Pattern(_) => true,
        })
    }
}

/// The position of a FEN under the rules of chess, or of Chess960 if only these allow
/// its castling rights.
pub(super) fn position(fen: &str) -> Result<ChessPosition, PositionTestError> {
    setup(fen)?;
    let start = Start::of([(&b"FEN"[..], fen.trim().as_bytes())].into_iter());
    let position = start.map(|(_, position)| position);
    let why = "a king is missing, or the side to move could take it";
    position.ok_or_else(|| PositionTestError::Fen(why.to_owned()))
}

/// Parses a FEN.
fn setup(fen: &str) -> Result<Setup, PositionTestError> {
    let setup = Setup::from_fen(fen.trim().as_bytes());
    setup.map_err(|error| PositionTestError::Fen(error.to_string()))
}

impl PositionTarget {
    /// A target with the pieces and rights of this setup.
    fn of(setup: Setup) -> PositionTarget {
        PositionTarget {
            keys: [Color::White, Color::Black].map(|turn| setup.key(turn)),
            goal: Goal::new(setup.skeleton()),
            setup: essence(setup),
        }
    }

    fn is(&self, position: &ChessPosition) -> bool {
        self.keys.contains(&position.key()) && essence(position.setup()) == self.setup
    }

    fn has_pieces_of(&self, position: &ChessPosition) -> bool {
        self.keys.contains(&position.key()) && position.setup().pieces == self.setup.pieces
    }
}

/// The part of a setup that identifies a position: no move counters, no additions of
/// variants.
fn essence(mut setup: Setup) -> Setup {
    setup.halfmoves = 0;
    setup.fullmoves = std::num::NonZeroU32::MIN;
    setup.extras = Extras::default();
    setup
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Rules;

    fn is_in(board: &Result<PositionTest, PositionTestError>, fen: &str) -> bool {
        let rules = Rules::CHESS;
        let position = ChessPosition::from_fen(fen.as_bytes(), rules).unwrap();
        board.as_ref().unwrap().is_in(&position)
    }

    #[test]
    fn counters_and_idle_squares_do_not_distinguish_positions() {
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        let exact = PositionTest::exact(&format!("{after_e4} e3 0 1"));
        assert!(is_in(&exact, &format!("{after_e4} - 7 30")));
        assert!(is_in(
            &PositionTest::exact(&format!("{after_e4} -")),
            &format!("{after_e4} e3 0 1")
        ));
        assert!(!is_in(
            &exact,
            &format!("{} - 0 1", after_e4.replace(" b ", " w "))
        ));
        assert!(!is_in(
            &exact,
            &format!("{} - 0 1", after_e4.replace("KQkq", "KQ"))
        ));
        let pieces = PositionTest::pieces(after_e4);
        assert!(is_in(
            &pieces,
            &format!("{} - 0 1", after_e4.replace(" b KQkq", " w -"))
        ));
    }

    #[test]
    fn a_square_where_a_pawn_can_capture_does() {
        let fen = |square: &str| format!("4k3/8/8/8/3pP3/8/8/4K3 b - {square} 0 1");
        assert!(is_in(&PositionTest::exact(&fen("e3")), &fen("e3")));
        assert!(!is_in(&PositionTest::exact(&fen("e3")), &fen("-")));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for fen in [
            "",
            "x",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "k6R/8/8/8/8/8/8/K7 w - - 0 1",
        ] {
            assert!(PositionTest::exact(fen).is_err(), "{fen}");
        }
    }
}
