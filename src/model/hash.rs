//! The mixing of bits behind all hashes of the model.

/// The odd number nearest to 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): every bit of the
/// number bears on every bit of the result.
pub(super) const fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(GOLDEN);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The highest bits of a mixed number, as an index.
#[inline]
pub(super) fn highest(mixed: u64, bits: u32) -> usize {
    usize::try_from(mixed >> (u64::BITS - bits)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first two numbers of the generator for the seed 0, as published.
    #[test]
    fn it_is_splitmix64() {
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(GOLDEN), 0x6e78_9e6a_a1b9_65f4);
    }
}
