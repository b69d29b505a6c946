//! Conditions on the board of a position, which indexes can decide.

use super::error::PositionTestError;
use super::goal::Goal;
use super::material::Material;
use super::pattern::Pattern;
use super::visitors;
use crate::chess::{ChessPosition, Color, Extras, Piece, Setup, Skeleton, Square};
use crate::index::{
    KnownPosition, PawnStructure, PlaceSet, PositionTrace, SearchTarget, Ternary, Visits,
    home_pawns,
};
use crate::pgn::Start;

/// How many sets of visitors are used for a position. Each must be decoded, and the rarest exclude most
/// games.
const MOST_VISITORS: usize = 2;

/// A condition on the board of a position.
#[derive(Debug, Clone)]
pub enum BoardTest {
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
pub struct PositionTarget {
    setup: Setup,
    /// Position hashes with White and with Black to move; may collide.
    keys: [u32; 2],
    goal: Goal,
}

impl BoardTest {
    /// The position of a FEN.
    ///
    /// # Errors
    /// The FEN is malformed or not a legal position.
    pub fn exact(fen: &str) -> Result<BoardTest, PositionTestError> {
        Ok(BoardTest::of_setup(position(fen)?.setup()))
    }

    /// The position of this setup.
    pub(super) fn of_setup(setup: Setup) -> BoardTest {
        BoardTest::Exact(PositionTarget::of(setup))
    }

    /// The pieces of a FEN.
    ///
    /// # Errors
    /// The FEN is malformed.
    pub fn pieces(fen: &str) -> Result<BoardTest, PositionTestError> {
        let setup = Setup {
            castling_rooks: 0,
            ..setup(fen)?
        };
        Ok(BoardTest::Pieces(PositionTarget::of(setup)))
    }

    /// The condition with colours exchanged and ranks mirrored.
    pub(super) fn flipped(&self) -> BoardTest {
        match self {
            BoardTest::Exact(target) => BoardTest::Exact(target.flipped()),
            BoardTest::Pieces(target) => BoardTest::Pieces(target.flipped()),
            BoardTest::Material(any) => {
                BoardTest::Material(any.iter().map(Material::flipped).collect())
            }
            BoardTest::Pattern(any) => {
                BoardTest::Pattern(any.iter().map(Pattern::flipped).collect())
            }
        }
    }

    pub(super) fn is_in(&self, position: &ChessPosition) -> bool {
        match self {
            BoardTest::Exact(target) => target.is(position),
            BoardTest::Pieces(target) => target.has_pieces_of(position),
            BoardTest::Material(any) => any.iter().any(|material| material.is_of(position)),
            BoardTest::Pattern(any) => any.iter().any(|pattern| pattern.is_in(position)),
        }
    }

    /// Whether positions with this skeleton satisfy it.
    pub(super) fn judge(&self, skeleton: &Skeleton) -> Ternary {
        let unless = |is_not: bool| match is_not {
            true => Ternary::FALSE,
            false => Ternary::UNKNOWN,
        };
        match self {
            BoardTest::Exact(target) => unless(target.goal.skeleton() != skeleton),
            BoardTest::Pieces(target) => unless(!target.goal.has_pieces_of(skeleton)),
            BoardTest::Material(any) => any
                .iter()
                .any(|material| material.is_of_skeleton(skeleton))
                .into(),
            BoardTest::Pattern(any) => {
                Ternary::any(any.iter().map(|pattern| pattern.judge(skeleton)))
            }
        }
    }

    /// Whether no position satisfies it later in a game than one with this skeleton that does not.
    pub(super) fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool {
        match self {
            BoardTest::Exact(target) | BoardTest::Pieces(target) => {
                target.goal.is_unreachable_after(skeleton)
            }
            BoardTest::Material(any) => any
                .iter()
                .all(|material| material.is_unreachable_after(skeleton)),
            BoardTest::Pattern(any) => any
                .iter()
                .all(|pattern| pattern.is_unreachable_after(skeleton)),
        }
    }

    /// Whether a position of a game that ends like this may satisfy it.
    pub(super) fn may_occur_in_game_ending(&self, men: [u8; 2], home_pawns: u16) -> bool {
        match self {
            BoardTest::Exact(target) | BoardTest::Pieces(target) => {
                target.goal.may_be_before(men, home_pawns)
            }
            BoardTest::Material(any) => any.iter().any(|material| material.may_be_before(men)),
            BoardTest::Pattern(any) => any.iter().any(|pattern| pattern.may_be_before(home_pawns)),
        }
    }

    /// Whether a position before one with this skeleton may satisfy it, in a game with this many
    /// promotions.
    pub(super) fn may_precede(&self, later: &Skeleton, promotions: u32) -> bool {
        match self {
            BoardTest::Exact(target) => {
                let rights = target.goal.skeleton().castling_rooks;
                later.castling_rooks & !rights == 0 && target.goal.may_have_been(later)
            }
            BoardTest::Pieces(target) => target.goal.may_have_been(later),
            BoardTest::Material(any) => any
                .iter()
                .any(|material| material.may_precede(later, promotions)),
            BoardTest::Pattern(_) => true,
        }
    }

    /// The pawns at home, if it determines them.
    pub(super) fn home_pawns(&self) -> Option<u16> {
        match self {
            BoardTest::Exact(target) | BoardTest::Pieces(target) => {
                Some(home_pawns(target.goal.skeleton()))
            }
            BoardTest::Material(_) | BoardTest::Pattern(_) => None,
        }
    }

