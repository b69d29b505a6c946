//! The same work for any processor and for those of the last ten years.
//!
//! What an x86-64 program may use without asking is the instruction set of
//! 2003, which counts the ones of a number in a dozen steps. So the work of a
//! ply is compiled twice, from one source, and a look at the processor says
//! which is run. Both compute the same integers.

use super::net::MAX_UNIT;
use crate::chess::Bitboard;

/// Something to do for which newer instructions are worth having.
pub trait Kernel {
    /// What comes of it.
    type Output;

    /// Does it. The compiler uses newer instructions only in what it inlines
    /// here, so this and all that costs time in it is `#[inline(always)]`.
    fn run<I: Isa>(self) -> Self::Output;
}

/// What is done by other means where there are newer instructions.
pub trait Isa {
    /// The sum of the products of units, from 0 to 127, with a row of weights.
    fn dot<const H: usize>(units: &[u8; H], row: &[i8; H]) -> i32;

    /// The sum of the products of units with their outputs; a unit is the sum of
    /// its number and its weights in rows, from 0 to 127.
    fn output<const K: usize>(sums: &[i16; K], rows: &[&[i8; K]], outputs: &[i16; K]) -> i32;

    /// Which of four sets are not empty, in four bits.
    fn signature(sets: [Bitboard; 4]) -> usize;
}

/// Units are summed up so many at a time.
const LANES: usize = 16;

/// No instructions but those that are always there.
#[derive(Debug, Clone, Copy)]
pub struct Plain;

impl Isa for Plain {
    // In a loop over rows the compiler would widen the units once and for all,
    // and then no longer multiply and add pairs in one instruction.
    #[inline(never)]
    fn dot<const H: usize>(units: &[u8; H], row: &[i8; H]) -> i32 {
        let mut sums = [0; 16];
        let (units, row) = (units.as_chunks::<16>().0, row.as_chunks::<16>().0);
        for (units, row) in units.iter().zip(row) {
            for ((sum, unit), weight) in sums.iter_mut().zip(units).zip(row) {
                *sum += i32::from(*unit) * i32::from(*weight);
            }
        }
        sums.iter().sum()
    }

    // Inlined where the sums are few, the compiler takes each number for itself.
    #[inline(never)]
    fn output<const K: usize>(sums: &[i16; K], rows: &[&[i8; K]], outputs: &[i16; K]) -> i32 {
        let mut output = 0;
        let parts = sums.as_chunks::<LANES>().0.iter();
        let parts = parts.zip(outputs.as_chunks::<LANES>().0).enumerate();
        for (part, (sums, outputs)) in parts {
            let mut sums = *sums;
            for row in rows {
                let Some(row) = row.as_chunks::<LANES>().0.get(part) else {
                    continue;
                };
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum = sum.wrapping_add(i16::from(*weight));
                }
            }
            let units = sums.map(|sum| sum.clamp(0, MAX_UNIT.into()));
            for (unit, weight) in units.iter().zip(outputs) {
                output += i32::from(*unit) * i32::from(*weight);
            }
        }
        output
    }

    #[inline(always)]
    fn signature(sets: [Bitboard; 4]) -> usize {
        let bits = (0..).zip(sets);
        bits.fold(0, |sum, (bit, set)| sum | usize::from(set.any()) << bit)
    }
}

/// Which instructions may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor {
    /// Whether those are there that `wide` is compiled with. Only
    /// [`detect`](Processor::detect) says so.
    is_wide: bool,
}

impl Processor {
    /// One of which nothing is known.
    pub const ANY: Processor = Processor { is_wide: false };

    /// The one that this program runs on.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        let is_wide = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        #[cfg(not(target_arch = "x86_64"))]
        let is_wide = false;
        Processor { is_wide }
    }

    /// Does some work with the instructions that are there.
    #[inline]
    pub fn run<W: Kernel>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        if self.is_wide {
            // SAFETY: `is_wide` is set only where `detect` has found all that
            // `wide` uses.
            #[allow(unsafe_code, reason = "the features were detected")]
            return unsafe { wide::run(work) };
        }
        work.run::<Plain>()
    }
}

/// For processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vectors are loaded from pointers")]
mod wide {
    use super::{Isa, Kernel, LANES, MAX_UNIT};
    use crate::chess::Bitboard;
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run<W: Kernel>(work: W) -> W::Output {
        work.run::<Wide>()
    }

    /// Called by [`run`] only, so that this code runs only inside it.
    struct Wide;

    impl Isa for Wide {
        #[inline(always)]
        fn dot<const H: usize>(units: &[u8; H], row: &[i8; H]) -> i32 {
            // SAFETY: only `run` names `Wide`, and it runs where AVX2 is.
            unsafe { dot(units, row) }
        }

        #[inline(always)]
        fn output<const K: usize>(sums: &[i16; K], rows: &[&[i8; K]], outputs: &[i16; K]) -> i32 {
            // SAFETY: only `run` names `Wide`.
            unsafe { output(sums, rows, outputs) }
        }

