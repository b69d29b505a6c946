//! Adaptive probabilities of single bits, and the range coder for bits.
//!
//! `spec/columns.md` defines both, in the sections "A column of integers" and "Prose".

use super::range::{Decoder, Encoder, RangeError, Share};
use std::num::NonZeroU32;

/// The probability that a bit is 1, in 1/4096, times 16, plus the number of bits
/// seen, at most 15.
pub(super) type BitCell = u16;

/// The cell of a context in which no bit was seen: probability 1/2, count 0.
pub(super) const UNSEEN: BitCell = 0x8000;

/// The adaptation rate of a probability, in 1/65536, by the number of bits seen.
const RATES: [i32; 16] = [
    50412, 28494, 19859, 15241, 12365, 10403, 8978, 7896, 7047, 5800, 4928, 4283, 3788, 3396, 3077,
    2813,
];

/// Updates a cell with a bit.
#[inline]
pub(super) fn update(cell: &mut BitCell, bit: bool) {
    let seen = *cell & 15;
    let probability = i32::from(*cell >> 4);
    let target = if bit { 4095 } else { 0 };
    let rate = RATES.get(usize::from(seen)).copied().unwrap_or(0);
    let moved = probability + (((target - probability) * rate + (1 << 15)) >> 16);
    let [low, high, ..] = moved.to_le_bytes();
    *cell = u16::from_le_bytes([low, high]) << 4 | (seen + 1).min(15);
}

/// Codes a bit with the probability of a cell and updates it.
#[inline]
pub(super) fn code(
    cell: &mut BitCell,
    bits: &mut impl BitCoder,
    bit: bool,
) -> Result<bool, RangeError> {
    // Between 11 and 4084, whatever the cell has learned.
    let bit = bits.bit(u32::from(*cell >> 4), bit)?;
    update(cell, bit);
    Ok(bit)
}

/// The total of the shares of a bit.
const TOTAL: NonZeroU32 = match NonZeroU32::new(4096) {
    Some(total) => total,
    None => NonZeroU32::MIN,
};

/// The probability of a bit that is not predicted.
pub(super) const HALF: u32 = 1 << 11;

/// A bit coder. A decoder ignores the given bit and returns the decoded one.
pub(super) trait BitCoder {
    /// Codes a bit. `probability` is that of a 1 in 1/4096, from 1 to 4095.
    fn bit(&mut self, probability: u32, bit: bool) -> Result<bool, RangeError>;
}

#[inline]
fn share(probability: u32, bit: bool) -> Result<Share, RangeError> {
    let share = match bit {
        true => Share::new(0, probability, TOTAL),
        false => Share::new(probability, TOTAL.get() - probability, TOTAL),
    };
    share.ok_or(RangeError::InvalidSymbol)
}

impl BitCoder for Encoder {
    #[inline]
    fn bit(&mut self, probability: u32, bit: bool) -> Result<bool, RangeError> {
        self.encode(share(probability, bit)?);
        Ok(bit)
    }
}

impl BitCoder for Decoder<'_> {
    #[inline]
    fn bit(&mut self, probability: u32, _: bool) -> Result<bool, RangeError> {
        let bit = !self.is_at_least(probability, TOTAL);
        self.consume(share(probability, bit)?)?;
        Ok(bit)
    }
}
