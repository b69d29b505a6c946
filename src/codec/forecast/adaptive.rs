//! Adaptive coding of the symbols in a table of distributions.

use super::super::range::{Decoder, Encoder, RangeError, Share};
use std::num::NonZeroU32;

/// The increment of a symbol's count, which is initially 1.
const STEP: u32 = 24;
/// If the sum exceeds this, all counts are halved, rounded up.
const MOST: u32 = 1 << 13;

/// Adaptive counts of symbols.
#[derive(Debug, Clone)]
pub(super) struct Adaptive<const SYMBOLS: usize> {
    counts: [u32; SYMBOLS],
}

impl<const SYMBOLS: usize> Adaptive<SYMBOLS> {
    pub(super) fn new() -> Self {
        Adaptive {
            counts: [1; SYMBOLS],
        }
    }

    pub(super) fn encode(&mut self, symbol: usize, encoder: &mut Encoder) {
        let start: u32 = self.counts.iter().take(symbol).sum();
        let size = self.counts.get(symbol).copied().unwrap_or(1);
        if let Some(share) = self.share(start, size) {
            encoder.encode(share);
        }
        self.add(symbol);
    }

    pub(super) fn decode(&mut self, decoder: &mut Decoder<'_>) -> Result<usize, RangeError> {
        let total = NonZeroU32::new(self.counts.iter().sum()).ok_or(RangeError::NoSymbol)?;
        let part = decoder.part(total)?;
        let mut start = 0;
        for (symbol, size) in self.counts.into_iter().enumerate() {
            if part < start + size {
                let share = self.share(start, size).ok_or(RangeError::NoSymbol)?;
                decoder.take(share)?;
                self.add(symbol);
                return Ok(symbol);
            }
            start += size;
        }
        Err(RangeError::NoSymbol)
    }

    fn share(&self, start: u32, size: u32) -> Option<Share> {
        Share::new(start, size, NonZeroU32::new(self.counts.iter().sum())?)
    }

    fn add(&mut self, symbol: usize) {
        if let Some(count) = self.counts.get_mut(symbol) {
            *count += STEP;
        }
        if self.counts.iter().sum::<u32>() > MOST {
            for count in &mut self.counts {
                *count = count.div_ceil(2);
            }
        }
    }
}
