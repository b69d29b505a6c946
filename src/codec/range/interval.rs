//! The interval of numbers that the symbols so far have left.

use std::num::NonZeroU32;

use super::Share;

/// No smaller interval is divided.
const LEAST: u64 = 1 << 32;

/// The numbers from `low`, `size` of them, seen through a window of 64 bits:
/// the digits above it are settled but for a carry, those below do not yet
/// matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    low: u64,
    size: u64,
}

/// The number in an interval that has the shortest digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// How far it stands above the lower end.
    pub(super) above: u64,
    /// What the window shows of it.
    pub(super) window: [u8; 8],
    /// How many bytes of the window count; behind them are zeros.
    pub(super) bytes: usize,
    /// Whether it carries into the settled digits.
    pub(super) carry: bool,
}

impl Interval {
    /// Before the first symbol.
    #[inline]
    pub(super) fn whole() -> Self {
        Interval {
            low: 0,
            size: u64::MAX,
        }
    }

    /// The size of one of `total` equal parts. What is left over at the upper
    /// end belongs to no symbol.
    #[inline]
    pub(super) fn unit(&self, total: NonZeroU32) -> u64 {
        // Totals are mostly powers of two, and a shift takes far less time.
        match total.is_power_of_two() {
            true => self.size >> total.trailing_zeros(),
            false => self.size / u64::from(total.get()),
        }
    }

    #[inline]
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Leaves only the share of a symbol. Gives how far the lower end has
    /// risen, and whether that carries into the settled digits.
    #[inline]
    pub(super) fn narrow(&mut self, share: Share) -> (u64, bool) {
        let unit = self.unit(share.total);
        // No products overflow: start and size are at most the total.
        let rise = unit * u64::from(share.start);
        let carry;
        (self.low, carry) = self.low.overflowing_add(rise);
        self.size = unit * u64::from(share.size.get());
        (rise, carry)
    }

    /// Moves the window on by four bytes when the interval has become small,
    /// and gives the bytes that it leaves.
    #[inline]
    pub(super) fn settle(&mut self) -> Option<[u8; 4]> {
        if self.size >= LEAST {
            return None;
        }
        let [a, b, c, d, ..] = self.low.to_be_bytes();
        self.low <<= 32;
        self.size <<= 32;
        Some([a, b, c, d])
    }

    /// The number that is written at the end: of those in the interval, the
    /// least of those with the fewest digits.
    pub(super) fn end(&self) -> End {
        let mut bytes = 0;
        let mut below = u64::MAX;
        // The distance to the next number whose digits below are all zeros.
        while self.low.wrapping_neg() & below >= self.size {
            bytes += 1;
            below = u64::MAX.checked_shr(8 * bytes).unwrap_or(0);
        }
        let above = self.low.wrapping_neg() & below;
        let (window, carry) = self.low.overflowing_add(above);
        End {
            above,
            window: window.to_be_bytes(),
            bytes: bytes as usize,
            carry,
        }
    }
}
