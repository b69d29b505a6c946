//! What a symbol is given of an interval.

use std::num::NonZeroU32;

/// The share of one symbol: of `total` equal parts those from `start`, `size`
/// of them. Symbols that can occur at one place have shares of the same total
/// that do not overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub(super) start: u32,
    pub(super) size: NonZeroU32,
    pub(super) total: NonZeroU32,
}

impl Share {
    /// A share, unless it is empty or exceeds the total.
    #[inline]
    pub fn new(start: u32, size: u32, total: NonZeroU32) -> Option<Share> {
        let end = start.checked_add(size)?;
        let size = NonZeroU32::new(size)?;
        (end <= total.get()).then_some(Share { start, size, total })
    }

    /// Its size, of the total.
    pub fn size(&self) -> u32 {
        self.size.get()
    }
}
