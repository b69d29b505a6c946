//! `squares`: origin and target of each move in 12 bits (`spec/moves.md`,
//! "squares"). A baseline for comparison.

use crate::bits::{BitReader, BitWriter, BitsError};
use crate::chess::{CANONICAL_PROMOTIONS, ChessPosition, IllegalPly, PlyKind, Square};
use crate::limits::Limits;

use super::error::{LineEncodeError, MoveError, SquaresError};
use super::line::{DecodedLine, Line, LineInfo};
use super::move_codec::MoveCodec;

/// The codec `squares`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Squares;

impl MoveCodec for Squares {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, LineEncodeError> {
        let mut bits = BitWriter::new();
        let mut position = line.start.clone();
        for (ply, played) in (0..).zip(line.plies) {
            let illegal = |IllegalPly| LineEncodeError::IllegalPly { ply };
            position.make(*played).map_err(illegal)?;
            write(*played, ply, &mut bits)?;
        }
        Ok(bits.into_bytes())
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        shape.check(limits)?;
        let start = shape.start.known()?.clone();
        let mut bits = BitReader::new(bytes);
        let line = shape.play_by(start, |position, ply| {
            let played = read(&mut bits, position).map_err(SquaresError)?;
            let illegal = |IllegalPly| MoveError::IllegalMove { ply };
            position.make(played).map_err(illegal)?;
            Ok(played)
        })?;
        bits.finish().map_err(SquaresError)?;
        Ok(line)
    }

    /// The exact size, for lines that can be represented.
    fn least_bytes(&self, line: Line<'_>) -> usize {
        let bits = |ply: &PlyKind| match ply {
            PlyKind::Move {
                promotion: Some(_), ..
            } => 14,
            PlyKind::Move { .. } => 12,
            PlyKind::Null | PlyKind::Drop { .. } => 0,
        };
        let bits: usize = line.plies.iter().map(bits).sum();
        bits.div_ceil(8)
    }
}

fn write(played: PlyKind, ply: u64, bits: &mut BitWriter) -> Result<(), LineEncodeError> {
    let (from, to, promotion) = match played {
        PlyKind::Null => return Ok(()),
        PlyKind::Drop { .. } => return Err(LineEncodeError::Drop { ply }),
        PlyKind::Move {
            from,
            to,
            promotion,
        } => (from, to, promotion),
    };
    for square in [from, to] {
        bits.push_bits(u64::from(square.file()), 3);
        bits.push_bits(u64::from(square.rank()), 3);
    }
    if let Some(role) = promotion {
        let number = (0..)
            .zip(CANONICAL_PROMOTIONS)
            .find(|(_, known)| *known == role);
        let (number, _) = number.ok_or(LineEncodeError::KingPromotion { ply })?;
        bits.push_bits(number, 2);
    }
    Ok(())
}

/// Reads a move without checking that it is legal.
fn read(bits: &mut BitReader<'_>, position: &ChessPosition) -> Result<PlyKind, BitsError> {
    let (from, to) = (read_square(bits)?, read_square(bits)?);
    let promotion = match position.promotes(from, to) {
        true => CANONICAL_PROMOTIONS.get(index(bits, 2)?).copied(),
        false => None,
    };
    Ok(PlyKind::Move {
        from,
        to,
        promotion,
    })
}

fn read_square(bits: &mut BitReader<'_>) -> Result<Square, BitsError> {
    let (file, rank) = (index(bits, 3)?, index(bits, 3)?);
    let square = Square::ALL.get(file + 8 * rank);
    square.copied().ok_or(BitsError::EndOfInput)
}

fn index(bits: &mut BitReader<'_>, width: u32) -> Result<usize, BitsError> {
    let value = bits.read_bits(width)?;
    usize::try_from(value).map_err(|_| BitsError::EndOfInput)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Role;
    use crate::moves::testing::{line_of, start};

    /// The bit string of the proposal, with its first move corrected.
    #[test]
    fn squares_are_coded_file_first() {
        let (start, plies) = line_of("e4 e5 Nf3 f6 Nxe5 fxe5");
        let bytes = Squares.encode(Line::new(&start, &plies));
        let bits = "100001100011 100110100100 110000101010 \
                    101110101101 101010100100 101101100100";
        let text: String = bytes
            .expect("an encoding")
            .iter()
            .map(|byte| format!("{byte:08b}"))
            .collect();
        assert_eq!(text, bits.replace(' ', ""));
    }

    #[test]
    fn what_has_no_form_is_refused() {
        let drop = PlyKind::Drop {
            role: Role::Queen,
            to: Square::A4,
        };
        let crazyhouse = start("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "crazyhouse");
        let answer = Squares.encode(Line::new(&crazyhouse, &[drop]));
        assert_eq!(answer, Err(LineEncodeError::Drop { ply: 0 }));
        let king = PlyKind::Move {
            from: Square::A7,
            to: Square::A8,
            promotion: Some(Role::King),
        };
        let antichess = start("8/P7/8/8/8/7k/8/8 w - - 0 1", "antichess");
        let answer = Squares.encode(Line::new(&antichess, &[king]));
        assert_eq!(answer, Err(LineEncodeError::KingPromotion { ply: 0 }));
    }

    #[test]
    fn the_bound_is_exact() {
        let (start, plies) = line_of("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=N");
        let line = Line::new(&start, &plies);
        let bytes = Squares.encode(line).expect("an encoding");
        assert_eq!(Squares.least_bytes(line), bytes.len());
    }
}
