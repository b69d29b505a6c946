//! How the second tree names the target of a move: where the two codecs of the
//! family differ.

use crate::chess::{PlyKind, Position, Square};
use crate::codec::huffman::Alphabet;

use super::error::WhichTree;

/// The IDs of the piece tree.
pub(super) const PIECES: Alphabet = Alphabet::new(5, 32);
const SQUARES: Alphabet = Alphabet::new(6, 64);
/// A queen has at most 27 targets.
const NUMBERS: Alphabet = Alphabet::new(5, 27);

/// What the second tree codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Squares: those of the initial position and the targets of the moves.
    Squares,
    /// The number of the target among the legal targets of the piece that
    /// moves.
    Numbers,
}

impl Naming {
    pub(super) fn alphabet(self) -> Alphabet {
        match self {
            Naming::Squares => SQUARES,
            Naming::Numbers => NUMBERS,
        }
    }

    pub(super) fn tree(self) -> WhichTree {
        match self {
            Naming::Squares => WhichTree::Squares,
            Naming::Numbers => WhichTree::Numbers,
        }
    }

    /// The name of a ply's target: 0 where there is none to name, nothing where
    /// the ply is seen not to be legal.
    pub(super) fn name(self, position: &Position, ply: PlyKind) -> Option<u8> {
        match (self, ply) {
            (Naming::Numbers, PlyKind::Move { from, to, .. }) => position.target_number(from, to),
            _ => Some(self.cheapest(ply)),
        }
    }

    /// A name of which no position is needed: squares as they are; one number
    /// for all targets, which is the cheapest way to have numbers.
    pub(super) fn cheapest(self, ply: PlyKind) -> u8 {
        match (self, ply) {
            (Naming::Squares, PlyKind::Move { to, .. }) => u8::from(to),
            _ => 0,
        }
    }

    /// The target of that name of the piece on a square.
    pub(super) fn target(self, position: &Position, from: Square, name: u8) -> Option<Square> {
        match self {
            Naming::Squares => Square::try_from(name).ok(),
            Naming::Numbers => position.numbered_target(from, name),
        }
    }
}
