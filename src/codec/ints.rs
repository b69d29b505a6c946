//! A column of unsigned integers whose count the reader knows.
//!
//! `spec/columns.md`, section 3, defines the layout. [`encode`] takes the
//! smallest [`Encoding`]. A new encoding gets the next number.

mod rice;

use std::collections::BTreeSet;

use super::error::CodecError;
use super::pack;
use crate::bits::{BitReader, BitWriter, ByteReader, put_bytes, put_varint};
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
    /// All values at the width of the largest.
    #[strum(serialize = "packed")]
    Packed = 1,
    /// The lowest byte of every value, then the next byte of every value, and
    /// so on, compressed.
    #[strum(serialize = "planes")]
    Planes = 2,
    /// Pairs of a value and its run length, compressed.
    #[strum(serialize = "runs")]
    Runs = 3,
    /// The distinct values in ascending order, then the index of each value
    /// among them.
    #[strum(serialize = "distinct")]
    Distinct = 4,
    /// Rice codes: quotients in unary, remainders in binary.
    #[strum(serialize = "Rice")]
    Rice = 5,
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

/// Encodes a column: as [`Encoding::Constant`] if all values are equal, else in
/// the smallest encoding. Ties go to the lowest number, except that `Rice`
/// precedes `Distinct`. An empty column has no bytes.
pub fn encode(values: &[u64]) -> Vec<u8> {
    let plain = encode_plain(values);
    match distinct(values) {
        Some(column) if column.len() < plain.len() => column,
        _ => plain,
    }
}

/// Decodes a column of `count` values.
///
/// # Errors
/// [`CodecError::Limit`] if the values would take more memory than
/// [`Limits::block_raw_bytes`], otherwise damaged data.
pub fn decode(bytes: &[u8], count: usize, limits: &Limits) -> Result<Vec<u64>, CodecError> {
    let mut reader = ByteReader::new(bytes);
    if count > 0 && bytes.first() == Some(&Encoding::Distinct.number()) {
        reader.u8()?;
        return read_distinct(reader, count, limits);
    }
    decode_plain(bytes, count, limits)
}

fn encode_plain(values: &[u64]) -> Vec<u8> {
    let Some(first) = values.first() else {
        return Vec::new();
    };
    if values.iter().all(|value| value == first) {
        return constant(*first);
    }
    let mut best = packed(values);
    for column in [planes(values), runs(values)] {
        if column.len() < best.len() {
            best = column;
        }
    }
    rice::encode(values, best.len()).unwrap_or(best)
}

