//! Encoding and decoding of a position with a code.

use crate::bits::{BitReader, BitString, BitWriter};
use crate::chess::Setup;

use super::board::PieceBoard;
use super::code::{CodeScheme, PositionCode};
use super::combined::{self, CodeChoice};
use super::error::{PositionEncodeError, PositionError};
use super::trailer::check_extras;
use super::{game, nibble};

impl PositionCode {
    /// Encodes a position.
    ///
    /// # Errors
    /// The code cannot represent the position.
    pub fn encode(self, setup: &Setup) -> Result<BitString, PositionEncodeError> {
        let mut out = BitWriter::new();
        self.write(setup, &mut out)?;
        Ok(out.into())
    }

    /// Decodes a position. All bytes are consumed.
    ///
    /// # Errors
    /// The bytes are not what [`encode`](Self::encode) writes. Only `game` also
    /// accepts games that the encoder would not find or not select.
    pub fn decode(self, bytes: &[u8]) -> Result<Setup, PositionError> {
        let mut input = BitReader::new(bytes);
        let setup = self.read(&mut input)?;
        input.finish()?;
        Ok(setup)
    }

    /// The number of bits that encode the pieces; `None` if the code does not
    /// encode them separately.
    ///
    /// # Errors
    /// The code cannot represent the position.
    pub fn piece_bits(self, setup: &Setup) -> Result<Option<u64>, PositionEncodeError> {
        Ok(match self.scheme() {
            CodeScheme::Nibble => Some(nibble::PIECE_BITS),
            CodeScheme::Pieces(pieces) => {
                let mut out = BitWriter::new();
                pieces.write(&PieceBoard::of(setup)?, &mut out)?;
                Some(out.bit_len())
            }
            CodeScheme::Combined => {
                let choice = combined::choose(setup)?;
                let bits = choice.code().piece_bits(setup)?;
                bits.map(|bits| bits + u64::from(combined::SELECTOR_BITS))
            }
            CodeScheme::Game => None,
        })
    }

    /// The code that `combined` selects.
    ///
    /// # Errors
    /// None of its codes can represent the position.
    pub fn combined_choice(setup: &Setup) -> Result<PositionCode, PositionEncodeError> {
        combined::choose(setup).map(CodeChoice::code)
    }

    fn write(self, setup: &Setup, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
        check_extras(setup)?;
        match self.scheme() {
            CodeScheme::Nibble => nibble::write(setup, out),
            CodeScheme::Pieces(pieces) => pieces.write_position(setup, out),
            CodeScheme::Combined => combined::write(setup, out),
            CodeScheme::Game => game::write(setup, out),
        }
    }

    fn read(self, input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
        match self.scheme() {
            CodeScheme::Nibble => nibble::read(input),
            CodeScheme::Pieces(pieces) => pieces.read_position(input),
            CodeScheme::Combined => combined::read(input),
            CodeScheme::Game => game::read(input),
        }
    }
}
