//! `huffman`, the founding codec: trees over piece IDs and target squares,
//! counted over one game and written with it (`spec/moves.md`, "huffman").
//!
//! Two passes over a game and no model shared between games: [`script`] lists
//! what the bits say, in their order; counting the list gives the trees, and
//! the list is then written with them.

mod decode;
mod error;
mod script;
mod trees;

use crate::limits::Limits;

use super::codec::MoveCodec;
use super::line::{CannotRepresent, DecodedLine, Line, MoveError, Shape};
use script::Script;

pub use error::{HuffmanError, WhichTree};

/// The two forms of the codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Huffman {
    /// The pieces of the start position are written.
    Written,
    /// The start position is the standard one and is not written.
    StartElided,
}

impl MoveCodec for Huffman {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, CannotRepresent> {
        Ok(Script::of(*self, line)?.write())
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

    /// From the leaves of the trees, 6 and 7 bits and a branch each but one,
    /// and two bits for whatever is coded after the first.
    fn least_bytes(&self, line: Line<'_>) -> usize {
        let moves = line.moves();
        let bits = match self {
            Huffman::StartElided if moves == 0 => 0,
            Huffman::StartElided => 12 + moves,
            Huffman::Written => {
                let pieces = line.start.pieces().count();
                15 * pieces + 2 * (pieces + moves) + 2
            }
        };
        bits.div_ceil(8)
    }
}
