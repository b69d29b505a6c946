//! Conversion of scores to frequencies.

use std::num::NonZeroU32;

use crate::codec::range::Share;

use super::simd::{Isa, WORD_LANES};
use super::table::MaskedTable;

/// An upper bound of the number of legal moves.
pub(super) const MAX_MOVES: usize = 256;

/// 2^(22 − i/64), rounded, for i = 0 … 63.
const POWERS: MaskedTable<u32, 64> = MaskedTable([
    4_194_304, 4_149_123, 4_104_429, 4_060_216, 4_016_479, 3_973_214, 3_930_414, 3_888_076,
    3_846_194, 3_804_763, 3_763_778, 3_723_234, 3_683_128, 3_643_453, 3_604_206, 3_565_381,
    3_526_975, 3_488_983, 3_451_399, 3_414_221, 3_377_443, 3_341_061, 3_305_071, 3_269_469,
    3_234_251, 3_199_411, 3_164_947, 3_130_854, 3_097_129, 3_063_767, 3_030_764, 2_998_116,
    2_965_821, 2_933_873, 2_902_269, 2_871_006, 2_840_080, 2_809_486, 2_779_223, 2_749_285,
    2_719_670, 2_690_373, 2_661_393, 2_632_724, 2_604_365, 2_576_310, 2_548_558, 2_521_105,
    2_493_948, 2_467_083, 2_440_508, 2_414_219, 2_388_213, 2_362_487, 2_337_038, 2_311_864,
    2_286_960, 2_262_325, 2_237_956, 2_213_848, 2_190_001, 2_166_410, 2_143_074, 2_119_988,
]);

/// The minimum frequency of a legal move, before the shares of a book.
const MIN_FREQUENCY: u32 = 16;

/// The scores of the legal moves of a position, in 1/64 bit: 64 less is half as
/// likely.
#[derive(Debug, Clone)]
pub(super) struct Scores {
    of: MaskedTable<i32, MAX_MOVES>,
    count: usize,
    best: i32,
}

impl Scores {
    /// No scores.
    pub(super) fn new() -> Self {
        Scores {
            of: MaskedTable([0; MAX_MOVES]),
            count: 0,
            best: i32::MIN,
        }
    }

    /// Removes all scores.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.best = i32::MIN;
    }

    /// Replaces them by those of `count` moves, which are computed in chunks of `N`. Those of the
    /// last chunk that are of no move are not used.
    #[inline(always)]
    pub(super) fn set<const N: usize>(
        &mut self,
        count: usize,
        chunks: impl Iterator<Item = [i32; N]>,
    ) {
        let scores = self.of.0.as_chunks_mut().0.iter_mut();
        for (scores, of) in scores.take(count.div_ceil(N)).zip(chunks) {
            *scores = of;
        }
        self.count = count;
        self.best = self.all().iter().copied().max().unwrap_or(i32::MIN);
    }

    fn all(&self) -> &[i32] {
        self.of.0.get(..self.count).unwrap_or_default()
    }

    /// The differences between the best score and each score.
    #[inline(always)]
    pub(super) fn distances(&self) -> impl Iterator<Item = u32> {
        self.all().iter().map(|score| self.best.abs_diff(*score))
    }
}

/// The neutral inverse temperature: 1, in 1/32.
pub(super) const NEUTRAL: u32 = 32;

/// The binary logarithm of the quotient of the best move's frequency and that of a move that
/// scores `below` less, in 1/64, at an inverse temperature in 1/[`NEUTRAL`].
#[inline(always)]
fn exponent(below: u32, inverse_temperature: u32) -> u32 {
    // The cap is effectively infinite; it prevents overflow of the product.
    (below.min(1 << 15) * inverse_temperature) / NEUTRAL
}

/// The frequency of a move that scores `below` less than the best, at an inverse
/// temperature in 1/[`NEUTRAL`].
#[inline(always)]
pub(super) fn frequency(below: u32, inverse_temperature: u32) -> u32 {
    let below = exponent(below, inverse_temperature);
    (POWERS[(below & 63) as usize] >> (below >> 6).min(31)) + MIN_FREQUENCY
}

/// The frequencies of the legal moves of a position, with their total.
#[derive(Debug, Clone)]
pub(super) struct Frequencies {
    of: MaskedTable<u32, MAX_MOVES>,
    count: usize,
    total: NonZeroU32,
}

impl Frequencies {
    /// No frequencies.
    pub(super) fn new() -> Self {
        Frequencies {
            of: MaskedTable([0; MAX_MOVES]),
            count: 0,
            total: NonZeroU32::MIN,
        }
    }

    /// Replaces them by those of moves with these scores, at an inverse temperature.
    #[inline(always)]
    pub(super) fn set<I: Isa>(&mut self, scores: &Scores, inverse_temperature: u32) {
        self.count = scores.all().len();
        // The entries after the last move are not used.
        let eights = scores.of.0.as_chunks::<WORD_LANES>().0.iter();
        let entries = self.of.0.as_chunks_mut::<WORD_LANES>().0;
        for (entries, scores_of) in entries
            .iter_mut()
            .zip(eights)
            .take(self.count.div_ceil(WORD_LANES))
        {
            let exponents = scores_of.map(|score| {
                let below = scores.best.wrapping_sub(score).cast_unsigned();
                exponent(below, inverse_temperature)
            });
            let powers = I::shifted_entries(&POWERS.0, &exponents);
            *entries = powers.map(|power| power + MIN_FREQUENCY);
        }
        let total = self.all().iter().sum();
        self.total = NonZeroU32::new(total).unwrap_or(NonZeroU32::MIN);
    }

