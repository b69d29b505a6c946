//! `difference`: the differences of the board from the standard start position.

use crate::bits::{BitReader, BitWriter};
use crate::chess::Square;

use super::board::{PieceBoard, from_value, value};
use super::error::{PositionEncodeError, PositionError};
use super::piece_code::PieceCode;

/// The value of each square, exclusive-ored with that of the start position, in
/// the shorter of two forms.
#[derive(Debug, Clone, Copy)]
pub(super) struct Difference;

/// One nibble per square; 0 for a square that has not changed.
type Nibbles = [u8; 64];

impl PieceCode for Difference {
    fn write(&self, board: &PieceBoard, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
        let nibbles = differences(board);
        let runs = runs_are_shorter(&nibbles);
        out.push_bit(runs);
        match runs {
            true => write_runs(&nibbles, out),
            false => write_flags(&nibbles, out),
        }
        Ok(())
    }

    fn read(&self, input: &mut BitReader<'_>) -> Result<PieceBoard, PositionError> {
        let nibbles = match input.read_bit()? {
            true => read_runs(input)?,
            false => read_flags(input)?,
        };
        let mut board = PieceBoard::standard();
        for (square, nibble) in Square::ALL.into_iter().zip(nibbles) {
            let at = from_value(value(board.at(square)) ^ nibble);
            board.put(square, at.ok_or(PositionError::Value { square })?);
        }
        Ok(board)
    }
}

fn differences(board: &PieceBoard) -> Nibbles {
    let start = PieceBoard::standard();
    Square::ALL.map(|square| value(board.at(square)) ^ value(start.at(square)))
}

fn runs_are_shorter(nibbles: &Nibbles) -> bool {
    let length = |write: fn(&Nibbles, &mut BitWriter)| {
        let mut out = BitWriter::new();
        write(nibbles, &mut out);
        out.bit_len()
    };
    length(write_runs) < length(write_flags)
}

/// Form 0: a bit for each square, 1 if it has changed, followed by 4 bits in
/// that case.
fn write_flags(nibbles: &Nibbles, out: &mut BitWriter) {
    for nibble in nibbles {
        out.push_bit(*nibble != 0);
        if *nibble != 0 {
            out.push_bits((*nibble).into(), 4);
        }
    }
}

fn read_flags(input: &mut BitReader<'_>) -> Result<Nibbles, PositionError> {
    let mut nibbles = [0; 64];
    for (square, nibble) in Square::ALL.into_iter().zip(&mut nibbles) {
        if input.read_bit()? {
            *nibble = read_change(square, input)?;
        }
    }
    Ok(nibbles)
}

/// Form 1: the number of squares before the next one that has changed, then its
/// 4 bits, repeated up to the last square.
fn write_runs(nibbles: &Nibbles, out: &mut BitWriter) {
    let mut run = 0;
    for nibble in nibbles {
        if *nibble == 0 {
            run += 1;
            continue;
        }
        write_gamma(run + 1, out);
        out.push_bits((*nibble).into(), 4);
        run = 0;
    }
    if run > 0 {
        write_gamma(run + 1, out);
    }
}

fn read_runs(input: &mut BitReader<'_>) -> Result<Nibbles, PositionError> {
    let mut nibbles = [0; 64];
    let mut places = Square::ALL.into_iter().zip(&mut nibbles);
    while places.len() > 0 {
        let run = read_gamma(input)? - 1;
        if run > places.len() {
            return Err(PositionError::Number);
        }
        if let Some((square, nibble)) = places.nth(run) {
            *nibble = read_change(square, input)?;
        }
    }
    Ok(nibbles)
}

fn read_change(square: Square, input: &mut BitReader<'_>) -> Result<u8, PositionError> {
    match u8::try_from(input.read_bits(4)?) {
        Ok(nibble @ 1..) => Ok(nibble),
        _ => Err(PositionError::Value { square }),
    }
}

/// Writes Elias's gamma code of a number from 1: a zero for each bit after the
/// highest, then the number.
fn write_gamma(number: u32, out: &mut BitWriter) {
    out.push_bits(number.into(), 2 * number.ilog2() + 1);
}

/// Reads a number of at most 7 bits.
fn read_gamma(input: &mut BitReader<'_>) -> Result<usize, PositionError> {
    let mut bits = 0;
    while !input.read_bit()? {
        bits += 1;
        if bits > 6 {
            return Err(PositionError::Number);
        }
    }
    let low = usize::try_from(input.read_bits(bits)?).unwrap_or_default();
    Ok(1 << bits | low)
}
