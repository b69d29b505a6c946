//! Fixed-point binary logarithms.

/// One bit, in units of 1/1024 bit.
pub const BIT: u32 = 1 << 10;

/// The width of the table's index, in bits.
const ARGUMENT_BITS: u32 = 8;

/// log2(1 + i/256) for i = 0 … 255, in 1/1024 bit, and 1.
const LOGS: [u32; (1 << ARGUMENT_BITS) + 1] = {
    let mut logs = [BIT; (1 << ARGUMENT_BITS) + 1];
    let mut rest: &mut [u32] = &mut logs;
    let mut argument = 1 << ARGUMENT_BITS;
    while let [entry, tail @ ..] = rest {
        if tail.is_empty() {
            break;
        }
        *entry = log_by_squares(argument << (31 - ARGUMENT_BITS));
        rest = tail;
        argument += 1;
    }
    logs
};

/// log2(n / 2^31) in 1/1024 bit, rounded, for n from 2^31 to 2^32. Squaring
/// doubles the logarithm, so each square gives one more bit.
const fn log_by_squares(n: u64) -> u32 {
    let (mut square, mut log, mut left) = (n, 0, 11);
    while left > 0 {
        square = (square * square) >> 31;
        log *= 2;
        if square >= 1 << 32 {
            square >>= 1;
            log += 1;
        }
        left -= 1;
    }
    u32::div_ceil(log, 2)
}

/// log2(n) in 1/1024 bit, with an error of about 1/1024 bit; 0 for 0.
pub fn log(n: u32) -> u32 {
    let Some(whole) = n.checked_ilog2() else {
        return 0;
    };
    let argument = u64::from(n) << (31 - whole) & ((1 << 31) - 1);
    let place = (argument >> (31 - ARGUMENT_BITS)) as usize;
    let between = argument >> (15 - ARGUMENT_BITS) & 0xffff;
    let [low, high] = [place, place + 1].map(|at| LOGS.get(at).copied().unwrap_or(BIT));
    let above = (u64::from(high - low) * between + (1 << 15)) >> 16;
    BIT * whole + low + u32::try_from(above).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn logarithms(n in prop_oneof![1u32..2000, 1u32..]) {
            let exact = f64::from(n).log2() * f64::from(BIT);
            prop_assert!((f64::from(log(n)) - exact).abs() < 1.1);
        }
    }

    #[test]
    fn powers_of_two() {
        for bit in 0..32 {
            assert_eq!(log(1 << bit), BIT * bit);
        }
    }
}