    /// Gives some moves, by their numbers, shares of a whole. The rest of the
    /// whole is divided among all moves by their frequencies.
    pub(super) fn add_shares(&mut self, shares: impl Iterator<Item = (usize, u32)>, whole: u32) {
        let part = self.total.get() / whole;
        let mut given = MaskedTable([0; MAX_MOVES]);
        let mut rest = whole;
        for (number, share) in shares {
            given[number] = share * part;
            rest -= share;
        }
        let mut total = 0;
        for (frequency, given) in self.of.0.iter_mut().zip(given.0).take(self.count) {
            *frequency = (*frequency * rest).div_ceil(whole) + given;
            total += *frequency;
        }
        self.total = NonZeroU32::new(total).unwrap_or(NonZeroU32::MIN);
    }

    /// Removes the frequencies of moves, by their numbers.
    pub(super) fn exclude(&mut self, numbers: &[usize]) {
        let mut total = self.total.get();
        for number in numbers {
            total -= std::mem::take(&mut self.of[*number]);
        }
        self.total = NonZeroU32::new(total).unwrap_or(NonZeroU32::MIN);
    }

    /// The frequency of the move with this number, and the total.
    pub(super) fn frequency_of(&self, number: usize) -> (u32, u32) {
        (self.of[number], self.total.get())
    }

    /// The frequencies scaled to a total of about `whole`, at least 1 each.
    pub(super) fn parts(&self, whole: u32) -> impl Iterator<Item = u32> {
        let total = u64::from(self.total.get());
        let parts = self
            .all()
            .iter()
            .map(move |f| u64::from(*f) * u64::from(whole) / total);
        parts.map(|part| u32::try_from(part).unwrap_or(u32::MAX).max(1))
    }

    /// The sum of all frequencies, less than 2^30.
    pub(super) fn total(&self) -> NonZeroU32 {
        self.total
    }

    fn all(&self) -> &[u32] {
        self.of.0.get(..self.count).unwrap_or_default()
    }

    /// The share of the move with this number.
    pub(super) fn share(&self, number: usize) -> Option<Share> {
        let (before, from) = self.all().split_at_checked(number)?;
        Share::new(before.iter().sum(), *from.first()?, self.total)
    }

    /// The number of the move whose share covers a part of the total, and its share.
    pub(super) fn at(&self, part: u32) -> Option<(usize, Share)> {
        let mut left = part;
        let mut skip = |size| {
            let rest = left.checked_sub(size);
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        // Eight at a time are skipped first, which takes less than half as many instructions.
        let eights = self.all().chunks(WORD_LANES);
        let skipped = eights.take_while(|eight| skip(eight.iter().sum())).count();
        let first = skipped * WORD_LANES;
        let mut rest = self.all().get(first..)?.iter();
        let number = first + rest.position(|frequency| !skip(*frequency))?;
        let share = Share::new(part - left, self.of[number], self.total)?;
        Some((number, share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::simd::Baseline;
    use proptest::prelude::*;

    #[test]
    fn powers() {
        for (number, power) in (0u32..).zip(POWERS.0) {
            let exact = 2f64.powf(22.0 - f64::from(number) / 64.0);
            assert!((f64::from(power) - exact).abs() <= 0.5);
        }
    }

    #[test]
    fn the_specification_has_these_powers() {
        let shown = POWERS.0.map(|power| power.to_string()).join(" ");
        let spec = include_str!("../../spec/models.md").split_whitespace();
        assert!(spec.collect::<Vec<_>>().join(" ").contains(&shown));
    }

    fn scores(of: &[i32]) -> Scores {
        let mut scores = Scores::new();
        scores.set(of.len(), of.iter().map(|score| [*score]));
        scores
    }

    #[test]
    fn half_as_likely() {
        let scores = scores(&[-64, 0, i32::MIN, -65]);
        for (inverse_temperature, expected) in [
            (NEUTRAL, [1 << 21, 1 << 22, 0, POWERS[1] >> 1]),
            (NEUTRAL / 2, [POWERS[32], 1 << 22, 0, POWERS[32]]),
            (NEUTRAL + 1, [POWERS[2] >> 1, 1 << 22, 0, POWERS[3] >> 1]),
        ] {
            let mut frequencies = Frequencies::new();
            frequencies.set::<Baseline>(&scores, inverse_temperature);
            assert_eq!(frequencies.all(), expected.map(|power| power + 16));
        }
    }

    proptest! {
        #[test]
        fn parts_are_those_of_shares(
            scores in prop::collection::vec(-3000..3000, 1..218),
            inverse_temperature in 1u32..64,
            part in any::<u32>(),
        ) {
            let mut frequencies = Frequencies::new();
            frequencies.set::<Baseline>(&self::scores(&scores), inverse_temperature);
            let total = frequencies.total().get();
            prop_assert!(total < 1 << 30);
            let part = part % total;
            let (number, share) = frequencies.at(part).expect("a move");
            let start: u32 = frequencies.all()[..number].iter().sum();
            prop_assert!(start <= part && part - start < frequencies.all()[number]);
            let of = Share::new(start, frequencies.all()[number], frequencies.total());
            prop_assert_eq!(Some(share), of);
            prop_assert_eq!(frequencies.share(number), of);
            prop_assert_eq!(frequencies.share(scores.len()), None);
            prop_assert_eq!(frequencies.at(total), None);
            // The shares of the others fill the total.
            frequencies.exclude(&[number]);
            let rest = frequencies.total().get();
            if scores.len() > 1 {
                let (other, share) = frequencies.at(part % rest).expect("a move");
                prop_assert!(other != number);
                prop_assert_eq!(frequencies.share(other), Some(share));
            }
            frequencies.exclude(&Vec::from_iter(0..scores.len()));
            prop_assert_eq!(frequencies.at(0), None);
        }
    }
}
