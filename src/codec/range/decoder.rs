//! The decoder.

use std::num::NonZeroU32;

use super::interval::Interval;
use super::{RangeError, Share};

/// Reads symbols that an [`Encoder`](super::Encoder) has written.
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    interval: Interval,
    /// The distance of the number that the bytes represent from the lower end of
    /// the interval.
    offset: u64,
    rest: &'a [u8],
    ends_in_zero: bool,
}

impl<'a> Decoder<'a> {
    /// A decoder before the first symbol of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder {
            interval: Interval::initial(),
            offset: 0,
            rest: bytes,
            ends_in_zero: bytes.last() == Some(&0),
        };
        decoder.read();
        decoder.read();
        decoder
    }

    /// Appends the next four bytes to the number; zeros after the end.
    #[inline]
    fn read(&mut self) {
        let next = match self.rest.split_first_chunk() {
            Some((next, rest)) => {
                self.rest = rest;
                *next
            }
            None => self.last_padded(),
        };
        self.offset = self.offset << 32 | u64::from(u32::from_be_bytes(next));
    }

    /// The last bytes, fewer than four, padded with zeros.
    fn last_padded(&mut self) -> [u8; 4] {
        let mut next = [0; 4];
        for (byte, last) in next.iter_mut().zip(std::mem::take(&mut self.rest)) {
            *byte = *last;
        }
        next
    }

    /// The index of the part, of `total` equal ones, that contains the number.
    ///
    /// # Errors
    /// No part contains it.
    #[inline]
    pub fn part(&self, total: NonZeroU32) -> Result<u32, RangeError> {
        let part = u32::try_from(self.offset / self.interval.unit(total));
        let part = part.map_err(|_| RangeError::InvalidSymbol)?;
        if part < total.get() {
            Ok(part)
        } else {
            Err(RangeError::InvalidSymbol)
        }
    }

    /// Whether that part is at least `start`, which is at most `total`. A few such comparisons
    /// take less time than the division in [`Decoder::part`].
    #[inline]
    pub fn is_at_least(&self, start: u32, total: NonZeroU32) -> bool {
        self.interval.unit(total) * u64::from(start) <= self.offset
    }

    /// Consumes the symbol whose share contains the part.
    ///
    /// # Errors
    /// The share does not contain it.
    #[inline]
    pub fn consume(&mut self, share: Share) -> Result<(), RangeError> {
        let (rise, _) = self.interval.narrow(share);
        let above = self.offset.checked_sub(rise);
        let above = above.filter(|above| *above < self.interval.size());
        self.offset = above.ok_or(RangeError::InvalidSymbol)?;
        if self.interval.shift_settled().is_some() {
            self.read();
        }
        Ok(())
    }

    /// Checks, after the last symbol, that the bytes are those that an encoder
    /// writes for the consumed symbols.
    ///
    /// # Errors
    /// The bytes are others.
    pub fn finish(self) -> Result<(), RangeError> {
        if !self.rest.is_empty() {
            return Err(RangeError::Trailing);
        }
        if self.ends_in_zero || self.offset != self.interval.end().offset {
            return Err(RangeError::NotCanonical);
        }
        Ok(())
    }
}
