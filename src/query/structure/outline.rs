//! What the skeleton of a position shows about the tests of expressions.

use super::atom::{Atom, Imbalance, has_opposite_bishops};
use super::expression::{Expression, TestNode};
use super::pieces::PieceSet;
use super::set::{Count, CountedSet, Operand, Relation, half_open_files, open_files};
use crate::chess::{Bitboard, CastlingSide, Color, Piece, Role, Skeleton, side_of};
use crate::index::{KnownPosition, Ternary};

/// The least and the greatest size of a set.
type Bounds = [u32; 2];

impl Expression {
    /// Whether it holds in the positions of which this is known, in whatever line.
    pub(crate) fn judge(&self, known: &KnownPosition<'_>) -> Ternary {
        match self {
            Expression::Test(TestNode(atom)) => atom.judge(known),
            Expression::Not(part) => !part.judge(known),
            Expression::All(parts) => Ternary::all(parts.iter().map(|part| part.judge(known))),
            Expression::Any(parts) => Ternary::any(parts.iter().map(|part| part.judge(known))),
            // What else it takes is in other positions.
            Expression::Then(then) => then.last().judge(known) & Ternary::UNKNOWN,
            Expression::For(_, positions, part) => {
                let most = if *positions > 1 {
                    Ternary::UNKNOWN
                } else {
                    Ternary::TRUE
                };
                part.judge(known) & most
            }
            Expression::Ever(_, part) => part.judge(known) | Ternary::UNKNOWN,
        }
    }
}

impl Atom {
    /// Whether a skeleton, castling or visits can decide it.
    pub(super) fn is_indexed(&self) -> bool {
        match self {
            Atom::Board(_) | Atom::OppositeBishops | Atom::Imbalance(_) => true,
            Atom::Castled(..) | Atom::BothCastled { .. } => true,
            Atom::Count(count) => count.is_indexed(),
            _ => false,
        }
    }

    /// Whether it depends on nothing but the position.
    pub(super) fn is_of_position(&self) -> bool {
        !matches!(
            self,
            Atom::Castled(..)
                | Atom::BothCastled { .. }
                | Atom::Repeated(_)
                | Atom::End
                | Atom::Plays(_)
                | Atom::Moves(..)
                | Atom::Takes(_)
        )
    }

    fn judge(&self, known: &KnownPosition<'_>) -> Ternary {
        let skeleton = known.skeleton;
        match self {
            Atom::Always => Ternary::TRUE,
            Atom::Board(board) => board.judge(skeleton),
            Atom::Count(count) => count.judge(skeleton),
            Atom::OppositeBishops => has_opposite_bishops(skeleton).into(),
            Atom::Imbalance(any) => any.contains(&Imbalance::of(skeleton)).into(),
            Atom::Castled(side, to) => {
                castled(known, *side, |castled| to.is_none() || castled == *to)
            }
            Atom::BothCastled { is_same } => {
                let [white, black] =
                    [Color::White, Color::Black].map(|side| castled(known, side, |_| true));
                let sides = known
                    .castled
                    .map(|[white, black]| Ternary::from((white == black) == *is_same));
                white & black & sides.unwrap_or(Ternary::UNKNOWN)
            }
            Atom::Turn(_)
            | Atom::Check
            | Atom::Mate
            | Atom::Stalemate
            | Atom::Repeated(_)
            | Atom::End
            | Atom::Plays(_)
            | Atom::Moves(..)
            | Atom::Takes(_) => Ternary::UNKNOWN,
        }
    }
}

/// Whether a side has castled, and to which side of the board `is_it`.
fn castled(
    known: &KnownPosition<'_>,
    side: Color,
    is_it: impl Fn(Option<CastlingSide>) -> bool,
) -> Ternary {
    if let Some([white, black]) = known.castled {
        let castled = side.fold_wb(white, black);
        return (castled.is_some() && is_it(castled)).into();
    }
    let rank = side.fold_wb(0xff, 0xff << 56);
    match known.skeleton.castling_rooks & rank {
        0 => Ternary::UNKNOWN,
        _ => Ternary::FALSE,
    }
}

impl Count {
    fn is_indexed(&self) -> bool {
        match self.set {
            CountedSet::Attacked(pieces, _) | CountedSet::Pinned(pieces) => {
                pieces.squares() != Bitboard::FULL
            }
            CountedSet::Pieces(_)
            | CountedSet::Pawns(..)
            | CountedSet::OpenFiles(_)
            | CountedSet::HalfOpenFiles(..) => true,
        }
    }

