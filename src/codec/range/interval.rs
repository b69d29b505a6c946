//! The interval that represents the symbols coded so far.

use std::num::NonZeroU32;

use super::Share;

/// The minimum size of an interval that is divided.
const MIN_SIZE: u64 = 1 << 32;

/// The interval of `size` numbers from `low`, in a window of 64 bits. The
/// digits above the window are settled except for a carry. Those below it are
/// not yet determined.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    low: u64,
    size: u64,
}

/// The number of the interval with the fewest digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct IntervalEnd {
    /// Its distance from the lower end.
    pub(super) offset: u64,
    /// Its digits in the window.
    pub(super) window: [u8; 8],
    /// The number of significant bytes in the window; zeros follow.
    pub(super) bytes: usize,
    /// Whether there is a carry into the settled digits.
    pub(super) carry: bool,
}

impl Interval {
    /// The initial interval.
    #[inline]
    pub(super) fn initial() -> Self {
        Interval {
            low: 0,
            size: u64::MAX,
        }
    }

    /// The size of one of `total` equal parts. The remainder at the upper end
    /// belongs to no symbol.
    #[inline]
    pub(super) fn unit(&self, total: NonZeroU32) -> u64 {
        // Most totals are powers of two, and a shift takes far less time than a
        // division.
        match total.is_power_of_two() {
            true => self.size >> total.trailing_zeros(),
            false => self.size / u64::from(total.get()),
        }
    }

    #[inline]
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Narrows the interval to the share of a symbol. Returns the increase of
    /// the lower end, and whether there is a carry into the settled digits.
    #[inline]
    pub(super) fn narrow(&mut self, share: Share) -> (u64, bool) {
        let unit = self.unit(share.total);
        // The products do not overflow, because start and size are at most the
        // total.
        let increase = unit * u64::from(share.start);
        let carry;
        (self.low, carry) = self.low.overflowing_add(increase);
        self.size = unit * u64::from(share.size.get());
        (increase, carry)
    }

    /// If the interval has become small, shifts the window by four bytes and
    /// returns the bytes that leave it.
    #[inline]
    pub(super) fn shift_settled(&mut self) -> Option<[u8; 4]> {
        if self.size >= MIN_SIZE {
            return None;
        }
        let [a, b, c, d, ..] = self.low.to_be_bytes();
        self.low <<= 32;
        self.size <<= 32;
        Some([a, b, c, d])
    }

    /// The number that ends the output: of those in the interval with the
    /// fewest digits, the least one.
    pub(super) fn end(&self) -> IntervalEnd {
        let mut bytes = 0;
        let mut below = u64::MAX;
        // The distance to the next number whose lower digits are all zeros.
        while self.low.wrapping_neg() & below >= self.size {
            bytes += 1;
            below = u64::MAX.checked_shr(8 * bytes).unwrap_or(0);
        }
        let above = self.low.wrapping_neg() & below;
        let (window, carry) = self.low.overflowing_add(above);
        IntervalEnd {
            offset: above,
            window: window.to_be_bytes(),
            bytes: bytes as usize,
            carry,
        }
    }
}
