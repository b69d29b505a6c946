//! Plies as a model coded them, for the trace of an encoder.

use crate::chess::{ChessPosition, PlyKind};
use crate::codec::range::{Decoder, RangeError, Share};
use crate::codec::trace::{OffTrace, Trace, TraceReader};

use super::adaptation::GameAdaptation;
use super::context::GameContext;
use super::move_model::MoveModel;

/// The inputs of a model's state at the start of a game, besides the adaptation of the segment.
/// The state later in the game is a function of it and of the steps since then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartInputs {
    model: MoveModel,
    /// The start position; `None` for the standard one.
    start: Option<Box<ChessPosition>>,
    context: GameContext,
    book_node: Option<usize>,
}

impl StartInputs {
    /// The inputs of a game.
    pub fn new(
        model: MoveModel,
        start: &ChessPosition,
        context: GameContext,
        hints: GameAdaptation<'_>,
    ) -> Self {
        let is_standard = *start == ChessPosition::standard();
        StartInputs {
            model,
            start: (!is_standard).then(|| Box::new(start.clone())),
            context,
            book_node: hints.start_node(),
        }
    }
}

/// A ply as a model coded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodedPly {
    /// The ply, as a decoder returns it.
    pub ply: PlyKind,
    /// Its share; `None` for the only legal move, and for a null move, which is not coded.
    pub share: Option<Share>,
}

impl CodedPly {
    /// Adds the ply to a trace.
    pub fn trace(self, trace: &mut Trace) {
        trace.push(&self.ply.to_bits().to_le_bytes());
        trace.push_share(self.share);
    }

    /// The next step of a trace.
    ///
    /// # Errors
    /// It is not a ply.
    pub fn next(trace: &mut TraceReader<'_>) -> Result<Self, OffTrace> {
        let bits = u16::from_le_bytes(trace.step()?);
        Ok(CodedPly {
            ply: PlyKind::from_bits(bits).ok_or(OffTrace)?,
            share: trace.share()?,
        })
    }

    /// Reads the ply.
    ///
    /// # Errors
    /// The bytes encode another one.
    pub fn decode(self, decoder: &mut Decoder<'_>) -> Result<PlyKind, RangeError> {
        if let Some(share) = self.share {
            decoder.consume(share)?;
        }
        Ok(self.ply)
    }
}
