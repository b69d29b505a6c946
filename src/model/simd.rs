//! Kernels for baseline and for newer processors.
//!
//! The baseline of x86-64 is the instruction set of 2003, which has no
//! population count. Therefore the code that runs once per ply is compiled twice
//! from one source, for the baseline and for AVX2. The processor is detected at
//! run time. Both versions compute the same integers.

use crate::chess::Bitboard;
use std::fmt::Debug;

use super::table::{MaskedTable, table};

/// A computation that is compiled for each instruction set.
pub trait Kernel {
    /// Its result.
    type Output;

    /// Runs the computation. The compiler uses newer instructions only in code
    /// that is inlined here, so this function and all hot functions that it
    /// calls are `#[inline(always)]`.
    fn run<I: Isa>(self) -> Self::Output;
}

/// Operations with an implementation for each instruction set.
pub trait Isa: Copy + Debug {
    /// The dot products of units, from 0 to 127, and several rows of weights.
    fn dots<const H: usize>(units: &[u8; H], rows: [&[i8; H]; DOT_ROWS]) -> [i32; DOT_ROWS];

    /// Sixteen sums of 16 bits, in registers.
    type Sums: Copy + Debug;

    /// Loads sums.
    fn load(sums: &[i16; LANES]) -> Self::Sums;

    /// Adds a row of weights to sums, modulo 2^16.
    fn add(sums: Self::Sums, row: &[i8; LANES]) -> Self::Sums;

    /// Numbers whose sum is the dot product of units and output weights. A unit is its sum, clamped
    /// to 0 … 127.
    fn output<'a>(units: impl Iterator<Item = (Self::Sums, &'a [i16; LANES])>) -> Addends;

    /// The sums of several sets of addends.
    fn totals(addends: &[Addends; DOT_ROWS]) -> [i32; DOT_ROWS];

    /// Each entry of a table at the low six bits of a number, shifted right by the other bits.
    fn shifted_entries(table: &[u32; 64], numbers: &[u32; WORD_LANES]) -> [u32; WORD_LANES];

    /// For each square, a byte whose bit i is set if plane i contains the square.
    fn codes(planes: [Bitboard; CODE_BITS]) -> [u8; 64];

    /// Four bits; bit i is set if some squares share one with set i of their sets.
    fn signature<const N: usize>(pairs: [(Bitboard, &[Bitboard; 4]); N]) -> usize;
}

/// The largest value of a hidden unit.
pub const MAX_UNIT: u8 = 127;

/// The number of units that are summed at a time.
pub(super) const LANES: usize = 16;

/// The number of rows whose dot products are computed at a time.
pub(super) const DOT_ROWS: usize = 4;

/// Numbers of which only the sum matters: to add lanes of a register takes less time for several
/// registers together.
pub(super) type Addends = [i32; 4];

/// The number of 32-bit numbers that are handled at a time.
pub(super) const WORD_LANES: usize = 8;

/// The number of bits of the code of a square.
pub(super) const CODE_BITS: usize = 7;

/// The baseline instructions.
#[derive(Debug, Clone, Copy)]
pub struct Baseline;

impl Isa for Baseline {
    #[inline(always)]
    fn dots<const H: usize>(units: &[u8; H], rows: [&[i8; H]; DOT_ROWS]) -> [i32; DOT_ROWS] {
        rows.map(|row| dot(units, row))
    }

    type Sums = [i16; LANES];

    #[inline(always)]
    fn load(sums: &[i16; LANES]) -> [i16; LANES] {
        *sums
    }

    #[inline(always)]
    fn add(mut sums: [i16; LANES], row: &[i8; LANES]) -> [i16; LANES] {
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(i16::from(*weight));
        }
        sums
    }

    #[inline(always)]
    fn output<'a>(units: impl Iterator<Item = ([i16; LANES], &'a [i16; LANES])>) -> Addends {
        let mut output = 0;
        for (sums, weights) in units {
            for (sum, weight) in sums.iter().zip(weights) {
                output += i32::from((*sum).clamp(0, MAX_UNIT.into())) * i32::from(*weight);
            }
        }
        [output, 0, 0, 0]
    }

    #[inline(always)]
    fn totals(addends: &[Addends; DOT_ROWS]) -> [i32; DOT_ROWS] {
        addends.map(|addends| addends.iter().sum())
    }

    #[inline(always)]
    fn shifted_entries(table: &[u32; 64], numbers: &[u32; WORD_LANES]) -> [u32; WORD_LANES] {
        numbers.map(|number| {
            let entry = table.get((number & 63) as usize).copied().unwrap_or(0);
            entry.checked_shr(number >> 6).unwrap_or(0)
        })
    }

    #[inline(always)]
    fn codes(planes: [Bitboard; CODE_BITS]) -> [u8; 64] {
        let mut codes = [0; 64];
        let planes = planes.map(|plane| plane.0.to_le_bytes());
        for (rank, codes) in codes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let of_rank = planes.iter().filter_map(|plane| plane.get(rank));
            let row = (0..).zip(of_rank).fold(0, |row, (bit, squares)| {
                row | SPREAD[usize::from(*squares)] << bit
            });
            *codes = row.to_le_bytes();
        }
        codes
    }

    #[inline(always)]
    fn signature<const N: usize>(pairs: [(Bitboard, &[Bitboard; 4]); N]) -> usize {
        let mut signature = 0;
        for (squares, sets) in pairs {
            for (bit, set) in (0..).zip(sets) {
                signature |= usize::from((squares & *set).any()) << bit;
            }
        }
        signature
    }
}

