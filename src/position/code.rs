//! The position codes and their parts.

use crate::bits::{BitReader, BitString, BitWriter};
use crate::chess::{Extras, Setup};

use super::board::PieceBoard;
use super::combined::CodeChoice;
use super::difference::Difference;
use super::digits::{BASE13, MIXED_BASE};
use super::error::{PositionEncodeError, PositionError};
use super::huffman_static::HuffmanStatic;
use super::piece_code::PieceCode;
use super::piece_list::PieceList;
use super::{combined, game, nibble, trailer};

/// An encoding of a position as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PositionCode {
    /// 4 bits a square.
    Nibble,
    /// The board as one number in base 13.
    Base13,
    /// The board as one number, with base 11 on ranks 1 and 8.
    MixedBase,
    /// A fixed prefix code.
    HuffmanStatic,
    /// The differences from the start position.
    Difference,
    /// The squares of kings and officers, and the pawns as digits.
    PieceList,
    /// The squares of kings and officers, and the pawns of a side as a set.
    PieceListRanked,
    /// The smallest of four other codes.
    Combined,
    /// A game to the position.
    Game,
}

impl PositionCode {
    /// All codes.
    pub const ALL: [PositionCode; 9] = [
        PositionCode::Nibble,
        PositionCode::Base13,
        PositionCode::MixedBase,
        PositionCode::HuffmanStatic,
        PositionCode::Difference,
        PositionCode::PieceList,
        PositionCode::PieceListRanked,
        PositionCode::Combined,
        PositionCode::Game,
    ];

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

    fn scheme(self) -> CodeScheme {
        match self {
            PositionCode::Nibble => CodeScheme::Nibble,
            PositionCode::Base13 => CodeScheme::Pieces(&BASE13),
            PositionCode::MixedBase => CodeScheme::Pieces(&MIXED_BASE),
            PositionCode::HuffmanStatic => CodeScheme::Pieces(&HuffmanStatic),
            PositionCode::Difference => CodeScheme::Pieces(&Difference),
            PositionCode::PieceList => CodeScheme::Pieces(&PieceList::Sequential),
            PositionCode::PieceListRanked => CodeScheme::Pieces(&PieceList::Ranked),
            PositionCode::Combined => CodeScheme::Combined,
            PositionCode::Game => CodeScheme::Game,
        }
    }

    pub(super) fn write(
        self,
        setup: &Setup,
        out: &mut BitWriter,
    ) -> Result<(), PositionEncodeError> {
        if setup.extras != Extras::default() {
            return Err(PositionEncodeError::Variant);
        }
        match self.scheme() {
            CodeScheme::Nibble => nibble::write(setup, out),
            CodeScheme::Pieces(pieces) => {
                let board = PieceBoard::of(setup)?;
                pieces.write(&board, out)?;
                trailer::write(setup, &board, out)
            }
            CodeScheme::Combined => combined::write(setup, out),
            CodeScheme::Game => game::write(setup, out),
        }
    }

    pub(super) fn read(self, input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
        match self.scheme() {
            CodeScheme::Nibble => nibble::read(input),
            CodeScheme::Pieces(pieces) => {
                let board = pieces.read(input)?;
                match board.misplaced_pawn() {
                    Some(square) => Err(PositionError::Pawn { square }),
                    None => trailer::read(board, input),
                }
            }
            CodeScheme::Combined => combined::read(input),
            CodeScheme::Game => game::read(input),
        }
    }
}

/// The structure of a code.
enum CodeScheme {
    /// The pieces, of which some encode rights.
    Nibble,
    /// The pieces, then the trailer.
    Pieces(&'static dyn PieceCode),
    Combined,
    Game,
}
