//! Rice codes: the quotient by a power of two in unary, the remainder in
//! binary. They suit small numbers with few large ones among them.

use crate::bits::{BitReader, BitWriter, ByteReader};
use crate::codec::error::CodecError;

use super::Encoding;

/// Encodes a column with the remainder width that makes it smallest. Returns
/// `None` if the result is not smaller than `most` bytes.
pub(super) fn encode(values: &[u64], max_bytes: usize) -> Option<Vec<u8>> {
    let sizes =
        (0..u64::BITS).map(|remainder_bits| (size_bits(values, remainder_bits), remainder_bits));
    let (size_bits, remainder_bits) = sizes.min()?;
    if 2 + size_bits.div_ceil(8) >= max_bytes as u64 {
        return None;
    }
    let mut bits = BitWriter::new();
    for value in values {
        (0..value >> remainder_bits).for_each(|_| bits.push_bit(false));
        bits.push_bit(true);
        bits.push_bits(value & ((1 << remainder_bits) - 1), remainder_bits);
    }
    let [remainder_byte, ..] = remainder_bits.to_le_bytes();
    let mut out = vec![Encoding::Rice.number(), remainder_byte];
    out.extend(bits.into_bytes());
    Some(out)
}

fn size_bits(values: &[u64], remainder_bits: u32) -> u64 {
    let bits =
        |value: &u64| (value >> remainder_bits).saturating_add(1 + u64::from(remainder_bits));
    values.iter().map(bits).fold(0, u64::saturating_add)
}

/// Decodes a column. Each value takes at least one bit, so `count` is checked
/// before memory is allocated.
pub(super) fn decode(mut reader: ByteReader<'_>, count: usize) -> Result<Vec<u64>, CodecError> {
    let remainder_bits = u32::from(reader.u8()?);
    let size_bits = 8 * reader.rest().len() as u64;
    if remainder_bits >= u64::BITS || count as u64 > size_bits {
        return Err(CodecError::Damaged("Rice codes of a wrong width or length"));
    }
    let mut bits = BitReader::new(reader.rest());
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        let mut quotient = 0u64;
        while !bits.read_bit()? {
            quotient += 1;
        }
        if quotient > u64::MAX >> remainder_bits {
            return Err(CodecError::Damaged("a Rice code beyond 64 bits"));
        }
        values.push(quotient << remainder_bits | bits.read_bits(remainder_bits)?);
    }
    bits.finish()?;
    Ok(values)
}
