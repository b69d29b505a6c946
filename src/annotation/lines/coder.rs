//! Coding the moves of a line that are not among the candidates, with a model.

use crate::chess::PlyKind;
use crate::codec::distributions::{
    CostMeter, DistributionError, SymbolCoder, SymbolCounter, SymbolReader, SymbolWriter, Traced,
};
use crate::codec::range::RangeError;
use crate::codec::trace::{OffTrace, Trace, TraceReader};
use crate::model::{BuiltinFollower, CodedPly};

/// Why a field of moves could not be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The bits do not encode a field.
    #[error(transparent)]
    Distribution(#[from] DistributionError),
    /// The decoded values are not those of a trace.
    #[error(transparent)]
    OffTrace(#[from] OffTrace),
    /// The bits do not encode a legal move.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The decoded values are inconsistent.
    #[error("{0}")]
    Invalid(&'static str),
}

pub(super) const NO_MOVE: LineError =
    LineError::Invalid("a line in a comment has a move that is not legal");
pub(super) const TOO_LONG: LineError =
    LineError::Invalid("a line in a comment is longer than its text");

/// Codes the fields of moves of a record.
pub trait LineCoder: SymbolCoder {
    /// Codes and plays a move that is none of `besides`. A reader ignores
    /// `given` and returns the decoded move. This default, for coders that
    /// neither read nor write, only plays `given` and counts no bits.
    fn unknown(
        &mut self,
        game: &mut BuiltinFollower<'_>,
        given: Option<PlyKind>,
        besides: &[PlyKind],
    ) -> Result<PlyKind, LineError> {
        let _ = besides;
        advance(game, given)
    }
}

/// Plays a move that costs no bits.
pub(super) fn advance(
    game: &mut BuiltinFollower<'_>,
    given: Option<PlyKind>,
) -> Result<PlyKind, LineError> {
    let ply = given.ok_or(NO_MOVE)?;
    game.advance(ply).ok_or(NO_MOVE)?;
    Ok(ply)
}

impl LineCoder for SymbolCounter<'_> {}

impl LineCoder for CostMeter<'_> {}

/// Writes the moves and traces them.
impl LineCoder for Traced<SymbolWriter<'_>, &mut Trace> {
    fn unknown(
        &mut self,
        game: &mut BuiltinFollower<'_>,
        given: Option<PlyKind>,
        besides: &[PlyKind],
    ) -> Result<PlyKind, LineError> {
        let ply = given.ok_or(NO_MOVE)?;
        let SymbolWriter(_, encoder) = &mut self.coder;
        let coded = game.encode_besides(ply, besides, encoder).ok_or(NO_MOVE)?;
        coded.trace(self.steps);
        Ok(ply)
    }
}

impl LineCoder for SymbolReader<'_, '_> {
    fn unknown(
        &mut self,
        game: &mut BuiltinFollower<'_>,
        _: Option<PlyKind>,
        besides: &[PlyKind],
    ) -> Result<PlyKind, LineError> {
        let SymbolReader(_, decoder) = self;
        game.decode_besides(besides, decoder)?.ok_or(NO_MOVE)
    }
}

/// Reads the moves with the shares of a trace.
impl LineCoder for Traced<SymbolReader<'_, '_>, &mut TraceReader<'_>> {
    fn unknown(
        &mut self,
        game: &mut BuiltinFollower<'_>,
        _: Option<PlyKind>,
        _: &[PlyKind],
    ) -> Result<PlyKind, LineError> {
        let SymbolReader(_, decoder) = &mut self.coder;
        let coded = CodedPly::next(self.steps)?;
        advance(game, Some(coded.decode(decoder)?))
    }
}
