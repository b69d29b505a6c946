//! Adaptive codes: of each value the length in bits, then the bits after the first, each bit with
//! an adaptive probability that depends on those before it.

use super::Encoding;
use crate::codec::bit_cell::{self, BitCell, BitCoder, HALF, UNSEEN};
use crate::codec::error::CodecError;
use crate::codec::range::{Decoder, Encoder, RangeError};

/// The bits of a length, so values are below 2^63.
const LENGTH_BITS: u32 = 6;
/// The bits of a value with cells, after its first; the others have the probability 1/2.
const ADAPTIVE_BITS: u32 = 8;

/// The maximum number of values per byte: a column of 64 KiB takes at most about a second to read.
const MAX_EXPANSION: usize = 64;

/// Encodes a column. Returns `None` if it has values of 2^63 or more, or too many for its bytes.
pub(super) fn encode(values: &[u64]) -> Option<Vec<u8>> {
    let mut encoder = Encoder::new();
    let mut coder = ValueCoder::new();
    for value in values {
        let length = u64::BITS - value.leading_zeros();
        if length >> LENGTH_BITS > 0 {
            return None;
        }
        coder.code(&mut encoder, length, *value).ok()?;
    }
    let mut out = vec![Encoding::Adaptive.number()];
    out.extend(encoder.finish());
    (values.len() <= MAX_EXPANSION * out.len()).then_some(out)
}

/// Decodes the `count` values of a column without its first byte.
pub(super) fn decode(stream: &[u8], count: usize) -> Result<Vec<u64>, CodecError> {
    if count > MAX_EXPANSION.saturating_mul(1 + stream.len()) {
        return Err(CodecError::Damaged("too many adaptive codes"));
    }
    let damaged = |_| CodecError::Damaged("invalid adaptive codes");
    let mut decoder = Decoder::new(stream);
    let mut coder = ValueCoder::new();
    let mut values = Vec::with_capacity(count);
    for _ in 0..count {
        values.push(coder.code(&mut decoder, 0, 0).map_err(damaged)?);
    }
    decoder.finish().map_err(damaged)?;
    Ok(values)
}

/// The cells of lengths and of values by their length, each by the bits before, after a
/// leading 1.
struct ValueCoder {
    lengths: [BitCell; 1 << LENGTH_BITS],
    values: Vec<[BitCell; 1 << ADAPTIVE_BITS]>,
}

impl ValueCoder {
    fn new() -> Self {
        ValueCoder {
            lengths: [UNSEEN; 1 << LENGTH_BITS],
            values: vec![[UNSEEN; 1 << ADAPTIVE_BITS]; 1 << LENGTH_BITS],
        }
    }

    /// Codes a value. A decoder ignores the given length and value.
    fn code(
        &mut self,
        bits: &mut impl BitCoder,
        length: u32,
        value: u64,
    ) -> Result<u64, RangeError> {
        let mut node = 1;
        for place in (0..LENGTH_BITS).rev() {
            let cell = self
                .lengths
                .get_mut(node)
                .ok_or(RangeError::InvalidSymbol)?;
            let bit = bit_cell::code(cell, bits, length >> place & 1 == 1)?;
            node = node << 1 | usize::from(bit);
        }
        let length = node - (1 << LENGTH_BITS);
        let cells = self
            .values
            .get_mut(length)
            .ok_or(RangeError::InvalidSymbol)?;
        let Some(after_first) = length.checked_sub(1) else {
            return Ok(0);
        };
        let mut read = 1u64;
        for place in (0..after_first).rev() {
            let bit = value >> place & 1 == 1;
            let cell = usize::try_from(read)
                .ok()
                .and_then(|node| cells.get_mut(node));
            let bit = match cell {
                Some(cell) => bit_cell::code(cell, bits, bit)?,
                None => bits.bit(HALF, bit)?,
            };
            read = read << 1 | u64::from(bit);
        }
        Ok(read)
    }
}
