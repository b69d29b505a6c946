//! The trace of an encoder: its steps, with the shares that it gave symbols.
//!
//! Where the shares of symbols are a function of a state, and the state is a function of the steps
//! so far, a decoder whose steps so far are those of the trace would compute the share that the
//! trace has for the next symbol. It may take that share instead: the bytes encode this symbol if
//! and only if the number that they represent is in the share.

use super::range::Share;
use crate::bits::{BitsError, ByteReader, put_varint};
use std::num::NonZeroU32;

/// The steps of an encoder.
///
/// A step is a share, or bytes that represent anything else on which the state depends. The
/// lengths of steps are not stored: where all steps before are equal, the next one has the same
/// length.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace(Vec<u8>);

/// What the steps of an encoder or a decoder pass.
pub trait Steps {
    /// Passes the next step.
    ///
    /// # Errors
    /// It is compared with the step of an encoder, which is another one.
    fn pass(&mut self, step: &[u8]) -> Result<(), OffTrace>;
}

impl<S: Steps> Steps for &mut S {
    fn pass(&mut self, step: &[u8]) -> Result<(), OffTrace> {
        S::pass(self, step)
    }
}

/// Adds the step.
impl Steps for Trace {
    fn pass(&mut self, step: &[u8]) -> Result<(), OffTrace> {
        self.push(step);
        Ok(())
    }
}

/// Compares the step.
impl Steps for TraceReader<'_> {
    fn pass(&mut self, step: &[u8]) -> Result<(), OffTrace> {
        match self.0.take(step.len())? == step {
            true => Ok(()),
            false => Err(OffTrace),
        }
    }
}

impl Trace {
    /// Adds a step.
    pub fn push(&mut self, step: &[u8]) {
        self.0.extend_from_slice(step);
    }

    /// Adds the share of a symbol; `None` for a symbol that takes no bits.
    pub fn push_share(&mut self, share: Option<Share>) {
        let Some(share) = share else {
            return put_varint(&mut self.0, 0);
        };
        for part in [share.total().get(), share.start(), share.size()] {
            put_varint(&mut self.0, part.into());
        }
    }

    /// Frees the memory that it does not use.
    pub fn shrink(mut self) -> Self {
        self.0.shrink_to_fit();
        self
    }

    /// A reader before the first step.
    pub fn reader(&self) -> TraceReader<'_> {
        TraceReader(ByteReader::new(&self.0))
    }

    /// The bytes of the steps, to damage them.
    #[cfg(test)]
    pub(crate) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

/// A decoder's step is not that of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("trace: not a step of the encoder")]
pub struct OffTrace;

impl From<BitsError> for OffTrace {
    fn from(_: BitsError) -> Self {
        OffTrace
    }
}

/// Compares the steps of a decoder with a trace.
#[derive(Debug, Clone)]
pub struct TraceReader<'t>(ByteReader<'t>);

impl TraceReader<'_> {
    /// The next step, of `N` bytes.
    ///
    /// # Errors
    /// The encoder made no such step.
    pub fn step<const N: usize>(&mut self) -> Result<[u8; N], OffTrace> {
        Ok(self.0.array()?)
    }

    /// The next step, a share; `None` for a symbol that takes no bits.
    ///
    /// # Errors
    /// The encoder made no such step.
    pub fn share(&mut self) -> Result<Option<Share>, OffTrace> {
        let Some(total) = NonZeroU32::new(self.part()?) else {
            return Ok(None);
        };
        let (start, size) = (self.part()?, self.part()?);
        Ok(Some(Share::new(start, size, total).ok_or(OffTrace)?))
    }

    fn part(&mut self) -> Result<u32, OffTrace> {
        u32::try_from(self.0.varint()?).map_err(|_| OffTrace)
    }

    /// Whether no steps are left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that no steps are left.
    ///
    /// # Errors
    /// The encoder made more.
    pub fn finish(self) -> Result<(), OffTrace> {
        Ok(self.0.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn steps_come_back_in_order(
            steps in prop::collection::vec((any::<[u8; 2]>(), 0u32..1 << 30, 0u32..1 << 30), 0..9),
        ) {
            let share = |start: u32, size: u32| {
                Share::new(start, size, NonZeroU32::new(start + size)?)
            };
            let mut trace = Trace::default();
            for (step, start, size) in &steps {
                trace.push(step);
                trace.push_share(share(*start, *size));
            }
            let mut reader = trace.reader();
            for (step, start, size) in steps {
                prop_assert_eq!(reader.clone().step(), Ok(step));
                prop_assert_eq!(reader.clone().pass(&step.map(|byte| !byte)), Err(OffTrace));
                prop_assert_eq!(reader.pass(&step), Ok(()));
                prop_assert_eq!(reader.share(), Ok(share(start, size)));
            }
            prop_assert_eq!(reader.clone().step::<1>(), Err(OffTrace));
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }

    #[test]
    fn steps_that_are_left_are_found() {
        let mut trace = Trace::default();
        trace.push(&[0]);
        assert_eq!(trace.reader().finish(), Err(OffTrace));
    }
}