    fn judge(&self, skeleton: &Skeleton) -> Ternary {
        let count = self.set.bounds(skeleton);
        let operand = match self.operand {
            Operand::Number(number) => [number; 2],
            Operand::Count(set) => set.bounds(skeleton),
        };
        match self.relation {
            Relation::Equal => is_equal(count, operand),
            Relation::NotEqual => !is_equal(count, operand),
            Relation::Less => is_less(count, operand),
            Relation::AtMost => !is_less(operand, count),
            Relation::Greater => is_less(operand, count),
            Relation::AtLeast => !is_less(count, operand),
        }
    }
}

fn is_less([least, most]: Bounds, [other_least, other_most]: Bounds) -> Ternary {
    if most < other_least {
        Ternary::TRUE
    } else if least >= other_most {
        Ternary::FALSE
    } else {
        Ternary::UNKNOWN
    }
}

fn is_equal([least, most]: Bounds, [other_least, other_most]: Bounds) -> Ternary {
    if most < other_least || other_most < least {
        Ternary::FALSE
    } else if least == most && other_least == other_most {
        Ternary::TRUE
    } else {
        Ternary::UNKNOWN
    }
}

impl CountedSet {
    fn bounds(&self, skeleton: &Skeleton) -> Bounds {
        let exactly = |squares: Bitboard| [squares.0.count_ones(); 2];
        match self {
            CountedSet::Pieces(pieces) => bounds(pieces, skeleton),
            CountedSet::Pawns(kind, pieces) => {
                exactly(kind.of(skeleton.pawns) & pawns(pieces, skeleton))
            }
            CountedSet::Attacked(pieces, _) | CountedSet::Pinned(pieces) => {
                let [_, most] = bounds(pieces, skeleton);
                [0, most]
            }
            CountedSet::OpenFiles(wanted) => exactly(open_files(skeleton.pawns, *wanted)),
            CountedSet::HalfOpenFiles(side, wanted) => {
                exactly(half_open_files(skeleton.pawns, *side, *wanted))
            }
        }
    }
}

/// The pawns among some pieces.
fn pawns(pieces: &PieceSet, skeleton: &Skeleton) -> Bitboard {
    let kinds = pieces.kinds().filter(|piece| piece.role == Role::Pawn);
    let of_side = |pawn: Piece| skeleton.pawns.get(side_of(pawn.color)).copied();
    let squares = kinds
        .filter_map(of_side)
        .fold(0, |found, of_side| found | of_side);
    Bitboard(squares) & pieces.squares()
}

/// How many of some pieces are on the board.
fn bounds(pieces: &PieceSet, skeleton: &Skeleton) -> Bounds {
    let [white, black] = skeleton.pawns;
    let free = pieces.squares() & !Bitboard(white | black);
    let on_board = pawns(pieces, skeleton).0.count_ones();
    let mut bounds = [on_board; 2];
    for piece in pieces.kinds().filter(|piece| piece.role != Role::Pawn) {
        for [least, most] in bounds_of_kind(piece, free, pieces.squares(), skeleton) {
            let [all_least, all_most] = &mut bounds;
            *all_least += least;
            *all_most += most;
        }
    }
    bounds
}

/// How many pieces of a kind are on some squares, of which `free` have no pawns; of bishops those
/// on light and those on dark squares.
fn bounds_of_kind(
    piece: Piece,
    free: Bitboard,
    squares: Bitboard,
    skeleton: &Skeleton,
) -> impl Iterator<Item = Bounds> {
    let officers = skeleton.officers.get(side_of(piece.color)).copied();
    let [knights, light_bishops, dark_bishops, rooks, queens] = officers.unwrap_or_default();
    let all = Bitboard::FULL;
    let kinds = match piece.role {
        Role::Pawn => [None, None],
        Role::King => [Some((1, all)), None],
        Role::Knight => [Some((knights, all)), None],
        Role::Bishop => [
            Some((light_bishops, Bitboard::LIGHT_SQUARES)),
            Some((dark_bishops, Bitboard::DARK_SQUARES)),
        ],
        Role::Rook => [Some((rooks, all)), None],
        Role::Queen => [Some((queens, all)), None],
    };
    let bounds = move |(count, places): (u8, Bitboard)| {
        let count = u32::from(count);
        match places.is_subset(squares) {
            true => [count; 2],
            false => [0, count.min((places & free).0.count_ones())],
        }
    };
    kinds.into_iter().flatten().map(bounds)
}
