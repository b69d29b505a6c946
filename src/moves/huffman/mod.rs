//! The Huffman codecs: trees over piece IDs and over the targets of moves,
//! built for one game and stored with it (`spec/moves.md`, "huffman" and
//! "huffman-index"). `huffman`, the original codec, codes a target as its
//! square. `huffman-index` codes it as its number among the legal targets of
//! the piece.
//!
//! Encoding takes two passes, and games share no model. The script lists the
//! symbols of a game in order. The trees are built from its counts, and then
//! the list is written with them.

mod decode;
pub(super) mod error;
mod naming;
mod script;
#[cfg(test)]
mod tests;
mod trees;

use crate::chess::IllegalPly;
use crate::limits::Limits;

use super::error::{LineEncodeError, MoveError};
use super::line::{DecodedLine, Line, LineInfo};
use super::move_codec::{LineParts, MoveCodec};
use script::Script;

pub use error::{HuffmanError, TreeKind};
pub use naming::TargetAlphabet;

/// A Huffman codec in one of its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Huffman {
    /// The alphabet of the second tree.
    pub naming: TargetAlphabet,
    /// Whether the start position is encoded.
    pub form: HuffmanForm,
}

/// The two forms of a codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HuffmanForm {
    /// The pieces of the start position are encoded.
    WithStart,
    /// The start position is the standard one and is not encoded.
    StartElided,
}

impl Huffman {
    /// `huffman` with the start position.
    pub const WITH_START: Self = Self::new(TargetAlphabet::Squares, HuffmanForm::WithStart);
    /// `huffman` without the start position.
    pub const ELIDED: Self = Self::new(TargetAlphabet::Squares, HuffmanForm::StartElided);
    /// `huffman-index` with the start position.
    pub const INDEX_WITH_START: Self = Self::new(TargetAlphabet::Numbers, HuffmanForm::WithStart);
    /// `huffman-index` without the start position.
    pub const INDEX_ELIDED: Self = Self::new(TargetAlphabet::Numbers, HuffmanForm::StartElided);

    const fn new(naming: TargetAlphabet, form: HuffmanForm) -> Self {
        Huffman { naming, form }
    }

    /// The script of a line. The line is played, so its plies are checked to be
    /// legal.
    fn script(self, line: Line<'_>) -> Result<Script, LineEncodeError> {
        let mut position = line.start.clone();
        Script::of(self, line, |ply, played| {
            let illegal = LineEncodeError::IllegalPly { ply };
            let name = self.naming.name(&position, played);
            position.make(played).map_err(|IllegalPly| illegal)?;
            name.ok_or(illegal)
        })
    }
}

impl MoveCodec for Huffman {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, LineEncodeError> {
        Ok(self.script(line)?.write().bytes)
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        shape.check(limits)?;
        decode::decode(*self, bytes, shape)
    }

    /// With the start position: the leaves of the trees and the initial
    /// position. Without: the entropy of the counts of a script whose line is
    /// not played. Its squares are those of the plies; its numbers are all
    /// equal, which is the cheapest case.
    fn least_bytes(&self, line: Line<'_>) -> usize {
        let bits = match self.form {
            HuffmanForm::WithStart => {
                let pieces = line.start.pieces().count();
                let square = match self.naming {
                    TargetAlphabet::Squares => 8,
                    TargetAlphabet::Numbers => 6,
                };
                // Each piece needs a leaf with its branch, a square, and at
                // least one bit for its entry. A tree has one branch fewer than
                // leaves.
                (7 + square + 1) * pieces + line.moves() - 2
            }
            // Two trees of one leaf each; this needs no script.
            HuffmanForm::StartElided if line.moves() == 1 => 12,
            HuffmanForm::StartElided => {
                let script = Script::of(*self, line, |_, ply| Ok(self.naming.cheapest(ply)));
                script.map_or(0, |script| script.counts().least_bits())
            }
        };
        bits.div_ceil(8)
    }

    fn parts(&self, line: Line<'_>) -> Option<LineParts> {
        Some(self.script(line).ok()?.write().parts)
    }
}