        #[inline(always)]
        fn signature(sets: [Bitboard; 4]) -> usize {
            // SAFETY: only `run` names `Wide`, and it runs where AVX2 is.
            unsafe { signature(sets) }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn dot<const H: usize>(units: &[u8; H], row: &[i8; H]) -> i32 {
        let mut sums = _mm256_setzero_si256();
        let (units, row) = (units.as_chunks::<32>().0, row.as_chunks::<32>().0);
        for (units, row) in units.iter().zip(row) {
            // SAFETY: both have the 32 bytes that are loaded.
            let (units, row) = unsafe {
                (
                    _mm256_loadu_si256(units.as_ptr().cast()),
                    _mm256_loadu_si256(row.as_ptr().cast()),
                )
            };
            // The sum of two products is less than 2^15, as units are.
            let pairs = _mm256_maddubs_epi16(units, row);
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
        sum(sums)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn output<const K: usize>(sums: &[i16; K], rows: &[&[i8; K]], outputs: &[i16; K]) -> i32 {
        let mut output = _mm256_setzero_si256();
        let parts = sums.as_chunks::<LANES>().0.iter();
        let parts = parts.zip(outputs.as_chunks::<LANES>().0).enumerate();
        for (part, (sums, outputs)) in parts {
            // SAFETY: both have the 16 numbers of 2 bytes that are loaded.
            let (mut sums, outputs) = unsafe {
                (
                    _mm256_loadu_si256(sums.as_ptr().cast()),
                    _mm256_loadu_si256(outputs.as_ptr().cast()),
                )
            };
            for row in rows {
                let Some(row) = row.as_chunks::<LANES>().0.get(part) else {
                    continue;
                };
                // SAFETY: it has the 16 bytes that are loaded.
                let row = unsafe { _mm_loadu_si128(row.as_ptr().cast()) };
                sums = _mm256_add_epi16(sums, _mm256_cvtepi8_epi16(row));
            }
            let units = _mm256_max_epi16(sums, _mm256_setzero_si256());
            let units = _mm256_min_epi16(units, _mm256_set1_epi16(MAX_UNIT.into()));
            output = _mm256_add_epi32(output, _mm256_madd_epi16(units, outputs));
        }
        sum(output)
    }

    /// The sum of eight numbers.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn sum(eight: __m256i) -> i32 {
        let high = _mm256_extracti128_si256::<1>(eight);
        let four = _mm_add_epi32(_mm256_castsi256_si128(eight), high);
        let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
        _mm_extract_epi32::<0>(two) + _mm_extract_epi32::<1>(two)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn signature(sets: [Bitboard; 4]) -> usize {
        // SAFETY: the four sets have the 32 bytes that are loaded.
        let sets = unsafe { _mm256_loadu_si256(sets.as_ptr().cast()) };
        let empty = _mm256_cmpeq_epi64(sets, _mm256_setzero_si256());
        let empty = _mm256_movemask_pd(_mm256_castsi256_pd(empty));
        usize::try_from(empty ^ 15).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Square;
    use proptest::prelude::*;

    struct Dot([u8; 64], [i8; 64]);

    impl Kernel for Dot {
        type Output = i32;

        #[inline(always)]
        fn run<I: Isa>(self) -> i32 {
            I::dot(&self.0, &self.1)
        }
    }

    struct Output([i16; 64], Vec<[i8; 64]>, [i16; 64]);

    impl Kernel for Output {
        type Output = i32;

        #[inline(always)]
        fn run<I: Isa>(self) -> i32 {
            let rows: Vec<_> = self.1.iter().collect();
            I::output(&self.0, &rows, &self.2)
        }
    }

    proptest! {
        #[test]
        fn outputs_are_those_of_sums(
            sums in prop::collection::vec(-500i16..500, 64),
            rows in prop::collection::vec(prop::collection::vec(any::<i8>(), 64), 0..5),
            outputs in prop::collection::vec(any::<i16>(), 64),
        ) {
            let unit = |k: usize| {
                let weights = rows.iter().map(|row| i32::from(row[k]));
                (i32::from(sums[k]) + weights.sum::<i32>()).clamp(0, 127)
            };
            let output: i32 = (0..64).map(|k| unit(k) * i32::from(outputs[k])).sum();
            let rows: Vec<[i8; 64]> = rows.iter().map(|row| row.clone().try_into().expect("64")).collect();
            let sums: [i16; 64] = sums.try_into().expect("64");
            let outputs: [i16; 64] = outputs.try_into().expect("64");
            let found = processors().map(|on| on.run(Output(sums, rows.clone(), outputs)));
            prop_assert_eq!(found, [output; 2]);
        }
    }

    struct Signature([Bitboard; 4]);

    impl Kernel for Signature {
        type Output = usize;

        #[inline(always)]
        fn run<I: Isa>(self) -> usize {
            I::signature(self.0)
        }
    }

    fn processors() -> [Processor; 2] {
        [Processor::ANY, Processor::detect()]
    }

    fn assert_dot(units: [u8; 64], row: [i8; 64]) {
        let products = units.iter().zip(row);
        let sum = products.map(|(unit, weight)| i32::from(*unit) * i32::from(weight));
        let sum: i32 = sum.sum();
        assert_eq!(processors().map(|on| on.run(Dot(units, row))), [sum; 2]);
    }

    proptest! {
        #[test]
        fn dots_are_sums_of_products(
            units in prop::collection::vec(0..=127u8, 64),
            row in prop::collection::vec(any::<i8>(), 64),
        ) {
            assert_dot(units.try_into().expect("64"), row.try_into().expect("64"));
        }
    }

    #[test]
    fn the_largest_dots() {
        for weight in [i8::MIN, i8::MAX] {
            assert_dot([127; 64], [weight; 64]);
        }
    }

    #[test]
    fn signatures_name_the_sets_that_are_not_empty() {
        for wanted in 0..16 {
            let set = |bit: usize| Bitboard(u64::from(wanted >> bit & 1 == 1) << (63 - 20 * bit));
            let sets = [0, 1, 2, 3].map(set);
            assert_eq!(processors().map(|on| on.run(Signature(sets))), [wanted; 2]);
        }
        let corner = Bitboard::from_square(Square::A1);
        assert_eq!(Processor::detect().run(Signature([corner; 4])), 15);
    }
}