    /// The pawns of the positions that can satisfy it, if these are the same in all.
    pub(super) fn pawns(&self) -> Option<PawnStructure> {
        match self {
            BoardTest::Exact(target) | BoardTest::Pieces(target) => {
                Some(target.goal.skeleton().pawns)
            }
            BoardTest::Material(_) | BoardTest::Pattern(_) => None,
        }
    }

    /// The only position that can satisfy it, if there is one.
    pub(super) fn position(&self) -> Option<PositionTrace> {
        match self {
            BoardTest::Exact(target) => Some(PositionTrace {
                key: target.setup.key(target.setup.turn),
                potential: target.goal.skeleton().potential(),
            }),
            BoardTest::Pieces(_) | BoardTest::Material(_) | BoardTest::Pattern(_) => None,
        }
    }

    /// The games in which it may hold, judged by the squares that their pieces visit; `None` if
    /// these rule out none.
    pub(super) fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        match self {
            BoardTest::Pattern(any) => {
                visitors::any(any.iter().map(|pattern| pattern.visitors(visits)))
            }
            BoardTest::Exact(target) | BoardTest::Pieces(target) => target.visitors(visits),
            BoardTest::Material(_) => None,
        }
    }
}

impl SearchTarget for BoardTest {
    fn is_indexed(&self) -> bool {
        true
    }

    fn is_of_positions(&self) -> bool {
        true
    }

    fn matches(&self, position: &ChessPosition) -> bool {
        self.is_in(position)
    }

    fn judge(&self, known: &KnownPosition<'_>) -> Ternary {
        BoardTest::judge(self, known.skeleton)
    }

    fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool {
        BoardTest::is_unreachable_after(self, skeleton)
    }

    fn may_occur_in_game_ending(&self, men: [u8; 2], home_pawns: u16) -> bool {
        BoardTest::may_occur_in_game_ending(self, men, home_pawns)
    }

    fn home_pawns(&self) -> Option<u16> {
        BoardTest::home_pawns(self)
    }

    fn pawns(&self) -> Option<PawnStructure> {
        BoardTest::pawns(self)
    }

    fn position(&self) -> Option<PositionTrace> {
        BoardTest::position(self)
    }

    fn may_precede(&self, later: &Skeleton, promotions: u32) -> bool {
        BoardTest::may_precede(self, later, promotions)
    }

    fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        BoardTest::visitors(self, visits)
    }
}

/// The position of a FEN under the rules of chess, or of Chess960 if only these allow
/// its castling rights.
pub(super) fn position(fen: &str) -> Result<ChessPosition, PositionTestError> {
    setup(fen)?;
    let is_gap = |letter: char| letter.is_whitespace() || letter == '_';
    if fen.trim().split(is_gap).nth(1).is_none() {
        return Err(PositionTestError::NoSideToMove);
    }
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

    #[cfg(feature = "cli")]
    pub(super) fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The target with colours exchanged and ranks mirrored.
    fn flipped(&self) -> PositionTarget {
        PositionTarget::of(self.setup.flipped())
    }

    /// The games with the rarest of the pieces on their squares.
    fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        let pieces = Square::ALL.into_iter().zip(self.setup.pieces);
        let pieces = pieces.filter_map(|(square, piece)| {
            let piece = piece?;
            Some((visits.count(piece, square)?, piece, square))
        });
        let mut pieces: Vec<(usize, Piece, Square)> = pieces.collect();
        pieces.sort_by_key(|(games, ..)| *games);
        let rarest = pieces.into_iter().take(MOST_VISITORS);
        visitors::all(rarest.map(|(_, piece, square)| visits.games_with(piece, square)))
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

    fn is_in(board: &Result<BoardTest, PositionTestError>, fen: &str) -> bool {
        let rules = Rules::CHESS;
        let position = ChessPosition::from_fen(fen.as_bytes(), rules).unwrap();
        board.as_ref().unwrap().is_in(&position)
    }

    #[test]
    fn counters_and_idle_squares_do_not_distinguish_positions() {
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        let exact = BoardTest::exact(&format!("{after_e4} e3 0 1"));
        assert!(is_in(&exact, &format!("{after_e4} - 7 30")));
        assert!(is_in(
            &BoardTest::exact(&format!("{after_e4} -")),
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
        let pieces = BoardTest::pieces(after_e4);
        assert!(is_in(
            &pieces,
            &format!("{} - 0 1", after_e4.replace(" b KQkq", " w -"))
        ));
    }

    #[test]
    fn a_flipped_position_is_that_of_the_other_side() {
        let fen = "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1";
        let other = "4k2r/8/8/3Pp3/8/8/8/R3K3 w Qk e6 0 1";
        let flipped = |board: Result<BoardTest, _>| board.map(|board| board.flipped());
        assert!(is_in(&flipped(BoardTest::exact(fen)), other));
        assert!(!is_in(&flipped(BoardTest::exact(fen)), fen));
        assert!(is_in(&flipped(BoardTest::pieces(fen)), other));
    }

    #[test]
    fn a_square_where_a_pawn_can_capture_does() {
        let fen = |square: &str| format!("4k3/8/8/8/3pP3/8/8/4K3 b - {square} 0 1");
        assert!(is_in(&BoardTest::exact(&fen("e3")), &fen("e3")));
        assert!(!is_in(&BoardTest::exact(&fen("e3")), &fen("-")));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for fen in [
            "",
            "x",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "k6R/8/8/8/8/8/8/K7 w - - 0 1",
        ] {
            assert!(BoardTest::exact(fen).is_err(), "{fen}");
        }
    }
}
