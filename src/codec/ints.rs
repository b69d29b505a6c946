//! A column of unsigned integers whose count the reader knows.
//!
//! `spec/columns.md`, section 3, defines the layout. [`encode`] takes the smallest [`Encoding`]
//! that is fast to read, [`encode_smallest`] the smallest of all.

mod adaptive;
mod rice;

use super::error::CodecError;
use super::pack;
use crate::bits::{ByteReader, put_varint};
use crate::limits::Limits;
use strum::{FromRepr, IntoStaticStr};

/// The encoding of a column of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRepr, IntoStaticStr)]
#[cfg_attr(test, derive(strum::VariantArray))]
#[repr(u8)]
pub enum Encoding {
    /// One value that all others equal.
    #[strum(serialize = "constant")]
    Constant = 0,
    /// Pairs of a value and its run length, compressed.
    #[strum(serialize = "runs")]
    Runs = 1,
    /// Rice codes: quotients in unary, remainders in binary.
    #[strum(serialize = "Rice")]
    Rice = 2,
    /// Lengths and bits of the values, with adaptive probabilities.
    #[strum(serialize = "adaptive")]
    Adaptive = 3,
}

impl Encoding {
    /// The number of this encoding in a file.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The display name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    fn read(reader: &mut ByteReader<'_>) -> Result<Self, CodecError> {
        let encoding = Self::from_repr(reader.u8()?);
        encoding.ok_or(CodecError::Damaged("unknown encoding of integers"))
    }
}

/// Encodes a column: as [`Encoding::Constant`] if all values are equal, else in the smaller of
/// `Runs` and `Rice`; `Runs` on a tie. An empty column has no bytes.
pub fn encode(values: &[u64]) -> Vec<u8> {
    let Some(first) = values.first() else {
        return Vec::new();
    };
    if values.iter().all(|value| value == first) {
        return constant(*first);
    }
    let runs = runs(values);
    rice::encode(values, runs.len()).unwrap_or(runs)
}

/// Encodes a column like [`encode`], or as [`Encoding::Adaptive`] if that is smaller. A reader takes
/// about ten times as long for an adaptive column, so it is for those that are read once a segment.
pub fn encode_smallest(values: &[u64]) -> Vec<u8> {
    let other = encode(values);
    let encoding = other.first().copied();
    if encoding.is_none_or(|encoding| encoding == Encoding::Constant.number()) {
        return other;
    }
    match adaptive::encode(values) {
        Some(adaptive) if adaptive.len() < other.len() => adaptive,
        _ => other,
    }
}

/// Decodes a column of `count` values.
///
/// # Errors
/// [`CodecError::Limit`] if the values would take more memory than
/// [`Limits::block_raw_bytes`], otherwise damaged data.
pub fn decode(bytes: &[u8], count: usize, limits: &Limits) -> Result<Vec<u64>, CodecError> {
    if (count as u64).saturating_mul(8) > limits.block_raw_bytes {
        return Err(CodecError::Limit("values in a column"));
    }
    let mut reader = ByteReader::new(bytes);
    if count == 0 {
        reader.finish()?;
        return Ok(Vec::new());
    }
    match Encoding::read(&mut reader)? {
        Encoding::Constant => read_constant(reader, count),
        Encoding::Runs => read_runs(reader, count, limits),
        Encoding::Rice => rice::decode(reader, count),
        Encoding::Adaptive => adaptive::decode(reader.rest(), count),
    }
}

fn constant(value: u64) -> Vec<u8> {
    let mut out = vec![Encoding::Constant.number()];
    put_varint(&mut out, value);
    out
}

fn read_constant(mut reader: ByteReader<'_>, count: usize) -> Result<Vec<u64>, CodecError> {
    let value = reader.varint()?;
    reader.finish()?;
    Ok(vec![value; count])
}

fn runs(values: &[u64]) -> Vec<u8> {
    let mut raw = Vec::new();
    for run in values.chunk_by(|a, b| a == b) {
        put_varint(&mut raw, run.first().copied().unwrap_or_default());
        put_varint(&mut raw, run.len() as u64);
    }
    let mut out = vec![Encoding::Runs.number()];
    out.extend(pack::compress(&raw, pack::LEVEL));
    out
}

fn read_runs(
    reader: ByteReader<'_>,
    count: usize,
    limits: &Limits,
) -> Result<Vec<u64>, CodecError> {
    let longest = (count as u64).saturating_mul(20);
    let raw = pack::decompress(reader.rest(), longest, limits)?;
    let mut pairs = ByteReader::new(&raw);
    let mut values = Vec::with_capacity(count);
    while !pairs.is_empty() {
        let value = pairs.varint()?;
        let run = pairs.length()?;
        if run == 0 || run > count - values.len() {
            return Err(CodecError::Damaged("run of a wrong length"));
        }
        values.resize(values.len() + run, value);
    }
    if values.len() == count {
        Ok(values)
    } else {
        Err(CodecError::Damaged("runs end before the column"))
    }
}

#[cfg(test)]
mod tests;
