//! Texts that are numbers: what a value says, where its text follows from it.

mod texts;

use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};

/// Numbers of shapes are below this, so that differences have a sign.
pub(super) const NUMBERS: u64 = 1 << 62;

/// Most bytes of a prefix.
const MOST_PREFIX: usize = 255;

/// Which texts of a column are numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// None.
    Text,
    /// A prefix and a number in decimal.
    Decimal(Vec<u8>),
    /// A number with its sign; 0 as `0` or as `+0`.
    Signed {
        /// Whether 0 has its sign.
        zero_has_sign: bool,
    },
    /// Year, month and day with this byte between them; `?` for what is unknown.
    Date(u8),
    /// Hours, minutes and seconds.
    Time,
    /// A prefix and eight letters and digits.
    Code(Vec<u8>),
    /// A round, or a round and a board.
    Round,
}

impl Shape {
    /// That of columns of integers.
    pub const INTEGERS: Shape = Shape::Decimal(Vec::new());

    /// What differences are taken of: the number with its sign.
    pub fn value(&self, number: u64) -> i64 {
        let number = number.min(NUMBERS - 1);
        match self {
            Shape::Signed { .. } => unfold(number),
            _ => number.cast_signed(),
        }
    }

    /// The number of a value; `None` if there is none.
    pub fn number(&self, value: i64) -> Option<u64> {
        let number = match self {
            Shape::Signed { .. } => fold(value),
            _ => u64::try_from(value).ok()?,
        };
        (value.unsigned_abs() < NUMBERS / 2 && number < NUMBERS).then_some(number)
    }

    /// Appends the shape to a plan.
    pub fn write(&self, out: &mut Vec<u8>) {
        let (number, parameter): (u8, &[u8]) = match self {
            Shape::Text => (0, &[]),
            Shape::Decimal(prefix) => (1, prefix),
            Shape::Signed { zero_has_sign } => (2 + u8::from(*zero_has_sign), &[]),
            Shape::Date(separator) => (4, &[*separator]),
            Shape::Time => (5, &[]),
            Shape::Code(prefix) => (6, prefix),
            Shape::Round => (7, &[]),
        };
        put_varint(out, number.into());
        match self {
            Shape::Decimal(_) | Shape::Code(_) => put_bytes(out, parameter),
            _ => out.extend_from_slice(parameter),
        }
    }

    /// Reads a shape; `None` for one that there is not.
    pub fn read(input: &mut ByteReader<'_>) -> Result<Option<Shape>, BitsError> {
        Ok(Some(match input.varint()? {
            0 => Shape::Text,
            1 => match prefix(input)? {
                Some(prefix) => Shape::Decimal(prefix),
                None => return Ok(None),
            },
            number @ (2 | 3) => Shape::Signed {
                zero_has_sign: number == 3,
            },
            4 => Shape::Date(input.u8()?),
            5 => Shape::Time,
            6 => match prefix(input)? {
                Some(prefix) => Shape::Code(prefix),
                None => return Ok(None),
            },
            7 => Shape::Round,
            _ => return Ok(None),
        }))
    }
}

fn prefix(input: &mut ByteReader<'_>) -> Result<Option<Vec<u8>>, BitsError> {
    let prefix = input.bytes()?;
    Ok((prefix.len() <= MOST_PREFIX).then(|| prefix.to_vec()))
}

/// A number with its sign in the lowest bit.
pub(super) fn fold(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// The number whose sign is in the lowest bit.
pub(super) fn unfold(folded: u64) -> i64 {
    (folded >> 1).cast_signed() ^ -((folded & 1).cast_signed())
}

#[cfg(test)]
mod tests;
