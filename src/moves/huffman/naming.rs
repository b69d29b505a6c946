//! The alphabet of the second tree, in which the two Huffman codecs differ.

use crate::chess::{ChessPosition, PlyKind, Square};
use crate::codec::huffman::Alphabet;

use super::error::TreeKind;

/// The IDs of the piece tree.
pub(super) const PIECES: Alphabet = Alphabet::new(5, 32);
const SQUARES: Alphabet = Alphabet::new(6, 64);
/// A queen has at most 27 targets.
const NUMBERS: Alphabet = Alphabet::new(5, 27);

/// The alphabet of the second tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetAlphabet {
    /// Squares: those of the initial position and the targets of the moves.
    Squares,
    /// The numbers of the targets among the legal targets of the moving piece.
    Numbers,
}

impl TargetAlphabet {
    pub(super) fn alphabet(self) -> Alphabet {
        match self {
            TargetAlphabet::Squares => SQUARES,
            TargetAlphabet::Numbers => NUMBERS,
        }
    }

    pub(super) fn tree(self) -> TreeKind {
        match self {
            TargetAlphabet::Squares => TreeKind::Squares,
            TargetAlphabet::Numbers => TreeKind::Numbers,
        }
    }

    /// The symbol of a ply's target; 0 if the ply has no target. Returns `None`
    /// if the ply is found to be illegal.
    pub(super) fn name(self, position: &ChessPosition, ply: PlyKind) -> Option<u8> {
        match (self, ply) {
            (TargetAlphabet::Numbers, PlyKind::Move { from, to, .. }) => {
                position.target_number(from, to)
            }
            _ => Some(self.cheapest(ply)),
        }
    }

    /// A symbol that needs no position: the square, or for all targets the same
    /// number, which is the cheapest case.
    pub(super) fn cheapest(self, ply: PlyKind) -> u8 {
        match (self, ply) {
            (TargetAlphabet::Squares, PlyKind::Move { to, .. }) => u8::from(to),
            _ => 0,
        }
    }

    /// The target with this symbol of the piece on a square.
    pub(super) fn target(self, position: &ChessPosition, from: Square, name: u8) -> Option<Square> {
        match self {
            TargetAlphabet::Squares => Square::try_from(name).ok(),
            TargetAlphabet::Numbers => position.numbered_target(from, name),
        }
    }
}