/// Spreads the bits of a byte to eight bytes.
static SPREAD: MaskedTable<u64, 256> = table!([0; 256], |number| spread(number));

const fn spread(eight: u64) -> u64 {
    // Masks one bit in each byte, then moves it to the lowest bit.
    let bits = eight.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (bits + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101
}

// If this were inlined into a loop over rows, the compiler would hoist the widening of the units
// out of it and no longer use one instruction for a pairwise multiplication and addition.
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

/// The instruction set to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor {
    /// Whether the features of `wide` are available. Only
    /// [`detect`](Processor::detect) sets it.
    is_wide: bool,
}

impl Processor {
    /// The baseline.
    pub const ANY: Processor = Processor { is_wide: false };

    /// Detects the processor that the program runs on.
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

    /// Runs a kernel with the available instructions.
    #[inline]
    pub fn run<W: Kernel>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        if self.is_wide {
            // SAFETY: `is_wide` is set only if `detect` has found all features
            // of `wide::run`.
            #[allow(unsafe_code, reason = "the features were detected")]
            return unsafe { wide::run(work) };
        }
        work.run::<Baseline>()
    }
}

/// The implementation for processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vectors are loaded from pointers")]
mod wide {
    use super::{Addends, CODE_BITS, DOT_ROWS, Isa, Kernel, LANES, MAX_UNIT, WORD_LANES};
    use crate::chess::Bitboard;
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run<W: Kernel>(work: W) -> W::Output {
        work.run::<Avx2>()
    }

    /// Used by [`run`] only, so that its code runs only within `run`.
    #[derive(Debug, Clone, Copy)]
    struct Avx2;

    impl Isa for Avx2 {
        #[inline(always)]
        fn dots<const H: usize>(units: &[u8; H], rows: [&[i8; H]; DOT_ROWS]) -> [i32; DOT_ROWS] {
            // SAFETY: only `run` names `Avx2`, and `run` requires AVX2.
            unsafe { dots(units, rows) }
        }

        type Sums = __m256i;

        #[inline(always)]
        fn load(sums: &[i16; LANES]) -> __m256i {
            // SAFETY: only `run` names `Avx2`, and `run` requires AVX2.
            unsafe { load(sums) }
        }

        #[inline(always)]
        fn add(sums: __m256i, row: &[i8; LANES]) -> __m256i {
            // SAFETY: only `run` names `Avx2`, and `run` requires AVX2.
            unsafe { add(sums, row) }
        }

