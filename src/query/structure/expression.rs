//! Expressions: tests combined by logic and by relations over time.
//!
//! The relations look back: each holds in a position if something held before it in the line.
//! So an expression is decided position by position, with a number for each relation and without
//! going back (K. Havelund, G. Roşu, *Synthesizing Monitors for Safety Properties*, 2002).

use super::atom::{Atom, PlaceInLine};
use crate::query::board::BoardTest;

/// A condition on a position in a line.
#[derive(Debug, Clone)]
pub(crate) enum Expression {
    /// A single test.
    Test(TestNode),
    /// The part does not hold.
    Not(Box<Expression>),
    /// All parts hold.
    All(Parts),
    /// At least one part holds.
    Any(Parts),
    /// The parts have held one after the other, the last of them here.
    Then(Then),
    /// The part holds here and has held in the positions before it, this many in all.
    For(Memory, u32, Box<Expression>),
    /// The part holds here or has held before.
    Ever(Memory, Box<Expression>),
}

/// A single test of an expression.
#[derive(Debug, Clone)]
pub(crate) struct TestNode(pub(super) Atom);

/// Parts of an expression. Those with a memory come first, since they have to see every position.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    parts: Vec<Expression>,
    remembering: usize,
}

/// The number of the memory cell of a relation. [`Expression::number`] sets it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Memory(usize);

/// Expressions that hold one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Then {
    first: Box<Expression>,
    links: Vec<Link>,
}

/// An expression that holds after another one.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// One more than the last ply at which the one before it held, or 0.
    memory: Memory,
    /// The maximum number of plies between the two.
    within: Option<u32>,
    then: Expression,
}

/// The maximum number of relations of an expression.
pub(super) const MOST_RELATIONS: usize = 1000;

impl Parts {
    fn new(parts: Vec<Expression>) -> Parts {
        let (mut first, rest): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(Expression::remembers);
        let remembering = first.len();
        first.extend(rest);
        Parts {
            parts: first,
            remembering,
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Expression> {
        self.parts.iter()
    }

    /// Whether a part has this value. All parts with a memory see the position.
    fn has(&self, value: bool, at: &PlaceInLine<'_>, memory: &mut [usize]) -> bool {
        let (remembering, rest) = self.parts.split_at(self.remembering.min(self.parts.len()));
        let mut has = false;
        for part in remembering {
            has |= part.holds(at, memory) == value;
        }
        has || rest.iter().any(|part| part.holds(at, memory) == value)
    }
}

impl Memory {
    fn cell(self, memory: &mut [usize]) -> Option<&mut usize> {
        memory.get_mut(self.0)
    }
}

impl Then {
    /// The expression that holds last.
    pub(super) fn last(&self) -> &Expression {
        self.links.last().map_or(&self.first, |link| &link.then)
    }

    /// The expressions, in order.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Expression> {
        let links = self.links.iter().map(|link| &link.then);
        std::iter::once(&*self.first).chain(links)
    }

    fn holds(&self, at: &PlaceInLine<'_>, memory: &mut [usize]) -> bool {
        let mut held = self.first.holds(at, memory);
        for link in &self.links {
            let last = link.memory.cell(memory).copied().unwrap_or(0);
            let is_near = |within: u32| at.ply + 1 - last <= within as usize;
            let is_due = last > 0 && link.within.is_none_or(is_near);
            let holds = (is_due || link.then.remembers()) && link.then.holds(at, memory);
            if held && let Some(cell) = link.memory.cell(memory) {
                *cell = at.ply + 1;
            }
            held = is_due && holds;
        }
        held
    }
}

impl Expression {
    pub(super) fn test(atom: Atom) -> Expression {
        Expression::Test(TestNode(atom))
    }

    /// A condition on the board.
    pub(crate) fn of_board(board: BoardTest) -> Expression {
        Expression::test(Atom::Board(Box::new(board)))
    }

    pub(super) fn not(part: Expression) -> Expression {
        Expression::Not(Box::new(part))
    }

    /// All of these.
    pub(crate) fn all(mut parts: Vec<Expression>) -> Expression {
        match (parts.len(), parts.pop()) {
            (1, Some(part)) => part,
            (_, last) => {
                parts.extend(last);
                Expression::All(Parts::new(parts))
            }
        }
    }

