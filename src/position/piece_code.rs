//! What the codes have in common that write the pieces apart from the rest.

use crate::bits::{BitReader, BitWriter};

use super::board::Board;
use super::error::{CannotRepresent, PositionError};

/// A way to write the pieces on a board, and nothing else, as bits.
pub(super) trait PieceCode {
    fn write(&self, board: &Board, out: &mut BitWriter) -> Result<(), CannotRepresent>;

    /// The board that was written so. Bits that [`write`](Self::write) would
    /// not write for it are an error; but a pawn can stand where none may.
    fn read(&self, input: &mut BitReader<'_>) -> Result<Board, PositionError>;
}
