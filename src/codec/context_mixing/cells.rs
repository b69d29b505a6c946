//! The adaptive state of contexts: buckets that hold the cells of half a byte.

use super::logistic;
use crate::codec::bit_cell::{BitCell, UNSEEN};

/// A tag and the cells of the 15 nodes of half a byte.
pub(super) type Bucket = [BitCell; 16];

/// The bucket of a context that was not seen.
const EMPTY: Bucket = [UNSEEN; 16];

/// The probability of a cell on the logistic scale; 0, its middle, if no bit was
/// seen. A branch would take a tenth more of the time of mixing.
#[inline]
pub(super) fn stretch(cell: BitCell) -> i32 {
    logistic::stretch(cell >> 4) * i32::from(cell & 15 != 0)
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

    /// The bucket of a context, made empty if it belonged to another one. The node is 0 for
    /// the upper half of a byte, and 16 + the upper half for the lower one.
    #[inline]
    pub(super) fn open(&mut self, context: u32, node: u32) -> Option<&mut Bucket> {
        let key = u64::from(context) << 8 | u64::from(node);
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let place = usize::try_from(mixed >> (64 - self.log)).ok()?;
        let [_, _, _, _, high, low, _, _] = mixed.to_be_bytes();
        let own = u16::from_be_bytes([high, low]);
        let bucket = self.buckets.get_mut(place)?;
        let [tag, ..] = *bucket;
        if tag != own {
            *bucket = EMPTY;
            let [tag, ..] = bucket;
            *tag = own;
        }
        Some(bucket)
    }
}