fn decode_plain(bytes: &[u8], count: usize, limits: &Limits) -> Result<Vec<u64>, CodecError> {
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
        Encoding::Packed => read_packed(reader, count),
        Encoding::Planes => read_planes(reader, count, limits),
        Encoding::Runs => read_runs(reader, count, limits),
        Encoding::Rice => rice::decode(reader, count),
        Encoding::Distinct => Err(CodecError::Damaged(
            "distinct values within distinct values",
        )),
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

/// The width of the largest value in bits, at least 1.
fn width_bits(values: &[u64]) -> u32 {
    let all = values.iter().fold(1, |all, value| all | value);
    u64::BITS - all.leading_zeros()
}

fn packed(values: &[u64]) -> Vec<u8> {
    let width = width_bits(values);
    let mut bits = BitWriter::new();
    for value in values {
        bits.push_bits(*value, width);
    }
    let [width_byte, ..] = width.to_le_bytes();
    let mut out = vec![Encoding::Packed.number(), width_byte];
    out.extend(bits.into_bytes());
    out
}

fn read_packed(mut reader: ByteReader<'_>, count: usize) -> Result<Vec<u64>, CodecError> {
    let width = u32::from(reader.u8()?);
    let size_bits = (count as u64).checked_mul(u64::from(width));
    if width > u64::BITS
        || size_bits.map(|bits| bits.div_ceil(8)) != Some(reader.rest().len() as u64)
    {
        return Err(CodecError::Damaged(
            "packed integers of a wrong width or length",
        ));
    }
    let mut bits = BitReader::new(reader.rest());
    let values: Result<Vec<u64>, _> = (0..count).map(|_| bits.read_bits(width)).collect();
    let values = values?;
    bits.finish()?;
    if width_bits(&values) != width {
        return Err(CodecError::Damaged("packed integers wider than needed"));
    }
    Ok(values)
}

/// The width of the largest value in bytes, at least 1.
fn plane_count(values: &[u64]) -> u32 {
    width_bits(values).div_ceil(8)
}

fn planes(values: &[u64]) -> Vec<u8> {
    let count = plane_count(values);
    let raw: Vec<u8> = (0..count)
        .flat_map(|plane| {
            values
                .iter()
                .map(move |value| low_byte(value >> (8 * plane)))
        })
        .collect();
    let mut out = vec![Encoding::Planes.number(), low_byte(u64::from(count))];
    out.extend(pack::compress(&raw, pack::LEVEL));
    out
}

fn low_byte(value: u64) -> u8 {
    let [low, ..] = value.to_le_bytes();
    low
}

fn read_planes(
    mut reader: ByteReader<'_>,
    count: usize,
    limits: &Limits,
) -> Result<Vec<u64>, CodecError> {
    let planes = usize::from(reader.u8()?);
    let raw_len = count.saturating_mul(planes);
    if !(1..=8).contains(&planes) {
        return Err(CodecError::Damaged("number of byte planes"));
    }
    let raw = pack::decompress(reader.rest(), raw_len as u64, limits)?;
    if raw.len() != raw_len {
        return Err(CodecError::Damaged("byte planes of a wrong length"));
    }
    let mut values = vec![0u64; count];
    for (plane, shift) in raw.chunks_exact(count).zip((0u32..).step_by(8)) {
        for (value, byte) in values.iter_mut().zip(plane) {
            *value |= u64::from(*byte) << shift;
        }
    }
    if plane_count(&values) as usize != planes {
        return Err(CodecError::Damaged("more byte planes than needed"));
    }
    Ok(values)
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

/// `None` if no value repeats or all are equal.
fn distinct(values: &[u64]) -> Option<Vec<u8>> {
    let set: BTreeSet<u64> = values.iter().copied().collect();
    if set.len() < 2 || set.len() == values.len() {
        return None;
    }
    let sorted: Vec<u64> = set.into_iter().collect();
    let steps: Vec<u64> = std::iter::once(0)
        .chain(sorted.iter().copied())
        .zip(&sorted)
        .map(|(before, value)| value - before)
        .collect();
    let indexes: Vec<u64> = values
        .iter()
        .map(|value| sorted.partition_point(|other| other < value) as u64)
        .collect();
    let mut out = vec![Encoding::Distinct.number()];
    put_varint(&mut out, sorted.len() as u64);
    put_bytes(&mut out, &encode_plain(&steps));
    out.extend(encode_plain(&indexes));
    Some(out)
}

fn read_distinct(
    mut reader: ByteReader<'_>,
    count: usize,
    limits: &Limits,
) -> Result<Vec<u64>, CodecError> {
    let distinct_count = reader.length()?;
    if distinct_count > count {
        return Err(CodecError::Damaged("more distinct values than values"));
    }
    let steps = decode_plain(reader.bytes()?, distinct_count, limits)?;
    let sorted = ascending(steps)?;
    let mut values = decode_plain(reader.rest(), count, limits)?;
    for value in &mut values {
        *value = usize::try_from(*value)
            .ok()
            .and_then(|index| sorted.get(index).copied())
            .ok_or(CodecError::Damaged("index past the distinct values"))?;
    }
    Ok(values)
}

/// The prefix sums of `steps`, which must ascend; only the first may be 0.
fn ascending(mut steps: Vec<u64>) -> Result<Vec<u64>, CodecError> {
    let mut last = None;
    for step in &mut steps {
        let next = step.checked_add(last.unwrap_or(0));
        let value = next
            .filter(|value| last.is_none_or(|before| before < *value))
            .ok_or(CodecError::Damaged("distinct values do not ascend"))?;
        last = Some(value);
        *step = value;
    }
    Ok(steps)
}

#[cfg(test)]
mod tests;
