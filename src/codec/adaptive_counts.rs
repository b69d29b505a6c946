//! Coding of symbols by adaptive counts (`spec/columns.md`, section "Distributions").

use super::range::{Decoder, Encoder, RangeError, Share};
use std::num::NonZeroU32;

/// The increment of a symbol's count, which is initially 1.
const INCREMENT: u32 = 24;
/// If the sum exceeds this, all counts are halved, rounded up.
const MAX_TOTAL: u32 = 1 << 13;

/// Adaptive counts of symbols.
#[derive(Debug, Clone)]
pub(crate) struct AdaptiveCounts<const SYMBOLS: usize> {
    counts: [u32; SYMBOLS],
    /// Their sum.
    total: u32,
}

impl<const SYMBOLS: usize> AdaptiveCounts<SYMBOLS> {
    pub(crate) fn new() -> Self {
        AdaptiveCounts {
            counts: [1; SYMBOLS],
            total: u32::try_from(SYMBOLS).unwrap_or(u32::MAX),
        }
    }

    pub(crate) fn encode(&mut self, symbol: usize, encoder: &mut Encoder) {
        let start: u32 = self.counts.iter().take(symbol).sum();
        let size = self.counts.get(symbol).copied().unwrap_or(1);
        let total = NonZeroU32::new(self.total);
        if let Some(share) = total.and_then(|total| Share::new(start, size, total)) {
            encoder.encode(share);
        }
        self.add(symbol);
    }

    pub(crate) fn decode(&mut self, decoder: &mut Decoder<'_>) -> Result<usize, RangeError> {
        let total = NonZeroU32::new(self.total).ok_or(RangeError::InvalidSymbol)?;
        let part = decoder.part(total)?;
        let mut start = 0;
        for (symbol, size) in self.counts.into_iter().enumerate() {
            if part < start + size {
                let share = Share::new(start, size, total).ok_or(RangeError::InvalidSymbol)?;
                decoder.consume(share)?;
                self.add(symbol);
                return Ok(symbol);
            }
            start += size;
        }
        Err(RangeError::InvalidSymbol)
    }

    fn add(&mut self, symbol: usize) {
        if let Some(count) = self.counts.get_mut(symbol) {
            *count += INCREMENT;
            self.total += INCREMENT;
        }
        if self.total > MAX_TOTAL {
            for count in &mut self.counts {
                *count = count.div_ceil(2);
            }
            self.total = self.counts.iter().sum();
        }
    }
}
