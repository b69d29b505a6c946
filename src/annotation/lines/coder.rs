//! The moves that are not known go through a model.

use crate::chess::Ply;
use crate::codec::forecast::{Coder, Counter, ForecastError, Meter, Reader, Writer};
use crate::codec::range::RangeError;
use crate::model::ShippedFollower;

/// Why a field of moves could not be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The bits are not those of a field.
    #[error(transparent)]
    Forecast(#[from] ForecastError),
    /// The bits stand for no legal move.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// What the bits say cannot be.
    #[error("{0}")]
    Invalid(&'static str),
}

pub(super) const NO_MOVE: LineError =
    LineError::Invalid("a line in a comment has a move that is not legal");
pub(super) const TOO_LONG: LineError =
    LineError::Invalid("a line in a comment is longer than its text");

/// What goes through the fields of moves of a record.
pub trait LineCoder: Coder {
    /// A move of which nothing is known but that it is none of these, and plays
    /// it. Whoever reads has none given; who neither writes nor reads takes its
    /// bits for none.
    fn unknown(
        &mut self,
        game: &mut ShippedFollower<'_>,
        given: Option<Ply>,
        besides: &[Ply],
    ) -> Result<Ply, LineError> {
        let _ = besides;
        advance(game, given)
    }
}

/// Plays a move that takes no bits.
pub(super) fn advance(
    game: &mut ShippedFollower<'_>,
    given: Option<Ply>,
) -> Result<Ply, LineError> {
    let ply = given.ok_or(NO_MOVE)?;
    game.advance(ply).ok_or(NO_MOVE)?;
    Ok(ply)
}

impl LineCoder for Counter<'_> {}

impl LineCoder for Meter<'_> {}

impl LineCoder for Writer<'_> {
    fn unknown(
        &mut self,
        game: &mut ShippedFollower<'_>,
        given: Option<Ply>,
        besides: &[Ply],
    ) -> Result<Ply, LineError> {
        let ply = given.ok_or(NO_MOVE)?;
        let Writer(_, encoder) = self;
        let written = game.encode_besides(ply, besides, encoder);
        written.map(|()| ply).ok_or(NO_MOVE)
    }
}

impl LineCoder for Reader<'_, '_> {
    fn unknown(
        &mut self,
        game: &mut ShippedFollower<'_>,
        _: Option<Ply>,
        besides: &[Ply],
    ) -> Result<Ply, LineError> {
        let Reader(_, decoder) = self;
        game.decode_besides(besides, decoder)?.ok_or(NO_MOVE)
    }
}
