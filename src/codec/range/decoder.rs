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
    above: u64,
    unread: &'a [u8],
    ends_in_zero: bool,
}

impl<'a> Decoder<'a> {
    /// A decoder before the first symbol of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder {
            interval: Interval::whole(),
            above: 0,
            unread: bytes,
            ends_in_zero: bytes.last() == Some(&0),
        };
        decoder.read();
        decoder.read();
        decoder
    }

    /// Appends the next four bytes to the number; zeros after the end.
    #[inline]
    fn read(&mut self) {
        let next = match self.unread.split_first_chunk() {
            Some((next, rest)) => {
                self.unread = rest;
                *next
            }
            None => self.last(),
        };
        self.above = self.above << 32 | u64::from(u32::from_be_bytes(next));
    }

    /// The last bytes, fewer than four, padded with zeros.
    fn last(&mut self) -> [u8; 4] {
        let mut next = [0; 4];
        for (byte, last) in next.iter_mut().zip(std::mem::take(&mut self.unread)) {
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
        let part = u32::try_from(self.above / self.interval.unit(total));
        let part = part.map_err(|_| RangeError::NoSymbol)?;
        if part < total.get() {
            Ok(part)
        } else {
            Err(RangeError::NoSymbol)
        }
    }

    /// Whether that part is at least `start`. A few such comparisons take less
    /// time than the division in [`Decoder::part`].
    #[inline]
    pub fn reaches(&self, start: u32, total: NonZeroU32) -> bool {
        // The product does not overflow if start is at most the total.
        self.interval.unit(total).saturating_mul(start.into()) <= self.above
    }

    /// Consumes the symbol whose share contains the part.
    ///
    /// # Errors
    /// The share does not contain it.
    #[inline]
    pub fn take(&mut self, share: Share) -> Result<(), RangeError> {
        let (rise, _) = self.interval.narrow(share);
        let above = self.above.checked_sub(rise);
        let above = above.filter(|above| *above < self.interval.size());
        self.above = above.ok_or(RangeError::NoSymbol)?;
        if self.interval.settle().is_some() {
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
        if !self.unread.is_empty() {
            return Err(RangeError::Trailing);
        }
        if self.ends_in_zero || self.above != self.interval.end().above {
            return Err(RangeError::NotShortest);
        }
        Ok(())
    }
}
