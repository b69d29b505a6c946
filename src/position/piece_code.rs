//! The interface of codes that encode the pieces separately from the trailer.

use crate::bits::{BitReader, BitWriter};
use crate::chess::Setup;

use super::board::PieceBoard;
use super::error::{PositionEncodeError, PositionError};
use super::trailer;

/// An encoding of the pieces on a board.
pub(super) trait PieceCode {
    fn write(&self, board: &PieceBoard, out: &mut BitWriter) -> Result<(), PositionEncodeError>;

    /// Decodes a board. Bits that [`write`](Self::write) does not write for it
    /// are an error. The board may have pawns on ranks 1 and 8.
    fn read(&self, input: &mut BitReader<'_>) -> Result<PieceBoard, PositionError>;

    /// Encodes a position: the pieces, then the trailer.
    fn write_position(
        &self,
        setup: &Setup,
        out: &mut BitWriter,
    ) -> Result<(), PositionEncodeError> {
        let board = PieceBoard::of(setup)?;
        self.write(&board, out)?;
        trailer::write(setup, &board, out)
    }

    /// Decodes a position.
    fn read_position(&self, input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
        let board = self.read(input)?;
        match board.misplaced_pawn() {
            Some(square) => Err(PositionError::Pawn { square }),
            None => trailer::read(board, input),
        }
    }
}