        #[inline(always)]
        fn output<'a>(units: impl Iterator<Item = (__m256i, &'a [i16; LANES])>) -> Addends {
            // SAFETY: only `run` names `Avx2`, and `run` requires AVX2.
            unsafe { output(units) }
        }

        #[inline(always)]
        fn totals(addends: &[Addends; DOT_ROWS]) -> [i32; DOT_ROWS] {
            // SAFETY: only `run` names `Avx2`, and `run` requires AVX2.
            unsafe { totals(addends) }
        }

        #[inline(always)]
        fn shifted_entries(table: &[u32; 64], numbers: &[u32; WORD_LANES]) -> [u32; WORD_LANES] {
            // SAFETY: only `run` names `Avx2`, and `run` requires AVX2.
            unsafe { shifted_entries(table, numbers) }
        }

        #[inline(always)]
        fn codes(planes: [Bitboard; CODE_BITS]) -> [u8; 64] {
            // SAFETY: only `run` names `Avx2`, and `run` requires AVX2.
            unsafe { codes(planes) }
        }

        #[inline(always)]
        fn signature<const N: usize>(pairs: [(Bitboard, &[Bitboard; 4]); N]) -> usize {
            // SAFETY: only `run` names `Avx2`, and `run` requires AVX2.
            unsafe { signature(pairs) }
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn dots<const H: usize>(units: &[u8; H], rows: [&[i8; H]; DOT_ROWS]) -> [i32; DOT_ROWS] {
        // Closures that use these instructions are not inlined.
        let [a, b, c, d] = rows;
        let (a, b) = (products(units, a), products(units, b));
        let (c, d) = (products(units, c), products(units, d));
        // The lanes of each row are added in pairs until one is left of each half.
        let halves = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        fours(sum_of_halves(halves))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn sum_of_halves(eight: __m256i) -> __m128i {
        let high = _mm256_extracti128_si256::<1>(eight);
        _mm_add_epi32(_mm256_castsi256_si128(eight), high)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn fours(numbers: __m128i) -> [i32; 4] {
        let mut out = [0; 4];
        // SAFETY: the array has the 16 bytes that are stored.
        unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), numbers) };
        out
    }

    /// Eight numbers whose sum is the dot product.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn products<const H: usize>(units: &[u8; H], row: &[i8; H]) -> __m256i {
        let mut sums = _mm256_setzero_si256();
        let (units, row) = (units.as_chunks::<32>().0, row.as_chunks::<32>().0);
        for (units, row) in units.iter().zip(row) {
            // SAFETY: both chunks have the 32 bytes that are loaded.
            let (units, row) = unsafe {
                (
                    _mm256_loadu_si256(units.as_ptr().cast()),
                    _mm256_loadu_si256(row.as_ptr().cast()),
                )
            };
            // Units are at most 127, so the sum of two products is below 2^15.
            let pairs = _mm256_maddubs_epi16(units, row);
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        }
        sums
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(sums: &[i16; LANES]) -> __m256i {
        // SAFETY: the array has the 32 bytes that are loaded.
        unsafe { _mm256_loadu_si256(sums.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn add(sums: __m256i, row: &[i8; LANES]) -> __m256i {
        // SAFETY: the array has the 16 bytes that are loaded.
        let row = unsafe { _mm_loadu_si128(row.as_ptr().cast()) };
        _mm256_add_epi16(sums, _mm256_cvtepi8_epi16(row))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn output<'a>(units: impl Iterator<Item = (__m256i, &'a [i16; LANES])>) -> Addends {
        let mut output = _mm256_setzero_si256();
        for (sums, weights) in units {
            let units = _mm256_max_epi16(sums, _mm256_setzero_si256());
            let units = _mm256_min_epi16(units, _mm256_set1_epi16(MAX_UNIT.into()));
            output = _mm256_add_epi32(output, _mm256_madd_epi16(units, load(weights)));
        }
        fours(sum_of_halves(output))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn totals(addends: &[Addends; DOT_ROWS]) -> [i32; DOT_ROWS] {
        let [a, b, c, d] = addends;
        let (ab, cd) = (
            _mm_hadd_epi32(vector(a), vector(b)),
            _mm_hadd_epi32(vector(c), vector(d)),
        );
        fours(_mm_hadd_epi32(ab, cd))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn vector(numbers: &Addends) -> __m128i {
        // SAFETY: the array has the 16 bytes that are loaded.
        unsafe { _mm_loadu_si128(numbers.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn shifted_entries(table: &[u32; 64], numbers: &[u32; WORD_LANES]) -> [u32; WORD_LANES] {
        // SAFETY: the array has the 32 bytes that are loaded.
        let numbers = unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) };
        let indexes = _mm256_and_si256(numbers, _mm256_set1_epi32(63));
        // SAFETY: the indexes are below 64, the length of the table, and count its entries of 4
        // bytes.
        let entries = unsafe { _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), indexes) };
        let shifted = _mm256_srlv_epi32(entries, _mm256_srli_epi32::<6>(numbers));
        let mut out = [0; WORD_LANES];
        // SAFETY: the array has the 32 bytes that are stored.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), shifted) };
        out
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn codes(planes: [Bitboard; CODE_BITS]) -> [u8; 64] {
        // A byte of a plane is copied to its eight squares, each of which selects its bit.
        let ranks = _mm256_set_epi64x(
            0x0303_0303_0303_0303,
            0x0202_0202_0202_0202,
            0x0101_0101_0101_0101,
            0,
        );
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
        let mut out = [0; 64];
        for (half, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let ranks = match half {
                0 => ranks,
                _ => _mm256_add_epi8(ranks, _mm256_set1_epi8(4)),
            };
            let mut codes = _mm256_setzero_si256();
            for plane in planes.iter().rev() {
                let plane = _mm256_set1_epi64x(plane.0.cast_signed());
                let squares = _mm256_and_si256(_mm256_shuffle_epi8(plane, ranks), bits);
                codes = _mm256_add_epi8(codes, codes);
                codes = _mm256_add_epi8(codes, _mm256_min_epu8(squares, _mm256_set1_epi8(1)));
            }
            // SAFETY: the chunk has the 32 bytes that are stored.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), codes) };
        }
        out
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn signature<const N: usize>(pairs: [(Bitboard, &[Bitboard; 4]); N]) -> usize {
        let mut shared = _mm256_setzero_si256();
        for (squares, sets) in pairs {
            // SAFETY: the four sets have the 32 bytes that are loaded.
            let sets = unsafe { _mm256_loadu_si256(sets.as_ptr().cast()) };
            let squares = _mm256_set1_epi64x(squares.0.cast_signed());
            shared = _mm256_or_si256(shared, _mm256_and_si256(squares, sets));
        }
        let empty = _mm256_cmpeq_epi64(shared, _mm256_setzero_si256());
        let empty = _mm256_movemask_pd(_mm256_castsi256_pd(empty));
        usize::try_from(empty ^ 15).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
