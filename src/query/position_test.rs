//! Conditions on positions, as users write them.

use super::board::BoardTest;
use super::error::PositionTestError;
use super::material::Material;
use super::parse::SyntaxError;
use super::pattern::Pattern;
use super::structure::{Expression, LineTest};
use std::str::FromStr;

/// A condition on a position, or on a position and the line that leads to it.
///
/// Parsed from an expression such as `opposite bishops and not passed P`, or
/// `takes q then within 1 takes Q`. `pgna help find` lists the tests, and [the
/// guide](https://docs.rs/crate/pgna/latest/source/docs/positions.md) defines each. A relation
/// over time holds in the position that completes it, so an expression with `then` is a condition
/// on one position as any other.
///
/// ```
/// use pgna::{Archive, PackOptions, Place, Query, Writer};
///
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("mate.pgn", &b"1. f3 e5 2. g4 Qh4# 0-1\n"[..])?;
/// let archive = Archive::new(writer.finish()?.0)?;
///
/// let query = Query {
///     positions: vec!["isolated Ph then within 4 mate".parse()?],
///     ..Query::default()
/// };
/// assert!(archive.query(&query)?.next().is_none());
/// let query = Query {
///     positions: vec!["P4 >= 1 and p5 then mate".parse()?],
///     ..Query::default()
/// };
/// let hit = archive.query(&query)?.next().expect("a game")?;
/// assert_eq!(hit.place, Some(Place::Ply(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PositionTest(pub(super) PositionCondition);

/// The form of a condition on a position.
#[derive(Debug, Clone)]
pub(super) enum PositionCondition {
    /// A condition on the board.
    Board(Box<BoardTest>),
    /// A condition on a position in a line.
    Line(LineTest),
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
    /// ignored. Fields after the side to move may be missing; they default to `- - 0 1`.
    ///
    /// # Errors
    /// The FEN is malformed or not a legal position.
    pub fn exact(fen: &str) -> Result<PositionTest, PositionTestError> {
        BoardTest::exact(fen).map(PositionTest::of_board)
    }

    /// The pieces of a FEN, with either side to move. It need not be a legal position.
    ///
    /// # Errors
    /// The FEN is malformed.
    pub fn pieces(fen: &str) -> Result<PositionTest, PositionTestError> {
        BoardTest::pieces(fen).map(PositionTest::of_board)
    }

    /// Any of these materials.
    pub fn material(any: Vec<Material>) -> PositionTest {
        PositionTest::of_board(BoardTest::Material(any))
    }

    /// Any of these patterns.
    pub fn pattern(any: Vec<Pattern>) -> PositionTest {
        PositionTest::of_board(BoardTest::Pattern(any))
    }

    /// The condition of an expression.
    pub(super) fn of_expression(expression: Expression) -> PositionTest {
        PositionTest(PositionCondition::Line(LineTest::new(expression)))
    }

    pub(super) fn of_board(board: BoardTest) -> PositionTest {
        PositionTest(PositionCondition::Board(Box::new(board)))
    }

    /// The condition with colours exchanged and ranks mirrored.
    #[must_use]
    pub fn flipped(&self) -> PositionTest {
        match &self.0 {
            PositionCondition::Board(board) => PositionTest::of_board(board.flipped()),
            PositionCondition::Line(line) => {
                PositionTest::of_expression(line.expression().flipped())
            }
        }
    }

    /// The condition that at least one of these holds.
    pub fn any(tests: impl IntoIterator<Item = PositionTest>) -> PositionTest {
        let parts = tests.into_iter().map(|test| match test.0 {
            PositionCondition::Board(board) => Expression::of_board(*board),
            PositionCondition::Line(line) => line.into_expression(),
        });
        PositionTest::of_expression(Expression::any(parts.collect()))
    }
}

impl FromStr for PositionTest {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        text.parse().map(PositionTest::of_expression)
    }
}
