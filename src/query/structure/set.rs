//! Sets of pieces or files of a position, which an expression counts.

use super::pawns::{PawnKind, files};
use super::pieces::PieceSet;
use crate::chess::{Bitboard, ChessPosition, Color};

/// A set of pieces or files of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountedSet {
    /// These pieces.
    Pieces(PieceSet),
    /// The pawns among these pieces that have this property.
    Pawns(PawnKind, PieceSet),
    /// The pieces that are attacked by a piece of the second set; without one, by the other side.
    Attacked(PieceSet, Option<PieceSet>),
    /// The pieces that are pinned to their king.
    Pinned(PieceSet),
    /// The files of these squares on which no pawn stands.
    OpenFiles(Bitboard),
    /// The files of these squares on which a side has no pawn, but the other side has.
    HalfOpenFiles(Color, Bitboard),
}

/// How two numbers compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// What a count is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    Number(u32),
    Count(CountedSet),
}

/// A comparison of the size of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) set: CountedSet,
    pub(super) relation: Relation,
    pub(super) operand: Operand,
}

impl Count {
    /// That the set is not empty.
    pub(super) fn any(set: CountedSet) -> Count {
        Count {
            set,
            relation: Relation::AtLeast,
            operand: Operand::Number(1),
        }
    }

    pub(super) fn is_of(&self, position: &ChessPosition) -> bool {
        let count = self.set.count(position);
        let operand = match self.operand {
            Operand::Number(number) => number,
            Operand::Count(set) => set.count(position),
        };
        match self.relation {
            Relation::Equal => count == operand,
            Relation::NotEqual => count != operand,
            Relation::Less => count < operand,
            Relation::AtMost => count <= operand,
            Relation::Greater => count > operand,
            Relation::AtLeast => count >= operand,
        }
    }

    /// The comparison with colours exchanged and ranks mirrored.
    pub(super) fn flipped(&self) -> Count {
        Count {
            set: self.set.flipped(),
            relation: self.relation,
            operand: match self.operand {
                Operand::Number(number) => Operand::Number(number),
                Operand::Count(set) => Operand::Count(set.flipped()),
            },
        }
    }
}

impl CountedSet {
    fn count(&self, position: &ChessPosition) -> u32 {
        self.of(position).0.count_ones()
    }

    /// The squares of the pieces; of a file, the square of the first rank.
    fn of(&self, position: &ChessPosition) -> Bitboard {
        let board = position.board();
        let pawns = || Color::ALL.map(|side| (board.by_color(side) & board.pawns()).0);
        match self {
            CountedSet::Pieces(pieces) => pieces.of(board),
            CountedSet::Pawns(kind, pieces) => kind.of(pawns()) & pieces.of(board),
            CountedSet::Attacked(pieces, attackers) => {
                attacked(position, pieces.of(board), attackers.as_ref())
            }
            CountedSet::Pinned(pieces) => {
                let [white, black] = Color::ALL.map(|side| position.pinned(side));
                (white | black) & pieces.of(board)
            }
            CountedSet::OpenFiles(wanted) => open_files(pawns(), *wanted),
            CountedSet::HalfOpenFiles(side, wanted) => half_open_files(pawns(), *side, *wanted),
        }
    }

    fn flipped(&self) -> CountedSet {
        match self {
            CountedSet::Pieces(pieces) => CountedSet::Pieces(pieces.flipped()),
            CountedSet::Pawns(kind, pieces) => CountedSet::Pawns(*kind, pieces.flipped()),
            CountedSet::Attacked(pieces, attackers) => {
                let attackers = attackers.as_ref().map(PieceSet::flipped);
                CountedSet::Attacked(pieces.flipped(), attackers)
            }
            CountedSet::Pinned(pieces) => CountedSet::Pinned(pieces.flipped()),
            files @ CountedSet::OpenFiles(_) => *files,
            CountedSet::HalfOpenFiles(side, files) => CountedSet::HalfOpenFiles(!*side, *files),
        }
    }
}

/// Those of some files that have no pawns, by their squares of the first rank.
pub(super) fn open_files([white, black]: [u64; 2], wanted: Bitboard) -> Bitboard {
    first_rank(wanted.0 & !files(white | black))
}

/// Those of some files that have pawns of the other side alone.
pub(super) fn half_open_files([white, black]: [u64; 2], side: Color, wanted: Bitboard) -> Bitboard {
    let (own, other) = side.fold_wb((white, black), (black, white));
    first_rank(wanted.0 & files(other) & !files(own))
}

/// The squares of the first rank among whole files.
fn first_rank(files: u64) -> Bitboard {
    Bitboard(files & 0xff)
}

/// The pieces that a piece of `attackers` attacks, or without these one of the other side.
fn attacked(position: &ChessPosition, pieces: Bitboard, attackers: Option<&PieceSet>) -> Bitboard {
    let board = position.board();
    let attackers = attackers.map(|attackers| attackers.of(board));
    let mut found = Bitboard::EMPTY;
    for square in pieces {
        let by = |side| board.attacks_to(square, side, board.occupied());
        let is_attacked = match attackers {
            Some(attackers) => Color::ALL
                .into_iter()
                .any(|side| (by(side) & attackers).any()),
            None => board.color_at(square).is_some_and(|side| by(!side).any()),
        };
        if is_attacked {
            found.add(square);
        }
    }
    found
}