    /// Any of these. Parts that are themselves alternatives are taken apart, so that expressions
    /// do not grow deep.
    pub(crate) fn any(parts: Vec<Expression>) -> Expression {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Expression::Any(inner) => flat.extend(inner.parts),
                part => flat.push(part),
            }
        }
        match (flat.len(), flat.pop()) {
            (1, Some(part)) => part,
            (_, last) => {
                flat.extend(last);
                Expression::Any(Parts::new(flat))
            }
        }
    }

    /// The first, and after it each of the links, within a number of plies if one is given.
    pub(super) fn then(first: Expression, links: Vec<(Option<u32>, Expression)>) -> Expression {
        if links.is_empty() {
            return first;
        }
        let links = links.into_iter().map(|(within, then)| Link {
            memory: Memory::default(),
            within,
            then,
        });
        Expression::Then(Then {
            first: Box::new(first),
            links: links.collect(),
        })
    }

    pub(super) fn lasting(positions: u32, part: Expression) -> Expression {
        Expression::For(Memory::default(), positions, Box::new(part))
    }

    pub(super) fn ever(part: Expression) -> Expression {
        Expression::Ever(Memory::default(), Box::new(part))
    }

    /// Whether it has a memory.
    fn remembers(&self) -> bool {
        match self {
            Expression::Test(_) => false,
            Expression::Not(part) => part.remembers(),
            Expression::All(parts) | Expression::Any(parts) => parts.remembering > 0,
            Expression::Then(_) | Expression::For(..) | Expression::Ever(..) => true,
        }
    }

    /// Gives each relation its memory cell, from `next` on.
    pub(super) fn number(&mut self, next: &mut usize) {
        let mut number = |memory: &mut Memory| {
            *memory = Memory(*next);
            *next += 1;
        };
        match self {
            Expression::Test(_) => {}
            Expression::Not(part) => part.number(next),
            Expression::All(parts) | Expression::Any(parts) => {
                parts.parts.iter_mut().for_each(|part| part.number(next));
            }
            Expression::Then(then) => {
                then.links
                    .iter_mut()
                    .for_each(|link| number(&mut link.memory));
                then.first.number(next);
                then.links
                    .iter_mut()
                    .for_each(|link| link.then.number(next));
            }
            Expression::For(memory, _, part) | Expression::Ever(memory, part) => {
                number(memory);
                part.number(next);
            }
        }
    }

    /// The number of its relations.
    pub(super) fn relations(&self) -> usize {
        match self {
            Expression::Test(_) => 0,
            Expression::Not(part) => part.relations(),
            Expression::All(parts) | Expression::Any(parts) => {
                parts.parts.iter().map(Expression::relations).sum()
            }
            Expression::Then(then) => {
                let links = then.links.iter().map(|link| 1 + link.then.relations());
                then.first.relations() + links.sum::<usize>()
            }
            Expression::For(_, _, part) | Expression::Ever(_, part) => 1 + part.relations(),
        }
    }

    /// Whether it holds at a place of a line, given what its relations remember of the positions
    /// before. It must be asked at every place, in order.
    pub(super) fn holds(&self, at: &PlaceInLine<'_>, memory: &mut [usize]) -> bool {
        match self {
            Expression::Test(TestNode(atom)) => atom.holds(at),
            Expression::Not(part) => !part.holds(at, memory),
            Expression::All(parts) => !parts.has(false, at, memory),
            Expression::Any(parts) => parts.has(true, at, memory),
            Expression::Then(then) => then.holds(at, memory),
            Expression::For(cell, positions, part) => {
                let holds = part.holds(at, memory);
                let Some(count) = cell.cell(memory) else {
                    return false;
                };
                *count = if holds { count.saturating_add(1) } else { 0 };
                *count >= *positions as usize
            }
            Expression::Ever(cell, part) => {
                let holds = part.holds(at, memory);
                let Some(held) = cell.cell(memory) else {
                    return false;
                };
                *held |= usize::from(holds);
                *held > 0
            }
        }
    }

    /// The expression with colours exchanged and ranks mirrored.
    pub(crate) fn flipped(&self) -> Expression {
        let flip = |parts: &Parts| Parts {
            parts: parts.parts.iter().map(Expression::flipped).collect(),
            remembering: parts.remembering,
        };
        match self {
            Expression::Test(TestNode(atom)) => Expression::test(atom.flipped()),
            Expression::Not(part) => Expression::not(part.flipped()),
            Expression::All(parts) => Expression::All(flip(parts)),
            Expression::Any(parts) => Expression::Any(flip(parts)),
            Expression::Then(then) => {
                let links = then.links.iter();
                let links = links.map(|link| (link.within, link.then.flipped()));
                Expression::then(then.first.flipped(), links.collect())
            }
            Expression::For(_, positions, part) => Expression::lasting(*positions, part.flipped()),
            Expression::Ever(_, part) => Expression::ever(part.flipped()),
        }
    }

    /// Whether it may hold somewhere, if a condition on the board may hold where `board_may` says
    /// so.
    pub(crate) fn may_hold(&self, board_may: &dyn Fn(&BoardTest) -> bool) -> bool {
        match self {
            Expression::Test(TestNode(Atom::Board(board))) => board_may(board),
            Expression::Test(_) | Expression::Not(_) | Expression::Ever(..) => true,
            Expression::All(parts) => parts.iter().all(|part| part.may_hold(board_may)),
            Expression::Any(parts) => parts.iter().any(|part| part.may_hold(board_may)),
            Expression::Then(then) => then.last().may_hold(board_may),
            Expression::For(_, _, part) => part.may_hold(board_may),
        }
    }

    /// Whether a test is part of it.
    pub(super) fn has_test(&self, is_it: &dyn Fn(&Atom) -> bool) -> bool {
        match self {
            Expression::Test(TestNode(atom)) => is_it(atom),
            Expression::Not(part) | Expression::For(_, _, part) | Expression::Ever(_, part) => {
                part.has_test(is_it)
            }
            Expression::All(parts) | Expression::Any(parts) => {
                parts.parts.iter().any(|part| part.has_test(is_it))
            }
            Expression::Then(then) => then.parts().any(|part| part.has_test(is_it)),
        }
    }
}
