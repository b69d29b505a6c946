//! A column of unsigned integers whose count the reader knows.
//!
//! The layout is that of `spec/columns.md`, section 3. [`encode`] tries every
//! [`Encoding`] and keeps the smallest; a better one would get the next number.

use std::collections::BTreeSet;

use super::error::CodecError;
use super::pack;
use crate::bits::{BitReader, BitWriter, ByteReader, put_bytes, put_varint};
use crate::limits::Limits;

/// How a column of integers is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Encoding {
    /// One value that stands for all.
    Constant = 0,
    /// Every value at the width of the largest.
    Packed = 1,
    /// The lowest byte of every value, then the next byte of every value, and
    /// so on, pressed.
    Planes = 2,
    /// Pairs of a value and how often it follows itself, pressed.
    Runs = 3,
    /// The distinct values in ascending order, then indexes among them.
    Distinct = 4,
}

impl Encoding {
    /// Every encoding, by number.
    pub const ALL: [Encoding; 5] = [
        Encoding::Constant,
        Encoding::Packed,
        Encoding::Planes,
        Encoding::Runs,
        Encoding::Distinct,
    ];

    /// The number that names this encoding in a file.
    pub const fn number(self) -> u8 {
        self as u8
    }

    fn read(reader: &mut ByteReader<'_>) -> Result<Self, CodecError> {
        let number = reader.u8()?;
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.number() == number)
            .ok_or(CodecError::Damaged("unknown encoding of integers"))
    }
}

/// Writes a column in the smallest encoding, of equals the lowest number.
pub fn encode(values: &[u64]) -> Vec<u8> {
    let plain = encode_plain(values);
    match distinct(values) {
        Some(column) if column.len() < plain.len() => column,
        _ => plain,
    }
}

/// Reads a column of `count` values.
///
/// # Errors
/// [`CodecError::Limit`] when the values would take more memory than
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
    best
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

/// The bits that the largest value needs, at least 1.
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

/// The bytes that the largest value needs, at least 1.
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

/// Nothing where no value repeats or one stands for all.
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
    let kinds = reader.length()?;
    if kinds > count {
        return Err(CodecError::Damaged("more distinct values than values"));
    }
    let steps = decode_plain(reader.bytes()?, kinds, limits)?;
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

/// The sums of `steps`; only the first step may be 0.
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
mod tests {
    use super::*;
    use crate::codec::golden::{assert_in_spec, assert_row_in_spec};
    use proptest::prelude::*;

    fn read(bytes: &[u8], count: usize) -> Result<Vec<u64>, CodecError> {
        decode(bytes, count, &Limits::default())
    }

    /// Checks that the column comes back and is written in this encoding.
    fn check(values: &[u64], encoding: Encoding) -> Vec<u8> {
        let bytes = encode(values);
        assert_eq!(bytes[0], encoding.number());
        assert_eq!(read(&bytes, values.len()).as_deref(), Ok(values));
        bytes
    }

    #[test]
    fn numbers_are_those_of_the_spec() {
        for encoding in Encoding::ALL {
            assert_row_in_spec(encoding.number(), &format!("{encoding:?}"));
        }
    }

    #[test]
    fn golden_constant() {
        let bytes = check(&[300; 256], Encoding::Constant);
        assert_eq!(bytes, [0, 0xac, 0x02]);
        assert_in_spec("ints-constant", &bytes);
    }

    #[test]
    fn golden_packed() {
        let bytes = check(&[1, 2, 3, 4, 5], Encoding::Packed);
        assert_eq!(bytes, [1, 3, 0b0010_1001, 0b1100_1010]);
        assert_in_spec("ints-packed", &bytes);
    }

    #[test]
    fn golden_planes() {
        let values: Vec<u64> = (0..16).map(|n| 0x1_0000 * n + 0x55aa).collect();
        assert_in_spec("ints-planes", &check(&values, Encoding::Planes));
    }

    #[test]
    fn golden_runs() {
        let values = [[7; 20], [500; 20]].concat();
        let bytes = check(&values, Encoding::Runs);
        assert_eq!(bytes, [3, 0, 7, 20, 0xf4, 0x03, 20]);
        assert_in_spec("ints-runs", &bytes);
    }

    #[test]
    fn golden_distinct() {
        let values: Vec<u64> = (0..24u64)
            .map(|n| 90_000 + 1000 * (n * n % 7 % 3))
            .collect();
        assert_in_spec("ints-distinct", &check(&values, Encoding::Distinct));
    }

