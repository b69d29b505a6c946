//! The adaptive state of contexts: buckets that hold the cells of half a byte.

use super::logistic::LOGISTIC;
use crate::codec::bit_cell::{BitCell, UNSEEN};

/// A tag and the cells of the 15 nodes of half a byte.
pub(super) type Bucket = [BitCell; 16];

/// The bucket of a context that was not seen.
pub(super) const EMPTY: Bucket = [UNSEEN; 16];

/// The probability of a cell on the logistic scale; 0, its middle, if no bit was
/// seen.
#[inline]
pub(super) fn stretch(cell: BitCell) -> i32 {
    match cell & 15 {
        0 => 0,
        _ => LOGISTIC.stretch(cell >> 4),
    }
}

/// A hash table of buckets by context. A bucket of another context at the same
/// place is overwritten.
#[derive(Debug, Clone)]
pub(super) struct Buckets {
    buckets: Vec<Bucket>,
    log: u32,
}

impl Buckets {
    /// Creates 2^log buckets.
    pub(super) fn new(log: u32) -> Buckets {
        Buckets {
            buckets: vec![EMPTY; 1 << log],
            log,
        }
    }

    /// The place of the bucket of a context, and its content, which is empty if
    /// the bucket belongs to another context. The node is 0 for the upper half of
    /// a byte, and 16 + the upper half for the lower one.
    #[inline]
    pub(super) fn find(&self, context: u32, node: u32) -> (usize, Bucket) {
        let key = u64::from(context) << 8 | u64::from(node);
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let place = usize::try_from(mixed >> (64 - self.log)).unwrap_or(0);
        let [_, _, _, _, high, low, _, _] = mixed.to_be_bytes();
        let tag = u16::from_be_bytes([high, low]);
        let bucket = self.buckets.get(place).copied().unwrap_or(EMPTY);
        let [found, ..] = bucket;
        if found == tag {
            return (place, bucket);
        }
        let mut empty = EMPTY;
        if let Some(own) = empty.first_mut() {
            *own = tag;
        }
        (place, empty)
    }

    /// Stores a bucket at the place where it was found.
    #[inline]
    pub(super) fn store(&mut self, place: usize, bucket: Bucket) {
        if let Some(own) = self.buckets.get_mut(place) {
            *own = bucket;
        }
    }
}
