//! Encoding and decoding of a line of moves.

use crate::chess::{ChessPosition, PlyKind};
use crate::codec::range::{Decoder, Encoder, RangeError};

use super::adaptation::GameAdaptation;
use super::context::GameContext;
use super::follower::Follower;
use super::groups::Level;
use super::weights::Weights;

/// Line encoding errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The start position is not one of chess or Chess960.
    #[error("not a position of chess")]
    Variant,
    /// The ply with this number, counted from 0, is not legal.
    #[error("ply {0} is not legal")]
    Illegal(usize),
}

/// Line decoding errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The start position is not one of chess or Chess960.
    #[error("not a position of chess")]
    Variant,
    /// At this ply, counted from 0, no move is legal, or a side in check passes.
    #[error("no move at ply {0}")]
    NoMove(usize),
    /// The range decoder rejects the bytes.
    #[error(transparent)]
    Range(#[from] RangeError),
}

/// Encodes the moves of a line, with the adaptation of its segment.
///
/// # Errors
/// The start position is not one of chess or Chess960, or a ply is not legal.
pub fn encode<L: Level, const H: usize, const K: usize>(
    weights: &Weights<L, H, K>,
    start: &ChessPosition,
    plies: &[PlyKind],
    context: GameContext,
    hints: GameAdaptation<'_>,
) -> Result<Vec<u8>, EncodeError> {
    let mut follower = Follower::new(weights, start, context, hints).ok_or(EncodeError::Variant)?;
    let mut encoder = Encoder::new();
    for (number, ply) in plies.iter().enumerate() {
        let written = follower.encode(*ply, &mut encoder);
        written.ok_or(EncodeError::Illegal(number))?;
    }
    Ok(encoder.finish())
}

/// Decodes a line of `plies` plies. Those for which `is_null` is true are null
/// moves, which the bytes do not encode.
///
/// # Errors
/// The bytes are not those of such a line.
pub fn decode<L: Level, const H: usize, const K: usize>(
    weights: &Weights<L, H, K>,
    start: &ChessPosition,
    plies: usize,
    is_null: impl Fn(usize) -> bool,
    context: GameContext,
    hints: GameAdaptation<'_>,
    bytes: &[u8],
) -> Result<Vec<PlyKind>, DecodeError> {
    let mut follower = Follower::new(weights, start, context, hints).ok_or(DecodeError::Variant)?;
    let mut decoder = Decoder::new(bytes);
    let mut line = Vec::new();
    for number in 0..plies {
        let ply = if is_null(number) {
            follower.pass().map(|()| PlyKind::Null)
        } else {
            follower.decode(&mut decoder)?
        };
        line.push(ply.ok_or(DecodeError::NoMove(number))?);
    }
    decoder.finish()?;
    Ok(line)
}

#[cfg(test)]
mod tests;
