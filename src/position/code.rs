//! The position codes and their parts.

use crate::bits::{BitReader, BitString, BitWriter};
use crate::chess::{Extras, Setup};

use super::board::Board;
use super::combined::Choice;
use super::difference::Difference;
use super::digits::{BASE13, MIXED_BASE};
use super::error::{CannotRepresent, PositionError};
use super::huffman_static::HuffmanStatic;
use super::piece_code::PieceCode;
use super::piece_list::PieceList;
use super::{combined, game, nibble, trailer};

/// An encoding of a position as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
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

impl Code {
    /// All codes.
    pub const ALL: [Code; 9] = [
        Code::Nibble,
        Code::Base13,
        Code::MixedBase,
        Code::HuffmanStatic,
        Code::Difference,
        Code::PieceList,
        Code::PieceListRanked,
        Code::Combined,
        Code::Game,
    ];

    /// Encodes a position.
    ///
    /// # Errors
    /// The code cannot represent the position.
    pub fn encode(self, setup: &Setup) -> Result<BitString, CannotRepresent> {
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
    pub fn piece_bits(self, setup: &Setup) -> Result<Option<u64>, CannotRepresent> {
        Ok(match self.scheme() {
            Scheme::Nibble => Some(nibble::PIECE_BITS),
            Scheme::Pieces(pieces) => {
                let mut out = BitWriter::new();
                pieces.write(&Board::of(setup)?, &mut out)?;
                Some(out.bit_len())
            }
            Scheme::Combined => {
                let choice = combined::choose(setup)?;
                let bits = choice.code().piece_bits(setup)?;
                bits.map(|bits| bits + u64::from(combined::SELECTOR_BITS))
            }
            Scheme::Game => None,
        })
    }

    /// The code that `combined` selects.
    ///
    /// # Errors
    /// None of its codes can represent the position.
    pub fn combined_choice(setup: &Setup) -> Result<Code, CannotRepresent> {
        combined::choose(setup).map(Choice::code)
    }

    fn scheme(self) -> Scheme {
        match self {
            Code::Nibble => Scheme::Nibble,
            Code::Base13 => Scheme::Pieces(&BASE13),
            Code::MixedBase => Scheme::Pieces(&MIXED_BASE),
            Code::HuffmanStatic => Scheme::Pieces(&HuffmanStatic),
            Code::Difference => Scheme::Pieces(&Difference),
            Code::PieceList => Scheme::Pieces(&PieceList::Sequential),
            Code::PieceListRanked => Scheme::Pieces(&PieceList::Ranked),
            Code::Combined => Scheme::Combined,
            Code::Game => Scheme::Game,
        }
    }

    pub(super) fn write(self, setup: &Setup, out: &mut BitWriter) -> Result<(), CannotRepresent> {
        if setup.extras != Extras::default() {
            return Err(CannotRepresent::Variant);
        }
        match self.scheme() {
            Scheme::Nibble => nibble::write(setup, out),
            Scheme::Pieces(pieces) => {
                let board = Board::of(setup)?;
                pieces.write(&board, out)?;
                trailer::write(setup, &board, out)
            }
            Scheme::Combined => combined::write(setup, out),
            Scheme::Game => game::write(setup, out),
        }
    }

    pub(super) fn read(self, input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
        match self.scheme() {
            Scheme::Nibble => nibble::read(input),
            Scheme::Pieces(pieces) => {
                let board = pieces.read(input)?;
                match board.misplaced_pawn() {
                    Some(square) => Err(PositionError::Pawn { square }),
                    None => trailer::read(board, input),
                }
            }
            Scheme::Combined => combined::read(input),
            Scheme::Game => game::read(input),
        }
    }
}

/// The structure of a code.
enum Scheme {
    /// The pieces, of which some encode rights.
    Nibble,
    /// The pieces, then the trailer.
    Pieces(&'static dyn PieceCode),
    Combined,
    Game,
}
