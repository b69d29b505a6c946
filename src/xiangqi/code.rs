//! The position codes by name.

use super::error::{CodeError, XiangqiEncodeError};
use super::{XiangqiPosition, XiangqiSide, array, list, prefix, ranked};
use crate::bits::{BitReader, BitString, BitWriter};

/// An encoding of a position as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum XiangqiCode {
    /// `xq-array`: a byte for each of the 32 pieces.
    Array,
    /// `xq-list`: the pieces on the board.
    List,
    /// `xq-prefix`: short words for likely points. Share links use this code.
    Prefix,
    /// `xq-ranked`: one number made of sets of points.
    Ranked,
}

impl XiangqiCode {
    /// All codes.
    pub const ALL: [XiangqiCode; 4] = [
        XiangqiCode::Array,
        XiangqiCode::List,
        XiangqiCode::Prefix,
        XiangqiCode::Ranked,
    ];

    /// The name of the code.
    pub fn name(self) -> &'static str {
        match self {
            XiangqiCode::Array => "xq-array",
            XiangqiCode::List => "xq-list",
            XiangqiCode::Prefix => "xq-prefix",
            XiangqiCode::Ranked => "xq-ranked",
        }
    }

    /// A short description of the code.
    pub fn description(self) -> &'static str {
        match self {
            XiangqiCode::Array => "A byte for each of the 32 pieces",
            XiangqiCode::List => "The pieces on the board, 12 bits each",
            XiangqiCode::Prefix => "Short words for likely points, as in share links",
            XiangqiCode::Ranked => "One number of sets of points",
        }
    }

    /// The code with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }

    /// Encodes a position.
    pub fn encode(self, position: &XiangqiPosition) -> Result<BitString, XiangqiEncodeError> {
        let mut out = BitWriter::new();
        self.write(position, &mut out)?;
        Ok(out.into())
    }

    /// Decodes a position. All bytes are consumed.
    ///
    /// # Errors
    ///
    /// The bytes are not what [`encode`](Self::encode) writes.
    pub fn decode(self, bytes: &[u8]) -> Result<XiangqiPosition, CodeError> {
        let mut input = BitReader::new(bytes);
        let position = self.read(&mut input)?;
        input.finish()?;
        Ok(position)
    }

    /// Reads a position, and stops after it.
    pub(super) fn read(self, input: &mut BitReader<'_>) -> Result<XiangqiPosition, CodeError> {
        let mut read = input.clone();
        let turn = match read.read_bit()? {
            true => XiangqiSide::Red,
            false => XiangqiSide::Black,
        };
        let position = match self {
            XiangqiCode::Array => array::read(turn, &mut read),
            XiangqiCode::List => list::read(turn, &mut read),
            XiangqiCode::Prefix => prefix::read(turn, &mut read),
            XiangqiCode::Ranked => ranked::read(turn, &mut read),
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
        position: &XiangqiPosition,
        out: &mut BitWriter,
    ) -> Result<(), XiangqiEncodeError> {
        out.push_bit(position.turn() == XiangqiSide::Red);
        match self {
            XiangqiCode::Array => array::write(position, out),
            XiangqiCode::List => list::write(position, out),
            XiangqiCode::Prefix => prefix::write(position, out),
            XiangqiCode::Ranked => ranked::write(position, out),
        }
    }
}

/// Whether these bits follow in the input.
fn is_next(mut input: BitReader<'_>, bits: &BitString) -> bool {
    let mut expected = BitReader::new(bits.bytes());
    (0..bits.bit_len()).all(|_| input.read_bit() == expected.read_bit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_their_code() {
        for code in XiangqiCode::ALL {
            assert_eq!(XiangqiCode::named(code.name()), Some(code));
        }
        assert_eq!(XiangqiCode::named("xq-none"), None);
    }

    #[test]
    fn sizes_of_the_start_position() {
        let start = XiangqiPosition::start();
        let bits = XiangqiCode::ALL.map(|code| code.encode(&start).expect("bits").bit_len());
        assert_eq!(bits, [257, 1 + 6 + 32 * 12, 149, 134]);
    }
}
