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

    /// Appends the encoded shape to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let (number, parameter): (u8, &[u8]) = match self {
            TextShape::Text => (0, &[]),
            TextShape::Decimal(prefix) => (1, prefix),
            TextShape::Date(separator) => (2, &[*separator]),
            TextShape::Time => (3, &[]),
            TextShape::Code(prefix) => (4, prefix),
            TextShape::Round => (5, &[]),
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
            2 => TextShape::Date(input.u8()?),
            3 => TextShape::Time,
            4 => match prefix(input)? {
                Some(prefix) => TextShape::Code(prefix),
                None => return Ok(None),
            },
            5 => TextShape::Round,
            _ => return Ok(None),
        }))
    }
}

fn prefix(input: &mut ByteReader<'_>) -> Result<Option<Vec<u8>>, BitsError> {
    let prefix = input.bytes()?;
    Ok((prefix.len() <= MAX_PREFIX_BYTES).then(|| prefix.to_vec()))
}

#[cfg(test)]
mod tests;
