//! Lines of moves, followed position by position.

use super::atom::{Atom, PlaceInLine};
use super::expression::Expression;
use super::repetition::Repetitions;
use crate::chess::{Castlings, ChessPosition, PlyKind, side_of};
use crate::pgn::{Moves, Step, Walker};
use crate::query::position_test::{PositionCondition, PositionTest};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// The maximum depth of variations that are searched. Each level has a copy of what the relations
/// of the tests remember, so without it the memory of a search would grow with the product of a
/// game's depth and an expression's length.
const MOST_NESTED: usize = 1000;

/// An expression that is ready to be asked along lines.
#[derive(Debug, Clone)]
pub(crate) struct LineTest {
    expression: Expression,
    /// The number of memory cells of its relations.
    cells: usize,
    counts_repetitions: bool,
}

impl LineTest {
    pub(crate) fn new(mut expression: Expression) -> LineTest {
        let mut cells = 0;
        expression.number(&mut cells);
        let counts_repetitions = expression.has_test(&|atom| matches!(atom, Atom::Repeated(_)));
        LineTest {
            expression,
            cells,
            counts_repetitions,
        }
    }

    /// Whether indexes can decide a part of it.
    pub(crate) fn is_indexed(&self) -> bool {
        self.expression.has_test(&Atom::is_indexed)
    }

    /// Whether it depends on nothing but the position.
    pub(crate) fn is_of_positions(&self) -> bool {
        self.cells == 0 && !self.expression.has_test(&|atom| !atom.is_of_position())
    }

    /// Whether a position satisfies it, if it depends on nothing else.
    pub(crate) fn is_in(&self, position: &ChessPosition) -> bool {
        let place = PlaceInLine {
            position,
            ply: 0,
            next: None,
            castled: Castlings::default(),
            occurrences: 0,
        };
        self.expression.holds(&place, &mut [])
    }

    pub(crate) fn expression(&self) -> &Expression {
        &self.expression
    }

    pub(crate) fn into_expression(self) -> Expression {
        self.expression
    }
}

/// A place in a line, with what the tests remember of the positions before it.
#[derive(Debug, Clone)]
struct LineState {
    position: ChessPosition,
    ply: usize,
    castled: Castlings,
    memory: Box<[usize]>,
}

/// Conditions that one position of a line has to satisfy, and how often its positions have
/// occurred.
struct LineSearch<'q> {
    tests: &'q [PositionTest],
    repetitions: Option<Repetitions>,
}

impl LineState {
    fn new(start: &ChessPosition, tests: &[PositionTest]) -> LineState {
        let cells = tests.iter().map(|test| match &test.0 {
            PositionCondition::Board(_) => 0,
            PositionCondition::Line(line) => line.cells,
        });
        LineState {
            position: start.clone(),
            ply: 0,
            castled: [None; 2],
            memory: vec![0; cells.sum()].into(),
        }
    }

    /// Whether all tests hold here, if this is the next ply. The tests remember the position.
    fn satisfies(&mut self, search: &LineSearch<'_>, next: Option<PlyKind>) -> bool {
        let at = PlaceInLine {
            position: &self.position,
            ply: self.ply,
            next,
            castled: self.castled,
            occurrences: search.repetitions.as_ref().map_or(0, Repetitions::count),
        };
        let mut memory = &mut self.memory[..];
        let mut holds = true;
        for test in search.tests {
            match &test.0 {
                PositionCondition::Board(board) => holds = holds && board.is_in(at.position),
                PositionCondition::Line(line) => {
                    let (own, rest) = memory.split_at_mut(line.cells.min(memory.len()));
                    // Also if another test has failed: it has to see every position.
                    holds &= (holds || line.cells > 0) && line.expression.holds(&at, own);
                    memory = rest;
                }
            }
        }
        holds
    }

    /// Plays a ply. `false` if it is illegal.
    fn play(&mut self, ply: PlyKind) -> bool {
        let turn = self.position.turn();
        let castling = self.position.castling_of(ply);
        if self.position.make_legal(ply).is_err() {
            return false;
        }
        if let Some(castled) = self
            .castled
            .get_mut(side_of(turn))
            .filter(|_| castling.is_some())
        {
            *castled = castling;
        }
        self.ply += 1;
        true
    }
}

