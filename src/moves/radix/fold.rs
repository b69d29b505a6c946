//! Mixed-radix numbers.
//!
//! The first digit is the least significant: g = d0 + n0·(d1 + n1·(d2 + …)). A
//! number has at most 1,024 digits, because folding is quadratic. Further
//! digits go into the next number.

use std::num::NonZeroU32;

use crate::bits::{BitsError, ByteReader, put_bytes};
use crate::codec::natural::Natural;

use super::error::RadixError;

/// The maximum number of digits of a number.
pub(super) const DIGITS: usize = 1024;

/// The last byte if there are several numbers. A single number never ends with
/// it.
const MULTIPLE_NUMBERS: u8 = 0;

/// Folds digits into numbers.
#[derive(Debug, Clone, Default)]
pub struct MixedRadixEncoder {
    /// The completed numbers, each preceded by its length.
    full: Vec<u8>,
    /// Runs of digits of the current number, the first one least significant,
    /// each as its value and the product of its bases. Filling 64 bits per run
    /// makes long numbers 12 times faster.
    runs: Vec<(u64, u64)>,
    /// The number of digits in the current number.
    digits: usize,
    /// Whether numbers precede the current one.
    has_full_numbers: bool,
}

impl MixedRadixEncoder {
    /// Creates a fold without digits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a digit, which must be below its base.
    pub fn push(&mut self, digit: u32, base: u32) {
        self.start_number();
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

    /// Starts the next number if the current one is full.
    pub fn start_number(&mut self) {
        if self.digits < DIGITS {
            return;
        }
        put_bytes(&mut self.full, &number(&self.runs, 0));
        self.runs.clear();
        self.digits = 0;
        self.has_full_numbers = true;
    }

    /// Returns the encoded numbers.
    pub fn finish(self) -> Vec<u8> {
        self.finish_with(0)
    }

    /// Returns the encoded numbers. After its digits, the last number has the
    /// remainder `remainder`.
    pub fn finish_with(mut self, remainder: u64) -> Vec<u8> {
        let last = number(&self.runs, remainder);
        if !self.has_full_numbers {
            return last;
        }
        put_bytes(&mut self.full, &last);
        self.full.push(MULTIPLE_NUMBERS);
        self.full
    }
}

/// The number with these runs and this remainder, little-endian without leading
/// zeros.
fn number(runs: &[(u64, u64)], remainder: u64) -> Vec<u8> {
    let mut number = Natural::from(remainder);
    for (value, product) in runs.iter().rev() {
        number.push(*value, *product);
    }
    number.to_le_bytes()
}

/// Extracts the digits of numbers, one by one.
#[derive(Debug, Clone)]
pub struct MixedRadixDecoder<'a> {
    /// The numbers after the current one.
    rest: ByteReader<'a>,
    /// The current number without the digits already extracted.
    number: Natural,
    /// The number of digits extracted from the current number.
    digits: usize,
}

impl<'a> MixedRadixDecoder<'a> {
    /// Starts with the first digit of these bytes.
    ///
    /// # Errors
    /// The bytes are not numbers as [`Fold`] writes them.
    pub fn new(bytes: &'a [u8]) -> Result<Self, RadixError> {
        let (number, rest) = match bytes.split_last() {
            Some((&MULTIPLE_NUMBERS, numbers)) => {
                let mut reader = ByteReader::new(numbers);
                let first = reader.bytes()?;
                if reader.is_empty() {
                    return Err(RadixError::SingleNumber);
                }
                (first, reader)
            }
            _ => (bytes, ByteReader::new(&[])),
        };
        Ok(MixedRadixDecoder {
            rest,
            number: natural(number)?,
            digits: 0,
        })
    }

    /// Extracts the next digit, given its base.
    ///
    /// # Errors
    /// The base is 0, the current number is not 0 after its last digit, or the
    /// next number is missing.
    pub fn digit(&mut self, base: u32) -> Result<u32, RadixError> {
        let base = NonZeroU32::new(base).ok_or(RadixError::NoLegalMove)?;
        self.next_number()?;
        self.digits += 1;
        Ok(self.number.pop(base))
    }

    /// Starts the next number if all digits of the current one are extracted.
    ///
    /// # Errors
    /// The current number is not 0 after its last digit, or the next number is
    /// missing.
    pub fn next_number(&mut self) -> Result<(), RadixError> {
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

    /// Checks the end: the current number must be 0 and the last.
    ///
    /// # Errors
    /// The current number is not 0, or numbers follow.
    pub fn finish(&self) -> Result<(), RadixError> {
        match self.remainder()? {
            0 => Ok(()),
            _ => Err(RadixError::Remainder),
        }
    }

    /// The remainder of the current number, which must be the last.
    ///
    /// # Errors
    /// The remainder does not fit into 32 bits, or numbers follow.
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
