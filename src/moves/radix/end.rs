//! `radix-end`: `radix` with the end of the game (`spec/moves.md`,
//! "radix-end").

use std::iter::Peekable;
use std::slice::Iter;

use crate::chess::{ChessPosition, Outcome, PlyKind};
use crate::limits::Limits;
use crate::moves::error::{LineEncodeError, MoveError};
use crate::moves::line::{DecodedLine, Line, LineInfo, pass};
use crate::moves::move_codec::MoveCodec;

use super::{MixedRadixDecoder, MixedRadixEncoder, RadixError, fold_plies, least_bytes};

/// The options of each ply besides the legal moves: the end of the game.
const END: u32 = 1;

/// The remainder of the number after the end if the side to move resigned.
const RESIGNED: u32 = 0;

/// The remainder of the number after the end if a draw was agreed.
const AGREED: u32 = 1;

/// The codec `radix-end`. The bits encode where and how the game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RadixEnd;

impl MoveCodec for RadixEnd {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, LineEncodeError> {
        let result = line.result.ok_or(LineEncodeError::NoEnding)?;
        let mut fold = MixedRadixEncoder::new();
        let last = fold_plies(line, END, &mut fold)?;
        let remainder = match (last.legal_count(), result) {
            (0, _) if last.outcome() == Some(result) => {
                fold.start_number();
                return Ok(fold.finish());
            }
            (0, _) => return Err(LineEncodeError::NoEnding),
            (_, Outcome::Draw) => AGREED,
            (_, Outcome::Decisive { winner }) if winner != last.turn() => RESIGNED,
            (_, Outcome::Decisive { .. }) => return Err(LineEncodeError::NoEnding),
        };
        fold.push(last.legal_count(), last.legal_count() + END);
        Ok(fold.finish_with(remainder.into()))
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        shape.check_order()?;
        let start = shape.start.known()?.clone();
        let decoder = EndDecoder {
            position: start.clone(),
            plies: Vec::new(),
            nulls: shape.nulls.iter().peekable(),
            digits: MixedRadixDecoder::new(bytes)?,
            limit: limits.plies,
        };
        let (plies, ending) = decoder.decode()?;
        Ok(DecodedLine {
            start,
            plies,
            result: Some(ending),
        })
    }

    fn least_bytes(&self, line: Line<'_>) -> usize {
        least_bytes(line)
    }
}

struct EndDecoder<'a> {
    position: ChessPosition,
    plies: Vec<PlyKind>,
    nulls: Peekable<Iter<'a, u64>>,
    digits: MixedRadixDecoder<'a>,
    /// The maximum number of plies.
    limit: u64,
}

impl EndDecoder<'_> {
    fn decode(mut self) -> Result<(Vec<PlyKind>, Outcome), MoveError> {
        while let Some(ply) = self.next()? {
            self.plies.push(ply);
        }
        if self.nulls.next().is_some() {
            return Err(MoveError::NullPlies);
        }
        let ending = self.ending()?;
        Ok((self.plies, ending))
    }

    /// Plays the next ply. Returns `None` at the end of the game or without a
    /// legal move.
    fn next(&mut self) -> Result<Option<PlyKind>, MoveError> {
        let ply = self.plies.len() as u64;
        let limit = self.limit;
        let check_limit = || {
            let plies = ply + 1;
            let error = MoveError::TooManyPlies { plies, limit };
            (ply < limit).then_some(()).ok_or(error)
        };
        if self.nulls.next_if_eq(&&ply).is_some() {
            check_limit()?;
            return pass(&mut self.position, ply).map(Some);
        }
        let digits = &mut self.digits;
        self.position.play_nth(|moves| {
            if moves == 0 {
                digits.next_number()?;
                return Ok(0);
            }
            let digit = digits.digit(moves + END)?;
            if digit < moves {
                check_limit()?;
            }
            Ok(digit)
        })
    }

    /// The result of the game, whose last position has been reached.
    fn ending(&mut self) -> Result<Outcome, RadixError> {
        let remainder = self.digits.remainder()?;
        match (self.position.outcome(), remainder) {
            (Some(outcome), 0) => Ok(outcome),
            (None, RESIGNED) => Ok(Outcome::Decisive {
                winner: self.position.turn().other(),
            }),
            (None, AGREED) => Ok(Outcome::Draw),
            _ => Err(RadixError::Remainder),
        }
    }
}