impl<'q> LineSearch<'q> {
    fn new(tests: &'q [PositionTest]) -> LineSearch<'q> {
        let counts = |test: &PositionTest| match &test.0 {
            PositionCondition::Board(_) => false,
            PositionCondition::Line(line) => line.counts_repetitions,
        };
        LineSearch {
            tests,
            repetitions: tests.iter().any(counts).then(Repetitions::default),
        }
    }

    fn enter(&mut self, position: &ChessPosition) {
        if let Some(repetitions) = &mut self.repetitions {
            repetitions.push(position.repetition_hash());
        }
    }
}

/// A search of a main line for the first position that satisfies all tests.
pub(crate) struct MainLineSearch<'q> {
    search: LineSearch<'q>,
    state: LineState,
    /// No position with a lower potential satisfies them.
    least_potential: u16,
    /// Whether there is one, once that is certain.
    found: Option<bool>,
}

impl<'q> MainLineSearch<'q> {
    pub(crate) fn new(
        start: &ChessPosition,
        tests: &'q [PositionTest],
        least_potential: u16,
    ) -> MainLineSearch<'q> {
        let mut search = LineSearch::new(tests);
        search.enter(start);
        MainLineSearch {
            search,
            state: LineState::new(start, tests),
            least_potential,
            found: None,
        }
    }

    /// Goes on with the next ply of the line, until the outcome is certain.
    pub(crate) fn step(&mut self, ply: PlyKind) -> ControlFlow<()> {
        self.found = self.found_before(ply);
        match self.found {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn found_before(&mut self, ply: PlyKind) -> Option<bool> {
        if self.state.satisfies(&self.search, Some(ply)) {
            return Some(true);
        }
        let changes = self.least_potential > 0 && self.state.position.changes_skeleton(ply);
        if !self.state.play(ply) {
            return Some(false);
        }
        self.search.enter(&self.state.position);
        let potential = || self.state.position.skeleton().potential();
        (changes && potential() < self.least_potential).then_some(false)
    }

    /// The number of plies before the position, after the last ply of the line or the one at which
    /// the search ended.
    pub(crate) fn finish(mut self) -> Option<usize> {
        let found = self.found;
        let is_found = found.unwrap_or_else(|| self.state.satisfies(&self.search, None));
        is_found.then_some(self.state.ply)
    }
}

/// The first position of the main line that satisfies all tests, by the number of plies before it.
pub(crate) fn find_in_main_line(moves: &Moves, tests: &[PositionTest]) -> Option<usize> {
    let mut search = MainLineSearch::new(&moves.start, tests, 0);
    let _ = moves.main_line().try_for_each(|ply| search.step(ply));
    search.finish()
}

/// Whether a position of a line that ends with a variation satisfies all tests. Such a line begins
/// at the start of the game and leaves the main line where the variation does.
pub(crate) fn is_in_variations(moves: &Moves, tests: &[PositionTest]) -> bool {
    let mut search = LineSearch::new(tests);
    search.enter(&moves.start);
    let mut walker = Walker::new(LineState::new(&moves.start, tests));
    // Whether the open variations have a ply.
    let mut started: Vec<bool> = Vec::new();
    let mut too_deep = 0u64;
    for step in &moves.steps {
        match step {
            Step::Close if too_deep > 0 => too_deep -= 1,
            Step::Open if too_deep > 0 || started.len() >= MOST_NESTED => too_deep += 1,
            Step::Ply(_) if too_deep > 0 => {}
            Step::Open => {
                if walker.open().is_err() {
                    return false;
                }
                started.push(false);
                search.repetitions.iter_mut().for_each(Repetitions::open);
            }
            Step::Close => {
                let is_hit = started.pop() == Some(true) && ends_with_hit(&walker, &search);
                if is_hit || walker.close().is_err() {
                    return is_hit;
                }
                search.repetitions.iter_mut().for_each(Repetitions::close);
            }
            Step::Ply(ply) => {
                let mut holds = false;
                let mut is_legal = false;
                let step = walker.step(|state| {
                    holds = state.satisfies(&search, Some(*ply));
                    is_legal = state.play(*ply);
                    Ok::<(), Infallible>(())
                });
                let Ok(()) = step;
                if holds && !walker.is_main() {
                    return true;
                }
                if !is_legal {
                    return false;
                }
                started
                    .iter_mut()
                    .next_back()
                    .into_iter()
                    .for_each(|started| *started = true);
                search.enter(&walker.state().position);
            }
        }
    }
    false
}

/// Whether the last position of a line satisfies all tests.
fn ends_with_hit(walker: &Walker<LineState>, search: &LineSearch<'_>) -> bool {
    walker.state().clone().satisfies(search, None)
}