    #[test]
    fn an_empty_column_is_no_bytes() {
        assert!(encode(&[]).is_empty());
        assert_eq!(read(&[], 0), Ok(vec![]));
        assert!(read(&[0, 0], 0).is_err());
        assert!(read(&[], 1).is_err());
    }

    #[test]
    fn a_count_is_bounded_before_memory_is_taken() {
        let limit = Err(CodecError::Limit("values in a column"));
        assert_eq!(read(&[0, 0], usize::MAX), limit);
        assert_eq!(read(&[4, 2, 2, 0, 1, 0, 0], usize::MAX), limit);
    }

    #[test]
    fn hostile_columns_are_refused() {
        let refused: [(&str, &[u8], usize); 15] = [
            ("unknown encoding", &[5, 0], 1),
            ("trailed constant", &[0, 0, 0], 2),
            ("width above 64", &[1, 65, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1),
            ("width 0", &[1, 0], 2),
            ("wider than needed", &[1, 4, 0x12], 2),
            ("padding", &[1, 3, 0b1110_0001], 1),
            ("packed trailed", &[1, 1, 0x80, 0], 1),
            ("no planes", &[2, 0, 0], 1),
            ("nine planes", &[2, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1),
            ("planes cut", &[2, 1, 0, 1], 2),
            ("a plane of zeros", &[2, 2, 0, 1, 2, 0, 0], 2),
            ("run of none", &[3, 0, 1, 0, 1, 2], 2),
            ("runs too long", &[3, 0, 1, 3], 2),
            ("runs too short", &[3, 0, 1, 1], 2),
            (
                "distinct in distinct",
                &[4, 2, 7, 4, 1, 2, 0, 1, 0, 0, 0, 0],
                2,
            ),
        ];
        for (name, bytes, count) in refused {
            assert!(read(bytes, count).is_err(), "{name}");
        }
    }

    #[test]
    fn hostile_distinct_values_are_refused() {
        let good = [4, 2, 3, 1, 2, 0b1101_0000, 1, 1, 0b0100_0000];
        assert_eq!(read(&good, 2), Ok(vec![3, 4]));
        let change = |at: usize, byte: u8| {
            let mut bytes = good;
            bytes[at] = byte;
            read(&bytes, 2)
        };
        let step_of_none = change(5, 0b1100_0000);
        assert_eq!(
            step_of_none,
            Err(CodecError::Damaged("distinct values do not ascend"))
        );
        assert_eq!(
            change(1, 3),
            Err(CodecError::Damaged("more distinct values than values"))
        );
        let far = [4, 2, 3, 1, 2, 0b1101_0000, 1, 2, 0b0110_0000];
        assert_eq!(
            read(&far, 2),
            Err(CodecError::Damaged("index past the distinct values"))
        );
    }

    fn column() -> impl Strategy<Value = Vec<u64>> {
        let value = prop_oneof![any::<u64>(), 0..4u64, 1000..1100u64, 0..100_000u64];
        let runs = prop::collection::vec((value, 1..20usize), 0..60);
        runs.prop_map(|runs| {
            runs.into_iter()
                .flat_map(|(value, run)| std::iter::repeat_n(value, run))
                .collect()
        })
    }

    proptest! {
        #[test]
        fn columns_come_back(values in column()) {
            prop_assert_eq!(read(&encode(&values), values.len()), Ok(values));
        }

        #[test]
        fn values_without_runs_come_back(values in prop::collection::vec(0..3000u64, 0..300)) {
            prop_assert_eq!(read(&encode(&values), values.len()), Ok(values));
        }

        #[test]
        fn every_encoding_comes_back_by_itself(values in column()) {
            prop_assume!(!values.is_empty());
            let forms = [Some(packed(&values)), Some(planes(&values)), Some(runs(&values)), distinct(&values)];
            for bytes in forms.into_iter().flatten() {
                prop_assert_eq!(read(&bytes, values.len()), Ok(values.clone()));
            }
        }

        #[test]
        fn cut_columns_are_refused(values in column(), cut in any::<prop::sample::Index>()) {
            let bytes = encode(&values);
            prop_assume!(!bytes.is_empty());
            prop_assert!(read(&bytes[..cut.index(bytes.len())], values.len()).is_err());
        }

        #[test]
        fn any_bytes_are_safe(
            encoding in 0u8..6,
            bytes in prop::collection::vec(any::<u8>(), 0..100),
            count in 0..2000usize,
        ) {
            let column = [&[encoding], &bytes[..]].concat();
            if let Ok(values) = read(&column, count) {
                prop_assert_eq!(values.len(), count);
            }
        }
    }
}
