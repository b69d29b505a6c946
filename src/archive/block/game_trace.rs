//! The trace of a game's encoder, with which a decoder proves the moves without evaluating the
//! model.

use crate::archive::error::ContentError;
use crate::archive::schema::record::{GameTrace, Movetext, StreamTrace};
use crate::chess::ChessPosition;
use crate::codec::trace::{OffTrace, Trace};
use crate::model::StartInputs;

impl StreamTrace {
    /// The steps of the encoder of these bytes.
    ///
    /// # Errors
    /// The encoder wrote others.
    pub(super) fn steps_of(&self, bytes: &[u8]) -> Result<&Trace, ContentError> {
        match *self.bytes == *bytes {
            true => Ok(&self.steps),
            false => Err(OffTrace.into()),
        }
    }
}

impl Movetext<'_> {
    /// The inputs of the model that codes the moves of a game from `start`, if one does.
    pub(crate) fn start_inputs(&self, start: &ChessPosition) -> Option<StartInputs> {
        let inputs = || self.side_info.start_inputs(start, self.context());
        self.has_model().then(inputs)?
    }

    /// The trace of a game from `start`, if there is one.
    ///
    /// # Errors
    /// The encoder had other inputs.
    pub(super) fn trace_from(
        &self,
        start: &ChessPosition,
    ) -> Result<Option<&GameTrace>, ContentError> {
        let Some(trace) = self.trace.as_deref() else {
            return Ok(None);
        };
        match self.start_inputs(start).as_ref() == Some(&trace.inputs) {
            true => Ok(Some(trace)),
            false => Err(OffTrace.into()),
        }
    }
}
