//! Decimal places of numbers and times.

use crate::bits::put_decimal;

/// The number of decimal places of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NumberDigits {
    least: u8,
    most: u8,
}

impl NumberDigits {
    /// The maximum number of decimal places.
    pub const MOST: usize = 6;

    /// No decimal point.
    pub const NONE: NumberDigits = NumberDigits { least: 0, most: 0 };

    /// At least `least` and at most `most` decimal places; trailing zeros after
    /// the first `least` are dropped. Returns `None` unless
    /// `least <= most <= MOST`.
    pub fn new(least: u8, most: u8) -> Option<NumberDigits> {
        let can_be = least <= most && usize::from(most) <= Self::MOST;
        can_be.then_some(NumberDigits { least, most })
    }

    /// The minimum number of decimal places.
    pub fn least(self) -> u8 {
        self.least
    }

    /// The maximum number of decimal places. A unit is one step of the last of
    /// these.
    pub fn most(self) -> u8 {
        self.most
    }

    /// The number of units in a whole.
    pub(super) fn unit(self) -> u64 {
        10u64.pow(self.most.into())
    }
}

/// Converts digits to a number in units of 10^-`decimals`. Returns `None` if
/// the fraction has more digits than that or the number overflows.
pub(super) fn scaled(whole: &[u8], fraction: &[u8], decimals: u8) -> Option<i64> {
    let zeros = usize::from(decimals).checked_sub(fraction.len())?;
    let zeros = std::iter::repeat_n(&b'0', zeros);
    let mut digits = whole.iter().chain(fraction).chain(zeros);
    digits.try_fold(0i64, |value, digit| {
        let digit = i64::from(digit.checked_sub(b'0')?);
        value.checked_mul(10)?.checked_add(digit)
    })
}

/// Appends a decimal point and a fraction given in units. Appends nothing if no
/// digits remain.
pub(super) fn put_fraction(mut fraction: u64, digits: NumberDigits, out: &mut Vec<u8>) {
    let mut count = digits.most;
    while count > digits.least && fraction.is_multiple_of(10) {
        fraction /= 10;
        count -= 1;
    }
    if count > 0 {
        out.push(b'.');
        put_decimal(out, fraction, count.into());
    }
}

/// Counts the decimal places of the values of a field, to choose its
/// [`NumberDigits`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DigitCounts {
    /// Indexed by the number of digits and by whether the last one is a zero.
    counts: [[u32; 2]; NumberDigits::MOST + 1],
}

impl DigitCounts {
    pub(super) fn add(&mut self, fraction: &[u8]) {
        let ends_in_zero = usize::from(fraction.last() == Some(&b'0'));
        let counts = self.counts.get_mut(fraction.len());
        if let Some(count) = counts.and_then(|counts| counts.get_mut(ends_in_zero)) {
            *count = count.saturating_add(1);
        }
    }

    pub(super) fn merge(&mut self, other: &DigitCounts) {
        let counts = self.counts.iter_mut().flatten();
        for (count, other) in counts.zip(other.counts.iter().flatten()) {
            *count = count.saturating_add(*other);
        }
    }

    /// The limits that fit the most values; on a tie the fewest digits.
    pub(super) fn best(&self) -> NumberDigits {
        let mut best = (0, NumberDigits::NONE);
        for most in 0..=NumberDigits::MOST {
            for least in (0..=most).rev() {
                let longer = self.counts.get(least + 1..=most).unwrap_or_default();
                let longer = longer.iter().map(|[open, _]| u64::from(*open));
                let of_least = self.counts.get(least).copied().unwrap_or_default();
                let fits = of_least.map(u64::from).iter().sum::<u64>() + longer.sum::<u64>();
                let small = |digits| u8::try_from(digits).unwrap_or(u8::MAX);
                if let Some(digits) = NumberDigits::new(small(least), small(most))
                    && fits > best.0
                {
                    best = (fits, digits);
                }
            }
        }
        best.1
    }
}
