//! Adaptive coding of the symbols in a table of distributions.

use super::super::range::{Decoder, Encoder, RangeError, Share};
use std::num::NonZeroU32;

/// The increment of a symbol's count, which is initially 1.
const INCREMENT: u32 = 24;
/// If the sum exceeds this, all counts are halved, rounded up.
const MAX_TOTAL: u32 = 1 << 13;

/// Adaptive counts of symbols.
#[derive(Debug, Clone)]
pub(super) struct AdaptiveCounts<const SYMBOLS: usize> {
    counts: [u32; SYMBOLS],
}

impl<const SYMBOLS: usize> AdaptiveCounts<SYMBOLS> {
    pub(super) fn new() -> Self {
        AdaptiveCounts {
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
        let total = NonZeroU32::new(self.counts.iter().sum()).ok_or(RangeError::InvalidSymbol)?;
        let part = decoder.part(total)?;
        let mut start = 0;
        for (symbol, size) in self.counts.into_iter().enumerate() {
            if part < start + size {
                let share = self.share(start, size).ok_or(RangeError::InvalidSymbol)?;
                decoder.consume(share)?;
                self.add(symbol);
                return Ok(symbol);
            }
            start += size;
        }
        Err(RangeError::InvalidSymbol)
    }

    fn share(&self, start: u32, size: u32) -> Option<Share> {
        Share::new(start, size, NonZeroU32::new(self.counts.iter().sum())?)
    }

    fn add(&mut self, symbol: usize) {
        if let Some(count) = self.counts.get_mut(symbol) {
            *count += INCREMENT;
        }
        if self.counts.iter().sum::<u32>() > MAX_TOTAL {
            for count in &mut self.counts {
                *count = count.div_ceil(2);
            }
        }
    }
}
