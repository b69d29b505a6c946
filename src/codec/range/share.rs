//! The share of a symbol in an interval.

use std::num::NonZeroU32;

/// The share of a symbol: the `size` parts from `start`, of `total` equal
/// parts. The symbols that are possible at one point have disjoint shares of
/// the same total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub(super) start: u32,
    pub(super) size: NonZeroU32,
    pub(super) total: NonZeroU32,
}

impl Share {
    /// A share; `None` if it is empty or exceeds the total.
    #[inline]
    pub fn new(start: u32, size: u32, total: NonZeroU32) -> Option<Share> {
        let end = start.checked_add(size)?;
        let size = NonZeroU32::new(size)?;
        (end <= total.get()).then_some(Share { start, size, total })
    }

    /// The number of parts before it.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Its size, in parts of the total.
    pub fn size(&self) -> u32 {
        self.size.get()
    }

    /// The number of parts in total.
    pub fn total(&self) -> NonZeroU32 {
        self.total
    }
}
