//! The games that may satisfy an expression, judged by the squares that their pieces visit and by
//! castling.

use super::atom::Atom;
use super::expression::{Expression, TestNode};
use super::pieces::PieceSet;
use super::set::{Count, CountedSet, Operand, Relation};
use crate::chess::Role;
use crate::index::{PlaceSet, Visits};
use crate::query::visitors::{all, any};

/// Sets of more squares than this rule out few games.
const MOST_SQUARES: usize = 32;

impl Expression {
    /// The games in which it may hold; `None` if the visits rule out none.
    pub(crate) fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        match self {
            Expression::Test(TestNode(atom)) => match atom {
                Atom::Board(board) => board.visitors(visits),
                Atom::Count(count) => count.visitors(visits),
                Atom::Castled(side, to) => Some(visits.games_castling(|[white, black]| {
                    let castled = side.fold_wb(white, black);
                    castled.is_some() && (to.is_none() || castled == *to)
                })),
                Atom::BothCastled { is_same } => Some(visits.games_castling(|[white, black]| {
                    white.is_some() && black.is_some() && (white == black) == *is_same
                })),
                _ => None,
            },
            Expression::Not(_) => None,
            Expression::All(parts) => all(parts.iter().map(|part| part.visitors(visits))),
            Expression::Any(parts) => any(parts.iter().map(|part| part.visitors(visits))),
            // Each has to hold somewhere in the game.
            Expression::Then(then) => all(then.parts().map(|part| part.visitors(visits))),
            Expression::For(_, _, part) | Expression::Ever(_, part) => part.visitors(visits),
        }
    }
}

impl Count {
    fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        let is_any = match (self.relation, self.operand) {
            (Relation::Equal | Relation::AtLeast, Operand::Number(number)) => number > 0,
            (Relation::Greater, _) => true,
            _ => false,
        };
        match &self.set {
            CountedSet::Pieces(pieces)
            | CountedSet::Attacked(pieces, _)
            | CountedSet::Pinned(pieces)
                if is_any =>
            {
                pieces.visitors(visits)
            }
            _ => None,
        }
    }
}

impl PieceSet {
    fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        let squares = self.squares();
        if squares.count() * self.kinds().count() > MOST_SQUARES
            || self.kinds().any(|piece| piece.role == Role::Pawn)
        {
            return None;
        }
        let kinds = self.kinds();
        any(kinds.flat_map(|piece| {
            squares
                .into_iter()
                .map(move |square| visits.games_with(piece, square))
        }))
    }
}
