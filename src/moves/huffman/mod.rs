//! The Huffman family: trees over piece IDs and over the targets of moves,
//! counted over one game and written with it (`spec/moves.md`, "huffman" and
//! "huffman-index"). `huffman`, the founding codec, names a target by its
//! square; `huffman-index` by its number among the legal targets of the piece.
//!
//! Two passes over a game and no model shared between games: the script lists
//! what the bits say, in their order; counting the list gives the trees, and
//! the list is then written with them.

mod decode;
mod error;
mod naming;
mod script;
#[cfg(test)]
mod tests;
mod trees;

use crate::chess::IllegalPly;
use crate::limits::Limits;

use super::codec::{MoveCodec, Parts};
use super::line::{CannotRepresent, DecodedLine, Line, MoveError, Shape};
use script::Script;

pub use error::{HuffmanError, WhichTree};
pub use naming::Naming;

/// A codec of the family, in one of its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Huffman {
    /// What the second tree codes.
    pub naming: Naming,
    /// What the bits begin with.
    pub form: Form,
}

/// The two forms of a codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The pieces of the start position are written.
    Written,
    /// The start position is the standard one and is not written.
    StartElided,
}

impl Huffman {
    /// `huffman`, start written.
    pub const WRITTEN: Self = Self::new(Naming::Squares, Form::Written);
    /// `huffman`, start elided.
    pub const ELIDED: Self = Self::new(Naming::Squares, Form::StartElided);
    /// `huffman-index`, start written.
    pub const INDEX_WRITTEN: Self = Self::new(Naming::Numbers, Form::Written);
    /// `huffman-index`, start elided.
    pub const INDEX_ELIDED: Self = Self::new(Naming::Numbers, Form::StartElided);

    const fn new(naming: Naming, form: Form) -> Self {
        Huffman { naming, form }
    }

    /// What the bits of a line say: played, and so known to be legal.
    fn script(self, line: Line<'_>) -> Result<Script, CannotRepresent> {
        let mut position = line.start.clone();
        Script::of(self, line, |ply, played| {
            let illegal = CannotRepresent::IllegalPly { ply };
            let name = self.naming.name(&position, played);
            position.make(played).map_err(|IllegalPly| illegal)?;
            name.ok_or(illegal)
        })
    }
}

impl MoveCodec for Huffman {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, CannotRepresent> {
        Ok(self.script(line)?.write().bytes)
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &Shape<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        shape.check(limits)?;
        decode::decode(*self, bytes, shape)
    }

    /// Start written: from the leaves of the trees and the initial position.
    /// Start elided: from the counts of a script whose line is not played,
    /// squares those of the plies, numbers all the same, which is cheapest.
    fn least_bytes(&self, line: Line<'_>) -> usize {
        let bits = match self.form {
            Form::Written => {
                let pieces = line.start.pieces().count();
                let square = match self.naming {
                    Naming::Squares => 8,
                    Naming::Numbers => 6,
                };
                // A leaf, its branch, a square, and a bit an entry, but for one
                // branch a tree.
                (7 + square + 1) * pieces + line.moves() - 2
            }
            // Two trees of a leaf, for which no script is needed.
            Form::StartElided if line.moves() == 1 => 12,
            Form::StartElided => {
                let script = Script::of(*self, line, |_, ply| Ok(self.naming.cheapest(ply)));
                script.map_or(0, |script| script.counts().least_bits())
            }
        };
        bits.div_ceil(8)
    }

    fn parts(&self, line: Line<'_>) -> Option<Parts> {
        Some(self.script(line).ok()?.write().parts)
    }
}
