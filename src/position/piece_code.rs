//! The interface of codes that encode the pieces separately from the trailer.

use crate::bits::{BitReader, BitWriter};

use super::board::PieceBoard;
use super::error::{PositionEncodeError, PositionError};

/// An encoding of the pieces on a board.
pub(super) trait PieceCode {
    fn write(&self, board: &PieceBoard, out: &mut BitWriter) -> Result<(), PositionEncodeError>;

    /// Decodes a board. Bits that [`write`](Self::write) does not write for it
    /// are an error. The board may have pawns on ranks 1 and 8.
    fn read(&self, input: &mut BitReader<'_>) -> Result<PieceBoard, PositionError>;
}
