//! The state of a writer between calls.

use crate::archive::error::{Error, ErrorKind};

/// Whether the last call to a writer succeeded. After one that did not, the sink may end
/// inside a segment, so all later calls are refused.
#[derive(Debug, Default)]
pub(crate) struct CallState {
    is_unfinished: bool,
}

impl CallState {
    /// Begins a call, which counts as failed until [`CallState::end`].
    ///
    /// # Errors
    /// An earlier call has failed.
    pub(crate) fn begin(&mut self) -> Result<(), Error> {
        if self.is_unfinished {
            return Err(ErrorKind::WriterFailed.into());
        }
        self.is_unfinished = true;
        Ok(())
    }

    /// Ends a call that succeeded.
    pub(crate) fn end(&mut self) {
        self.is_unfinished = false;
    }
}
