//! Digits behind the point.

/// How many digits a field has behind the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digits {
    least: u8,
    most: u8,
}

impl Digits {
    /// No field has more of them.
    pub const MOST: usize = 6;

    /// No point.
    pub const NONE: Digits = Digits { least: 0, most: 0 };

    /// At least so many, and as many more as are not zeros at the end, but at
    /// most so many. `None` if these numbers cannot be.
    pub fn new(least: u8, most: u8) -> Option<Digits> {
        let can_be = least <= most && usize::from(most) <= Self::MOST;
        can_be.then_some(Digits { least, most })
    }

    /// The least.
    pub fn least(self) -> u8 {
        self.least
    }

    /// The most: units are of the last of these.
    pub fn most(self) -> u8 {
        self.most
    }

    /// How many units make a whole.
    pub(super) fn unit(self) -> u64 {
        10u64.pow(self.most.into())
    }
}

/// A number from its digits, in units of so many decimals. `None` if it has
/// more of them or is too large.
pub(super) fn scaled(whole: &[u8], fraction: &[u8], decimals: u8) -> Option<i64> {
    let zeros = usize::from(decimals).checked_sub(fraction.len())?;
    let zeros = std::iter::repeat_n(&b'0', zeros);
    let mut digits = whole.iter().chain(fraction).chain(zeros);
    digits.try_fold(0i64, |value, digit| {
        let digit = i64::from(digit.checked_sub(b'0')?);
        value.checked_mul(10)?.checked_add(digit)
    })
}

/// Appends a point and the fraction, which is given in units; nothing if there
/// are no digits to write.
pub(super) fn put_fraction(mut fraction: u64, digits: Digits, out: &mut Vec<u8>) {
    let mut count = digits.most;
    while count > digits.least && fraction.is_multiple_of(10) {
        fraction /= 10;
        count -= 1;
    }
    if count > 0 {
        let text = format!(".{fraction:0width$}", width = usize::from(count));
        out.extend_from_slice(text.as_bytes());
    }
}

/// Counts how many digits the values of a field have, to tell which numbers of
/// them suit it best.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DigitCounts {
    /// By the number of digits, and whether the last of them is a zero.
    counts: [[u32; 2]; Digits::MOST + 1],
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

    /// The numbers of digits that most values have; of equal ones the fewest.
    pub(super) fn best(&self) -> Digits {
        let mut best = (0, Digits::NONE);
        for most in 0..=Digits::MOST {
            for least in (0..=most).rev() {
                let longer = self.counts.get(least + 1..=most).unwrap_or_default();
                let longer = longer.iter().map(|[open, _]| u64::from(*open));
                let of_least = self.counts.get(least).copied().unwrap_or_default();
                let fits = of_least.map(u64::from).iter().sum::<u64>() + longer.sum::<u64>();
                let small = |digits| u8::try_from(digits).unwrap_or(u8::MAX);
                if let Some(digits) = Digits::new(small(least), small(most))
                    && fits > best.0
                {
                    best = (fits, digits);
                }
            }
        }
        best.1
    }
}
