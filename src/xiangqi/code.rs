//! The position codes by name, and their common parts.

use std::num::NonZeroU32;

use super::{Piece, Point, Position, Side, array, list, prefix, ranked};
use crate::bits::{BitReader, BitString, BitWriter, BitsError};

/// An encoding of a position as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// `xq-array`: a byte for each of the 32 pieces.
    Array,
    /// `xq-list`: the pieces on the board.
    List,
    /// `xq-prefix`: short words for likely points. Share links use this code.
    Prefix,
    /// `xq-ranked`: one number made of sets of points.
    Ranked,
}

impl Code {
    /// All codes.
    pub const ALL: [Code; 4] = [Code::Array, Code::List, Code::Prefix, Code::Ranked];

    /// The name of the code.
    pub fn name(self) -> &'static str {
        match self {
            Code::Array => "xq-array",
            Code::List => "xq-list",
            Code::Prefix => "xq-prefix",
            Code::Ranked => "xq-ranked",
        }
    }

    /// A short description of the code.
    pub fn description(self) -> &'static str {
        match self {
            Code::Array => "A byte for each of the 32 pieces",
            Code::List => "The pieces on the board, 12 bits each",
            Code::Prefix => "Short words for likely points, as in share links",
            Code::Ranked => "One number of sets of points",
        }
    }

    /// The code with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }

    /// Encodes a position.
    pub fn encode(self, position: &Position) -> Result<BitString, CannotRepresent> {
        let mut out = BitWriter::new();
        self.write(position, &mut out)?;
        Ok(out.into())
    }

    /// Decodes a position. All bytes are consumed.
    ///
    /// # Errors
    ///
    /// The bytes are not what [`encode`](Self::encode) writes.
    pub fn decode(self, bytes: &[u8]) -> Result<Position, CodeError> {
        let mut input = BitReader::new(bytes);
        let position = self.read(&mut input)?;
        input.finish()?;
        Ok(position)
    }

    /// Reads a position, and stops after it.
    pub(super) fn read(self, input: &mut BitReader<'_>) -> Result<Position, CodeError> {
        let mut read = input.clone();
        let turn = match read.read_bit()? {
            true => Side::Red,
            false => Side::Black,
        };
        let position = match self {
            Code::Array => array::read(turn, &mut read),
            Code::List => list::read(turn, &mut read),
            Code::Prefix => prefix::read(turn, &mut read),
            Code::Ranked => ranked::read(turn, &mut read),
        }?;
        let again = self.encode(&position);
        let again = again.map_err(|_| CodeError::NotCanonical)?;
        let is_same =
            read.position() - input.position() == again.bit_len() && is_next(input.clone(), &again);
        *input = read;
        match is_same {
            true => Ok(position),
            false => Err(CodeError::NotCanonical),
        }
    }

    /// Appends the bits of a position.
    pub(super) fn write(
        self,
        position: &Position,
        out: &mut BitWriter,
    ) -> Result<(), CannotRepresent> {
        out.push_bit(position.turn() == Side::Red);
        match self {
            Code::Array => array::write(position, out),
            Code::List => list::write(position, out),
            Code::Prefix => prefix::write(position, out),
            Code::Ranked => ranked::write(position, out),
        }
    }
}

/// Whether these bits follow in the input.
fn is_next(mut input: BitReader<'_>, bits: &BitString) -> bool {
    let mut expected = BitReader::new(bits.bytes());
    (0..bits.bit_len()).all(|_| input.read_bit() == expected.read_bit())
}

/// The number of symbols; `None` if it is 0.
pub(super) fn symbols(count: usize) -> Option<NonZeroU32> {
    u32::try_from(count).ok().and_then(NonZeroU32::new)
}

/// Reads a field of at most 8 bits.
pub(super) fn read_field(input: &mut BitReader<'_>, bits: u32) -> Result<u8, BitsError> {
    (0..bits).try_fold(0, |field, _| Ok(field << 1 | u8::from(input.read_bit()?)))
}

/// The reasons why a code cannot represent a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CannotRepresent {
    /// More pieces of a kind than at the start of a game.
    #[error("{} has too many {}s: at most {}", piece.side, piece.kind, piece.kind.count())]
    TooMany {
        /// The piece.
        piece: Piece,
    },
    /// Two soldiers of a side on one file on their own side of the river.
    #[error("two {piece}s on one file before the river")]
    TwoSoldiersOnFile {
        /// The piece.
        piece: Piece,
    },
    /// A piece on a point that it cannot reach by the rules.
    #[error("a {piece} on {point}, where none can come")]
    OutOfReach {
        /// The piece.
        piece: Piece,
        /// Its point.
        point: Point,
    },
}

/// Decoding errors of position codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// A number that is neither a point nor the value for captured pieces.
    #[error("{number} is no point")]
    NotAPoint {
        /// The number.
        number: u8,
    },
    /// A list with more than 32 pieces.
    #[error("{count} pieces, where there are 32")]
    TooManyPieces {
        /// The number of pieces in the list.
        count: u8,
    },
    /// The pieces of a list are not in ascending order of IDs.
    #[error("the pieces are not in ascending order")]
    Order,
    /// Two pieces on one point.
    #[error("two pieces on {point}")]
    TwoOnPoint {
        /// The point.
        point: Point,
    },
    /// The number is not 0 after its last digit.
    #[error("the number is larger than its digits can make")]
    Remainder,
    /// The position has another encoding, or none.
    #[error("not the encoding of the position that it decodes to")]
    NotCanonical,
    /// The bits end inside the position, or bits follow it.
    #[error(transparent)]
    Bits(#[from] BitsError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_their_code() {
        for code in Code::ALL {
            assert_eq!(Code::named(code.name()), Some(code));
        }
        assert_eq!(Code::named("xq-none"), None);
    }

    #[test]
    fn sizes_of_the_start_position() {
        let start = Position::start();
        let bits = Code::ALL.map(|code| code.encode(&start).expect("bits").bit_len());
        assert_eq!(bits, [257, 1 + 6 + 32 * 12, 149, 134]);
    }
}
