//! The codes, and how each is made of its parts.

use crate::bits::{BitReader, BitString, BitWriter};
use crate::chess::{Extras, Setup};

use super::board::Board;
use super::difference::Difference;
use super::digits::{BASE13, MIXED_BASE};
use super::error::{CannotRepresent, PositionError};
use super::huffman_static::HuffmanStatic;
use super::piece_list::PieceList;
use super::{combined, game, nibble, trailer};

/// A way to write the pieces on a board, and nothing else, as bits.
pub(super) trait PieceCode {
    fn write(&self, board: &Board, out: &mut BitWriter) -> Result<(), CannotRepresent>;

    /// The board that was written so, and never another than
    /// [`write`](Self::write) would write.
    fn read(&self, input: &mut BitReader<'_>) -> Result<Board, PositionError>;
}

/// Ranks 1 and 8, one bit a square, a1 lowest.
const BACKRANKS: u64 = 0xff00_0000_0000_00ff;

/// A way to write a position as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// 4 bits a square.
    Nibble,
    /// The board as one number in base 13.
    Base13,
    /// The same, with digits in base 11 where no pawn can stand.
    MixedBase,
    /// A fixed prefix code.
    HuffmanStatic,
    /// What differs from the start position.
    Difference,
    /// Squares of kings and officers, pawns as digits.
    PieceList,
    /// The same, with the pawns of a side as a set.
    PieceListRanked,
    /// The smallest of four others.
    Combined,
    /// A game that leads to the position.
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

    /// The position as bits.
    ///
    /// # Errors
    /// The code has no bits for the position.
    pub fn encode(self, setup: &Setup) -> Result<BitString, CannotRepresent> {
        let mut out = BitWriter::new();
        self.write(setup, &mut out)?;
        Ok(out.into())
    }

    /// The position whose bits these are, to the last byte.
    ///
    /// # Errors
    /// Whatever [`encode`](Self::encode) does not write is an error. Only
    /// `game` also takes games that it would not find, or not choose.
    pub fn decode(self, bytes: &[u8]) -> Result<Setup, PositionError> {
        let mut input = BitReader::new(bytes);
        let setup = self.read(&mut input)?;
        input.finish()?;
        Ok(setup)
    }

    /// Of the codes that `combined` tries, the one that it takes.
    ///
    /// # Errors
    /// None of them has bits for the position.
    pub fn combined_choice(setup: &Setup) -> Result<Code, CannotRepresent> {
        combined::choose(setup).map(|(_, code)| code)
    }

    fn pieces(self) -> Option<&'static dyn PieceCode> {
        Some(match self {
            Code::Base13 => &BASE13,
            Code::MixedBase => &MIXED_BASE,
            Code::HuffmanStatic => &HuffmanStatic,
            Code::Difference => &Difference,
            Code::PieceList => &PieceList::Falling,
            Code::PieceListRanked => &PieceList::Ranked,
            Code::Nibble | Code::Combined | Code::Game => return None,
        })
    }

    /// How many of the bits say where the pieces stand; `None` where the code
    /// does not say it apart from the rest.
    ///
    /// # Errors
    /// The code has no bits for the position.
    pub fn piece_bits(self, setup: &Setup) -> Result<Option<u64>, CannotRepresent> {
        let Some(pieces) = self.pieces() else {
            return Ok(match self {
                Code::Nibble => Some(nibble::PIECE_BITS),
                Code::Combined => {
                    let (_, code) = combined::choose(setup)?;
                    let bits = code.piece_bits(setup)?;
                    bits.map(|bits| bits + combined::SELECTOR_BITS)
                }
                _ => None,
            });
        };
        let mut out = BitWriter::new();
        pieces.write(&Board::of(setup)?, &mut out)?;
        Ok(Some(out.bit_len()))
    }

    pub(super) fn write(self, setup: &Setup, out: &mut BitWriter) -> Result<(), CannotRepresent> {
        if setup.extras != Extras::default() {
            return Err(CannotRepresent::Variant);
        }
        if setup.castling_rooks & !BACKRANKS != 0 {
            return Err(CannotRepresent::StrayRight);
        }
        if let Some(pieces) = self.pieces() {
            pieces.write(&Board::of(setup)?, out)?;
            return trailer::write(setup, out);
        }
        match self {
            Code::Combined => combined::write(setup, out),
            Code::Game => game::write(setup, out),
            _ => nibble::write(setup, out),
        }
    }

    pub(super) fn read(self, input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
        if let Some(pieces) = self.pieces() {
            let board = pieces.read(input)?;
            if let Some(square) = board.misplaced_pawn() {
                return Err(PositionError::Pawn { square });
            }
            return trailer::read(board, input);
        }
        match self {
            Code::Combined => combined::read(input),
            Code::Game => game::read(input),
            _ => nibble::read(input),
        }
    }
}
