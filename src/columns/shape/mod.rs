//! Shapes: texts that are coded as numbers and restored from them.

mod texts;

use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};

/// The bound on numbers, exclusive, so that differences fit signed integers.
pub(super) const NUMBER_BOUND: u64 = 1 << 62;

/// The maximum size of a prefix, in bytes.
const MAX_PREFIX_BYTES: usize = 255;

/// Which texts of a column are numbers, and how they are printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextShape {
    /// No text is a number.
    Text,
    /// A prefix and a decimal number.
    Decimal(Vec<u8>),
    /// A signed number; 0 is printed as `0` or as `+0`.
    Signed {
        /// Whether 0 is printed with a sign.
        zero_has_sign: bool,
    },
    /// Year, month and day, separated by this byte; unknown parts are question
    /// marks.
    Date(u8),
    /// Hours, minutes and seconds, separated by `:`.
    Time,
    /// A prefix and eight base-62 digits.
    Code(Vec<u8>),
    /// A round, or a round and a board, separated by a full stop.
    Round,
}

impl TextShape {
    /// The shape of columns of integers.
    pub const INTEGERS: TextShape = TextShape::Decimal(Vec::new());

    /// The amount of a number, from which differences are taken: the signed
    /// number for `Signed`, else the number itself.
    pub fn amount(&self, number: u64) -> i64 {
        let number = number.min(NUMBER_BOUND - 1);
        match self {
            TextShape::Signed { .. } => unzigzag(number),
            _ => number.cast_signed(),
        }
    }

    /// The number of an amount; `None` if there is none.
    pub fn number(&self, value: i64) -> Option<u64> {
        let number = match self {
            TextShape::Signed { .. } => zigzag(value),
            _ => u64::try_from(value).ok()?,
        };
        (value.unsigned_abs() < NUMBER_BOUND / 2 && number < NUMBER_BOUND).then_some(number)
    }

    /// Appends the encoded shape to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let (number, parameter): (u8, &[u8]) = match self {
            TextShape::Text => (0, &[]),
            TextShape::Decimal(prefix) => (1, prefix),
            TextShape::Signed { zero_has_sign } => (2 + u8::from(*zero_has_sign), &[]),
            TextShape::Date(separator) => (4, &[*separator]),
            TextShape::Time => (5, &[]),
            TextShape::Code(prefix) => (6, prefix),
            TextShape::Round => (7, &[]),
        };
        put_varint(out, number.into());
        match self {
            TextShape::Decimal(_) | TextShape::Code(_) => put_bytes(out, parameter),
            _ => out.extend_from_slice(parameter),
        }
    }

    /// Reads a shape. Returns `None` for an unknown enumerator or a prefix that
    /// is too long.
    pub fn read(input: &mut ByteReader<'_>) -> Result<Option<TextShape>, BitsError> {
        Ok(Some(match input.varint()? {
            0 => TextShape::Text,
            1 => match prefix(input)? {
                Some(prefix) => TextShape::Decimal(prefix),
                None => return Ok(None),
            },
            number @ (2 | 3) => TextShape::Signed {
                zero_has_sign: number == 3,
            },
            4 => TextShape::Date(input.u8()?),
            5 => TextShape::Time,
            6 => match prefix(input)? {
                Some(prefix) => TextShape::Code(prefix),
                None => return Ok(None),
            },
            7 => TextShape::Round,
            _ => return Ok(None),
        }))
    }
}

fn prefix(input: &mut ByteReader<'_>) -> Result<Option<Vec<u8>>, BitsError> {
    let prefix = input.bytes()?;
    Ok((prefix.len() <= MAX_PREFIX_BYTES).then(|| prefix.to_vec()))
}

/// Zigzag-encodes a signed number: the sign moves to the lowest bit.
pub(super) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// Decodes a zigzag-encoded number.
pub(super) fn unzigzag(folded: u64) -> i64 {
    (folded >> 1).cast_signed() ^ -((folded & 1).cast_signed())
}

#[cfg(test)]
mod tests;
