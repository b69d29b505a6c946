//! Digits of changing bases as numbers, and back.
//!
//! The first digit is the least significant: g = d0 + n0·(d1 + n1·(d2 + …)).
//! A number takes 1,024 digits; what follows goes into the next number, because
//! folding is quadratic.

use std::num::NonZeroU32;

use crate::bits::{BitsError, ByteReader, put_bytes};
use crate::codec::natural::Natural;

use super::error::RadixError;

/// Digits in one number.
pub(super) const DIGITS: usize = 1024;

/// Follows several numbers. A single number never ends with it.
const SEVERAL: u8 = 0;

/// Folds digits into numbers.
#[derive(Debug, Clone, Default)]
pub struct Fold {
    /// The numbers that are full, each with its length before it.
    full: Vec<u8>,
    /// Runs of digits of the number at hand, the first one least significant:
    /// what they make, and the product of their bases. Runs as long as 64 bits
    /// hold make the work with long numbers 12 times less.
    runs: Vec<(u64, u64)>,
    /// Digits in the number at hand.
    digits: usize,
    /// Whether there are numbers before the one at hand.
    is_long: bool,
}

impl Fold {
    /// No digits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a digit, which must be less than its base.
    pub fn push(&mut self, digit: u32, base: u32) {
        self.reserve_limb();
        self.digits += 1;
        let (digit, base) = (u64::from(digit), u64::from(base));
        if let Some((value, product)) = self.runs.last_mut()
            && let Some(larger) = product.checked_mul(base)
        {
            *value += digit * *product;
            *product = larger;
            return;
        }
        self.runs.push((digit, base));
    }

    /// Begins the next number where the one at hand has all its digits.
    pub fn reserve_limb(&mut self) {
        if self.digits < DIGITS {
            return;
        }
        put_bytes(&mut self.full, &number(&self.runs, 0));
        self.runs.clear();
        self.digits = 0;
        self.is_long = true;
    }

    /// The bytes of all digits.
    pub fn finish(self) -> Vec<u8> {
        self.finish_with(0)
    }

    /// The bytes of all digits; what the digits leave of the last number is
    /// `remainder`.
    pub fn finish_with(mut self, remainder: u64) -> Vec<u8> {
        let last = number(&self.runs, remainder);
        if !self.is_long {
            return last;
        }
        put_bytes(&mut self.full, &last);
        self.full.push(SEVERAL);
        self.full
    }
}

/// The number of runs and what they leave, little-endian without leading zeros.
fn number(runs: &[(u64, u64)], remainder: u64) -> Vec<u8> {
    let mut number = Natural::from(remainder);
    for (value, product) in runs.iter().rev() {
        number.push(*value, *product);
    }
    number.to_le_bytes()
}

/// Takes the digits out of numbers again, one by one.
#[derive(Debug, Clone)]
pub struct Unfold<'a> {
    /// The numbers to come.
    rest: ByteReader<'a>,
    /// What is left of the number at hand.
    number: Natural,
    /// Digits taken from the number at hand.
    digits: usize,
}

impl<'a> Unfold<'a> {
    /// The digits of these bytes.
    ///
    /// # Errors
    /// The bytes are not numbers as [`Fold`] writes them.
    pub fn new(bytes: &'a [u8]) -> Result<Self, RadixError> {
        let (number, rest) = match bytes.split_last() {
            Some((&SEVERAL, numbers)) => {
                let mut reader = ByteReader::new(numbers);
                let first = reader.bytes()?;
                if reader.is_empty() {
                    return Err(RadixError::SingleNumber);
                }
                (first, reader)
            }
            _ => (bytes, ByteReader::new(&[])),
        };
        Ok(Unfold {
            rest,
            number: natural(number)?,
            digits: 0,
        })
    }

    /// The next digit, by its base.
    ///
    /// # Errors
    /// The base is 0, or the next number is not there.
    pub fn digit(&mut self, base: u32) -> Result<u32, RadixError> {
        let base = NonZeroU32::new(base).ok_or(RadixError::NoLegalMove)?;
        self.reserve_digit()?;
        self.digits += 1;
        Ok(self.number.pop(base))
    }

    /// Goes to the next number where the one at hand has given all its digits.
    ///
    /// # Errors
    /// Something is left of the number, or there is no other.
    pub fn reserve_digit(&mut self) -> Result<(), RadixError> {
        if self.digits < DIGITS {
            return Ok(());
        }
        if self.number.to_u64() != Some(0) {
            return Err(RadixError::Remainder);
        }
        self.number = natural(self.rest.bytes()?)?;
        self.digits = 0;
        Ok(())
    }

    /// Ends the taking: nothing may be left.
    ///
    /// # Errors
    /// Something is left of the number at hand, or numbers follow.
    pub fn finish(&self) -> Result<(), RadixError> {
        match self.remainder()? {
            0 => Ok(()),
            _ => Err(RadixError::Remainder),
        }
    }

    /// Ends the taking: what is left of the number at hand, which must be the
    /// last.
    ///
    /// # Errors
    /// More than 32 bits are left, or numbers follow.
    pub fn remainder(&self) -> Result<u32, RadixError> {
        let left = self.number.to_u64().ok_or(RadixError::Remainder)?;
        let left = u32::try_from(left).map_err(|_| RadixError::Remainder)?;
        if self.rest.is_empty() {
            Ok(left)
        } else {
            Err(BitsError::Trailing.into())
        }
    }
}

fn natural(number: &[u8]) -> Result<Natural, RadixError> {
    match number.last() {
        Some(0) => Err(RadixError::LeadingZeros),
        _ => Ok(Natural::from_le_bytes(number)),
    }
}
