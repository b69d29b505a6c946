//! Natural numbers of arbitrary size, composed of mixed-radix digits.

use std::num::NonZeroU32;

use crate::bits::{BitReader, BitWriter, BitsError};

/// A natural number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Natural {
    /// Little-endian; the last limb is not 0.
    limbs: Vec<u64>,
}

impl Natural {
    /// Zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads little-endian bytes.
    pub fn from_le_bytes(bytes: &[u8]) -> Self {
        let limb = |bytes: &[u8]| {
            let from_highest = bytes.iter().rev();
            from_highest.fold(0, |limb, byte| limb << 8 | u64::from(*byte))
        };
        Self::from_limbs(bytes.chunks(8).map(limb).collect())
    }

    /// The number in little-endian bytes without leading zeros; no bytes for 0.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.limbs.iter().flat_map(|l| l.to_le_bytes()).collect();
        while bytes.pop_if(|last| *last == 0).is_some() {}
        bytes
    }

    fn from_limbs(mut limbs: Vec<u64>) -> Self {
        while limbs.pop_if(|last| *last == 0).is_some() {}
        Natural { limbs }
    }

    /// Multiplies by `base` and adds `digit`.
    pub fn push(&mut self, digit: u64, base: u64) {
        let mut carry = digit;
        for limb in &mut self.limbs {
            (*limb, carry) = limb.carrying_mul(base, carry);
        }
        if carry > 0 {
            self.limbs.push(carry);
        }
    }

    /// Divides by `base` and returns the remainder.
    pub fn pop(&mut self, base: NonZeroU32) -> u32 {
        let base = u64::from(base.get());
        let mut rest = 0;
        for limb in self.limbs.iter_mut().rev() {
            let high = (rest << 32) | (*limb >> 32);
            let low = ((high % base) << 32) | (*limb & u64::from(u32::MAX));
            *limb = ((high / base) << 32) | (low / base);
            rest = low % base;
        }
        while self.limbs.pop_if(|last| *last == 0).is_some() {}
        // The remainder is less than `base`, which has 32 bits.
        u32::try_from(rest).unwrap_or(u32::MAX)
    }

    /// The number, if it fits 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        match *self.limbs.as_slice() {
            [] => Some(0),
            [low] => Some(low),
            _ => None,
        }
    }

    /// Appends the lowest `count` bits, most significant first.
    pub fn write(&self, count: u32, out: &mut BitWriter) {
        let limbs = self.limbs.iter().copied().chain(std::iter::repeat(0));
        let limbs: Vec<u64> = limbs.take(count.div_ceil(u64::BITS) as usize).collect();
        let mut left = count;
        for limb in limbs.into_iter().rev() {
            let bits = (left - 1) % u64::BITS + 1;
            out.push_bits(limb, bits);
            left -= bits;
        }
    }

    /// Reads a number of `count` bits, most significant first.
    ///
    /// # Errors
    /// The input ends early.
    pub fn read(count: u32, input: &mut BitReader<'_>) -> Result<Self, BitsError> {
        if u64::from(count) > input.remaining() {
            return Err(BitsError::EndOfInput);
        }
        let mut limbs = Vec::new();
        let mut left = count;
        while left > 0 {
            let bits = (left - 1) % u64::BITS + 1;
            limbs.push(input.read_bits(bits)?);
            left -= bits;
        }
        limbs.reverse();
        Ok(Self::from_limbs(limbs))
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Self::from_limbs(vec![number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ten() -> NonZeroU32 {
        NonZeroU32::new(10).expect("not 0")
    }

    #[test]
    fn digits_make_the_number() {
        let mut number = Natural::new();
        for digit in [1, 8, 4, 4, 6, 7, 4, 4, 0, 7, 3, 7, 0, 9, 5, 5, 1, 6, 1, 6] {
            number.push(digit, 10);
        }
        assert_eq!(number.to_le_bytes(), [0, 0, 0, 0, 0, 0, 0, 0, 1], "2^64");
        assert_eq!(number.to_u64(), None);
        assert_eq!(number.pop(ten()), 6);
        assert_eq!(number.to_u64(), Some(1_844_674_407_370_955_161));
    }

    #[test]
    fn the_highest_bit_comes_first() {
        let mut out = BitWriter::new();
        Natural::from(0b101).write(65, &mut out);
        Natural::from(0b101).write(2, &mut out);
        Natural::from(1).write(0, &mut out);
        assert_eq!(out.bit_len(), 67);
        assert_eq!(out.into_bytes(), [0, 0, 0, 0, 0, 0, 0, 2, 0b1010_0000]);
        let short = Natural::read(17, &mut BitReader::new(&[0, 1]));
        assert_eq!(short, Err(BitsError::EndOfInput));
    }

    proptest! {
        #[test]
        fn digits_bytes_and_bits_round_trip(
            digits in prop::collection::vec((any::<u32>(), 1..=u32::MAX), 0..40),
            before in 0u32..9,
        ) {
            let mut number = Natural::new();
            for (digit, base) in &digits {
                number.push(u64::from(digit % base), u64::from(*base));
            }
            prop_assert_eq!(&Natural::from_le_bytes(&number.to_le_bytes()), &number);
            let mut out = BitWriter::new();
            out.push_bits(0, before);
            number.write(1280, &mut out);
            let bytes = out.into_bytes();
            let mut reader = BitReader::new(&bytes);
            prop_assert_eq!(reader.read_bits(before), Ok(0));
            prop_assert_eq!(&Natural::read(1280, &mut reader).expect("enough bits"), &number);
            for (digit, base) in digits.iter().rev() {
                let base = NonZeroU32::new(*base).expect("not 0");
                prop_assert_eq!(number.pop(base), *digit % base);
            }
            prop_assert_eq!(number, Natural::new());
        }
    }
}
