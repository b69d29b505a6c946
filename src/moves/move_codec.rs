//! The interface of a move codec.

use crate::chess::PlyKind;
use crate::limits::Limits;
use std::ops::ControlFlow;

use super::error::{LineEncodeError, MoveError};
use super::line::{DecodedLine, Line, LineInfo};

/// What sees the plies of a line one after the other, until it breaks.
pub type PlyVisitor<'v> = dyn FnMut(PlyKind) -> ControlFlow<()> + 'v;

/// An encoding of the moves of a line as bits.
pub trait MoveCodec {
    /// Encodes the moves as bits, padded with zeros to whole bytes.
    ///
    /// # Errors
    /// The codec cannot represent the line.
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, LineEncodeError>;

    /// Decodes a line. All bytes are consumed.
    ///
    /// # Errors
    /// The bytes are not what [`encode`](Self::encode) writes for a line of this
    /// shape, or the line exceeds a limit.
    fn decode(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError>;

    /// Decodes a line as [`decode`](Self::decode) does, and calls `see` with one ply after the
    /// other until it breaks. What follows need not be decoded.
    ///
    /// # Errors
    /// As of `decode`, up to there.
    fn follow(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
        see: &mut PlyVisitor<'_>,
    ) -> Result<(), MoveError> {
        let line = self.decode(bytes, shape, limits)?;
        let _ = line.plies.into_iter().try_for_each(see);
        Ok(())
    }

    /// A lower bound of the size of any encoding of the line, in bytes, that is
    /// cheap to compute.
    fn least_bytes(&self, line: Line<'_>) -> usize;

    /// The sizes of the parts of the line's encoding. `None` for codecs without
    /// such parts, and for lines that cannot be represented.
    fn parts(&self, _line: Line<'_>) -> Option<LineParts> {
        None
    }
}

/// The sizes of the parts of an encoding of the Huffman family, in bits, without
/// padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineParts {
    /// The two trees.
    pub trees: u64,
    /// Promotion table, initial position and side to move.
    pub start: u64,
    /// The moves.
    pub moves: u64,
}
