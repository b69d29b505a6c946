//! A coder whose steps are traced or compared with a trace.

use super::super::trace::Steps;
use super::{DistributionError, SymbolCoder, SymbolContext};

/// A coder that passes each symbol as a step.
#[derive(Debug)]
pub struct Traced<C, S> {
    /// The coder.
    pub coder: C,
    /// What traces or compares the steps.
    pub steps: S,
}

impl<C: SymbolCoder, S: Steps> SymbolCoder for Traced<C, S> {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        let symbol = self.coder.symbol(place, symbol)?;
        self.steps.pass(&[symbol])?;
        Ok(symbol)
    }

    fn symbol_from(
        &mut self,
        place: SymbolContext,
        minimum: u8,
        symbol: u8,
    ) -> Result<u8, DistributionError> {
        let symbol = self.coder.symbol_from(place, minimum, symbol)?;
        self.steps.pass(&[symbol])?;
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, DistributionError> {
        let value = self.coder.bits(count, value)?;
        let bytes = value.to_le_bytes();
        let bytes = bytes.iter().take(count.div_ceil(8) as usize);
        bytes
            .copied()
            .try_for_each(|byte| self.steps.pass(&[byte]))?;
        Ok(value)
    }
}
