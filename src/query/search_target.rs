//! Conditions on a position as the target of an index search.

use super::board::BoardTest;
use super::position_test::{PositionCondition, PositionTest};
use super::visitors;
use crate::chess::{ChessPosition, Skeleton};
use crate::index::{
    KnownPosition, PawnStructure, PlaceSet, PositionTrace, SearchTarget, Ternary, Visits,
};

impl PositionTest {
    /// Whether indexes can decide a part of it.
    fn is_indexed(&self) -> bool {
        match &self.0 {
            PositionCondition::Board(_) => true,
            PositionCondition::Line(line) => line.is_indexed(),
        }
    }

    /// Whether it depends on nothing but the position.
    fn is_of_positions(&self) -> bool {
        match &self.0 {
            PositionCondition::Board(_) => true,
            PositionCondition::Line(line) => line.is_of_positions(),
        }
    }

    /// Whether a position satisfies it, if it depends on nothing else.
    fn is_in(&self, position: &ChessPosition) -> bool {
        match &self.0 {
            PositionCondition::Board(board) => board.is_in(position),
            PositionCondition::Line(line) => line.is_in(position),
        }
    }

    fn judge(&self, known: &KnownPosition<'_>) -> Ternary {
        match &self.0 {
            PositionCondition::Board(board) => board.judge(known.skeleton),
            PositionCondition::Line(line) => line.expression().judge(known),
        }
    }

    /// Whether it may hold, if a condition on the board may hold where `board_may` says so.
    fn may_hold(&self, board_may: &dyn Fn(&BoardTest) -> bool) -> bool {
        match &self.0 {
            PositionCondition::Board(board) => board_may(board),
            PositionCondition::Line(line) => line.expression().may_hold(board_may),
        }
    }

    fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        match &self.0 {
            PositionCondition::Board(board) => board.visitors(visits),
            PositionCondition::Line(line) => line.expression().visitors(visits),
        }
    }
}

impl SearchTarget for [PositionTest] {
    fn is_indexed(&self) -> bool {
        self.iter().any(PositionTest::is_indexed)
    }

    fn is_of_positions(&self) -> bool {
        self.iter().all(PositionTest::is_of_positions)
    }

    fn matches(&self, position: &ChessPosition) -> bool {
        self.iter().all(|test| test.is_in(position))
    }

    fn judge(&self, known: &KnownPosition<'_>) -> Ternary {
        Ternary::all(self.iter().map(|test| test.judge(known)))
    }

    fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool {
        let is_reachable = |board: &BoardTest| !board.is_unreachable_after(skeleton);
        !self.iter().all(|test| test.may_hold(&is_reachable))
    }

    fn may_occur_in_game_ending(&self, men: [u8; 2], home_pawns: u16) -> bool {
        self.iter()
            .all(|test| test.may_hold(&|board| board.may_occur_in_game_ending(men, home_pawns)))
    }

    fn home_pawns(&self) -> Option<u16> {
        self.iter().find_map(|test| match &test.0 {
            PositionCondition::Board(board) => board.home_pawns(),
            PositionCondition::Line(_) => None,
        })
    }

    fn pawns(&self) -> Option<PawnStructure> {
        self.iter().find_map(|test| match &test.0 {
            PositionCondition::Board(board) => board.pawns(),
            PositionCondition::Line(_) => None,
        })
    }

    fn position(&self) -> Option<PositionTrace> {
        self.iter().find_map(|test| match &test.0 {
            PositionCondition::Board(board) => board.position(),
            PositionCondition::Line(_) => None,
        })
    }

    fn may_precede(&self, later: &Skeleton, promotions: u32) -> bool {
        self.iter()
            .all(|test| test.may_hold(&|board| board.may_precede(later, promotions)))
    }

    fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        visitors::all(self.iter().map(|test| test.visitors(visits)))
    }
}
