//! `radix`: the number of each move among the legal moves is a digit of one
//! large number (`spec/moves.md`, "radix").

mod end;
pub(super) mod error;
mod fold;

use crate::chess::{ChessPosition, IllegalPly, PlyKind};
use crate::limits::Limits;

use super::error::{LineEncodeError, MoveError};
use super::line::{DecodedLine, Line, LineInfo};
use super::move_codec::MoveCodec;

pub use end::RadixEnd;
pub use error::RadixError;
pub use fold::{MixedRadixDecoder, MixedRadixEncoder};

/// The codec `radix`. The container stores the number of plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Radix;

impl MoveCodec for Radix {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, LineEncodeError> {
        let mut fold = MixedRadixEncoder::new();
        fold_plies(line, 0, &mut fold)?;
        Ok(fold.finish())
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        shape.check(limits)?;
        let start = shape.start.known()?.clone();
        let mut digits = MixedRadixDecoder::new(bytes)?;
        let line = shape.play_by(start, |position, _| {
            let played = position.play_nth(|count| digits.digit(count))?;
            Ok(played.ok_or(RadixError::NoLegalMove)?)
        })?;
        digits.finish()?;
        Ok(line)
    }

    fn least_bytes(&self, line: Line<'_>) -> usize {
        least_bytes(line)
    }
}

/// Folds the moves of a line, with each base increased by `options`. Returns
/// the position after them.
fn fold_plies(
    line: Line<'_>,
    options: u32,
    fold: &mut MixedRadixEncoder,
) -> Result<ChessPosition, LineEncodeError> {
    let mut position = line.start.clone();
    for (ply, played) in (0..).zip(line.plies) {
        let illegal = |IllegalPly| LineEncodeError::IllegalPly { ply };
        if *played == PlyKind::Null {
            position.make(PlyKind::Null).map_err(illegal)?;
        } else {
            let choice = position.play_numbered(*played).map_err(illegal)?;
            fold.push(choice.index, choice.count + options);
        }
    }
    Ok(position)
}

/// A lower bound. Any number may be 0 and need no bytes, but several numbers
/// each have a length, and one byte follows them.
fn least_bytes(line: Line<'_>) -> usize {
    match line.moves().div_ceil(fold::DIGITS) {
        0 | 1 => 0,
        numbers => numbers + 1,
    }
}

#[cfg(test)]
mod tests;
