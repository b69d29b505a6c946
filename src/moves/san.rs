//! `san`: the standard SAN of each move, followed by a space (`spec/moves.md`,
//! "san"). A baseline for comparison.

use crate::bits::BitsError;
use crate::chess::{ChessPosition, IllegalPly, PlyKind, SanText, Spelling};
use crate::limits::Limits;

use super::error::{LineEncodeError, MoveError, SanError};
use super::line::{DecodedLine, Line, LineInfo};
use super::move_codec::MoveCodec;

/// The byte after each move.
const END: u8 = b' ';

/// The minimum length of a move with the byte after it.
const LEAST_BYTES: usize = 3;

/// The codec `san`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct San;

impl MoveCodec for San {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, LineEncodeError> {
        let mut out = Vec::new();
        let mut position = line.start.clone();
        for (ply, played) in (0..).zip(line.plies) {
            let illegal = |IllegalPly| LineEncodeError::IllegalPly { ply };
            if *played == PlyKind::Null {
                position.make(PlyKind::Null).map_err(illegal)?;
            } else {
                let written = position.write(*played, Spelling::STANDARD, &mut out);
                written.map_err(illegal)?;
                out.push(END);
            }
        }
        Ok(out)
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        shape.check(limits)?;
        let start = shape.start.known()?.clone();
        let mut rest = bytes;
        let line = shape.play_by(start, |position, ply| {
            play(position, token(&mut rest)?, ply)
        })?;
        if rest.is_empty() {
            Ok(line)
        } else {
            Err(SanError::Bits(BitsError::Trailing).into())
        }
    }

    fn least_bytes(&self, line: Line<'_>) -> usize {
        LEAST_BYTES * line.moves()
    }
}

/// Reads the text up to the next separator.
fn token<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], SanError> {
    let end = memchr::memchr(END, rest).and_then(|at| rest.split_at_checked(at));
    let (token, after) = end.ok_or(BitsError::EndOfInput)?;
    *rest = after.get(1..).unwrap_or_default();
    Ok(token)
}

/// Plays the move of a text, and checks that the text is its standard SAN by
/// writing it again.
fn play(position: &mut ChessPosition, token: &[u8], ply: u64) -> Result<PlyKind, MoveError> {
    let text = SanText::parse(token).ok_or(SanError::NotAMove { ply })?;
    let illegal = MoveError::IllegalMove { ply };
    let (played, _) = position.read(&text).ok_or(illegal)?;
    if played == PlyKind::Null {
        return Err(SanError::NotAMove { ply }.into());
    }
    let mut standard = Vec::new();
    let written = position.write(played, Spelling::STANDARD, &mut standard);
    written.map_err(|IllegalPly| illegal)?;
    if standard == token {
        Ok(played)
    } else {
        Err(SanError::NotStandard { ply }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::testing::line_of;

    #[test]
    fn a_blank_follows_each_move() {
        let text = "e4 e5 Nf3 f6 Nxe5 fxe5 Qh5+ Ke7 Qxe5+ Kf7 ";
        let (start, plies) = line_of(text);
        let line = Line::new(&start, &plies);
        assert_eq!(San.encode(line), Ok(text.as_bytes().to_vec()));
    }
}
