//! Single tests of a position in a line.

use super::pieces::PieceSet;
use super::set::Count;
use crate::chess::{
    Bitboard, CastlingSide, Castlings, ChessPosition, Color, MoveFacts, Piece, PlyKind, Role,
    SanPattern, Skeleton,
};
use crate::query::board::BoardTest;
use crate::query::material::piece_count;

/// A position in a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaceInLine<'l> {
    pub(super) position: &'l ChessPosition,
    /// The number of plies of the line before it.
    pub(super) ply: usize,
    /// The next ply of the line.
    pub(super) next: Option<PlyKind>,
    /// To which sides White and Black have castled.
    pub(super) castled: Castlings,
    /// How often the position has occurred in the line; 0 if no test asks for it.
    pub(super) occurrences: u32,
}

/// A single test.
#[derive(Debug, Clone)]
pub(super) enum Atom {
    /// Every position.
    Always,
    /// The board.
    Board(Box<BoardTest>),
    /// The size of a set of pieces or files.
    Count(Count),
    /// Each side has one bishop, and these are on squares of different colours.
    OppositeBishops,
    /// Any of these differences in material.
    Imbalance(Vec<Imbalance>),
    /// The side to move.
    Turn(Color),
    /// The side to move is in check.
    Check,
    /// The side to move is mated.
    Mate,
    /// The side to move is stalemated.
    Stalemate,
    /// A side has castled, to this side of the board if one is given.
    Castled(Color, Option<CastlingSide>),
    /// Both sides have castled, to the same side of the board or not.
    BothCastled { is_same: bool },
    /// The position has occurred at least this many times.
    Repeated(u32),
    /// The line ends.
    End,
    /// The next move is any of these.
    Plays(Vec<SanPattern>),
    /// A piece of the set moves next, to one of the squares.
    Moves(PieceSet, Bitboard),
    /// A piece of the set is captured next.
    Takes(PieceSet),
}

/// How many pieces of each role White has more than Black: pawns, knights, bishops, rooks and
/// queens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Imbalance(pub(super) [i8; 5]);

/// The roles of an [`Imbalance`].
pub(super) const UNBALANCED: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

impl Imbalance {
    pub(super) fn of(skeleton: &Skeleton) -> Imbalance {
        Imbalance(UNBALANCED.map(|role| {
            let count = |color| piece_count(skeleton, Piece { color, role });
            let [white, black] = Color::ALL
                .map(count)
                .map(|count| i8::try_from(count).unwrap_or(i8::MAX));
            white - black
        }))
    }

    fn flipped(self) -> Imbalance {
        Imbalance(self.0.map(i8::saturating_neg))
    }
}

impl PlaceInLine<'_> {
    /// What the next ply does, if it is a move of a piece.
    fn next_move(&self) -> Option<MoveFacts> {
        self.position.move_facts(self.next?)
    }

    /// Whether the next ply is a move, so that there is a legal one.
    fn has_move(&self) -> bool {
        self.next.is_some_and(|ply| ply != PlyKind::Null)
    }
}

impl Atom {
    pub(super) fn holds(&self, at: &PlaceInLine<'_>) -> bool {
        let position = at.position;
        match self {
            Atom::Always => true,
            Atom::Board(board) => board.is_in(position),
            Atom::Count(count) => count.is_of(position),
            Atom::OppositeBishops => has_opposite_bishops(&position.skeleton()),
            Atom::Imbalance(any) => any.contains(&Imbalance::of(&position.skeleton())),
            Atom::Turn(side) => position.turn() == *side,
            Atom::Check => position.is_check(),
            Atom::Mate => !at.has_move() && position.is_mate(),
            Atom::Stalemate => !at.has_move() && position.is_stalemate(),
            Atom::Castled(side, to) => {
                let [white, black] = at.castled;
                let castled = side.fold_wb(white, black);
                castled.is_some() && (to.is_none() || castled == *to)
            }
            Atom::BothCastled { is_same } => match at.castled {
                [Some(white), Some(black)] => (white == black) == *is_same,
                _ => false,
            },
            Atom::Repeated(least) => at.occurrences >= *least,
            Atom::End => at.next.is_none(),
            Atom::Plays(any) => at
                .next_move()
                .is_some_and(|next| any.iter().any(|pattern| pattern.is_of(&next))),
            Atom::Moves(pieces, to) => at.next_move().is_some_and(|next| {
                pieces.has(position.turn(), next.role, next.from) && to.contains(next.to)
            }),
            Atom::Takes(pieces) => at
                .next_move()
                .and_then(|next| next.captured)
                .is_some_and(|(role, square)| pieces.has(!position.turn(), role, square)),
        }
    }

    /// The test with colours exchanged and ranks mirrored.
    pub(super) fn flipped(&self) -> Atom {
        match self {
            Atom::Board(board) => Atom::Board(Box::new(board.flipped())),
            Atom::Count(count) => Atom::Count(count.flipped()),
            Atom::Imbalance(any) => {
                Atom::Imbalance(any.iter().map(|imbalance| imbalance.flipped()).collect())
            }
            Atom::Turn(side) => Atom::Turn(!*side),
            Atom::Castled(side, to) => Atom::Castled(!*side, *to),
            Atom::Plays(any) => Atom::Plays(any.iter().map(SanPattern::flipped).collect()),
            Atom::Moves(pieces, to) => Atom::Moves(pieces.flipped(), to.flip_vertical()),
            Atom::Takes(pieces) => Atom::Takes(pieces.flipped()),
            Atom::Always
            | Atom::OppositeBishops
            | Atom::Check
            | Atom::Mate
            | Atom::Stalemate
            | Atom::BothCastled { .. }
            | Atom::Repeated(_)
            | Atom::End => self.clone(),
        }
    }
}

/// Whether each side has one bishop, on squares of different colours.
pub(super) fn has_opposite_bishops(skeleton: &Skeleton) -> bool {
    let [
        [_, white_light, white_dark, ..],
        [_, black_light, black_dark, ..],
    ] = skeleton.officers;
    let bishops = (white_light, white_dark, black_light, black_dark);
    matches!(bishops, (1, 0, 0, 1) | (0, 1, 1, 0))
}
