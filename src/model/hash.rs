//! The bit mixer of all hashes of the model.

pub(super) use crate::chess::mix;

/// The highest bits of a mixed number, as an index.
#[inline]
pub(super) fn highest(mixed: u64, bits: u32) -> usize {
    usize::try_from(mixed >> (u64::BITS - bits)).unwrap_or(0)
}
