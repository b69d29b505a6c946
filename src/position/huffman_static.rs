//! `huffman-static`: one prefix code for all boards.

use crate::bits::{BitReader, BitWriter};
use crate::chess::Square;

use super::board::{PieceBoard, from_value, value};
use super::error::{PositionEncodeError, PositionError};
use super::piece_code::PieceCode;

/// The code of each value: its bits and their number.
const CODES: [(u8, u32); 13] = [
    (0b0, 1),
    (0b110, 3),
    (0b10110, 5),
    (0b10100, 5),
    (0b11111, 5),
    (0b11_1010, 6),
    (0b10_1110, 6),
    (0b100, 3),
    (0b10101, 5),
    (0b11100, 5),
    (0b11110, 5),
    (0b11_1011, 6),
    (0b10_1111, 6),
];

/// Frequent contents have short codes. The lengths are those of a Huffman code
/// for the pieces of the start position and 32 empty squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct HuffmanStatic;

impl PieceCode for HuffmanStatic {
    fn write(&self, board: &PieceBoard, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
        for (_, at) in board.squares() {
            if let Some((bits, len)) = CODES.get(usize::from(value(at))) {
                out.push_bits((*bits).into(), *len);
            }
        }
        Ok(())
    }

    fn read(&self, input: &mut BitReader<'_>) -> Result<PieceBoard, PositionError> {
        let mut board = PieceBoard::empty();
        for square in Square::ALL {
            let at = from_value(read_value(input)?);
            board.put(square, at.ok_or(PositionError::Value { square })?);
        }
        Ok(board)
    }
}

/// Reads one bit at a time until the bits are a code. The code is complete, so
/// six bits suffice.
fn read_value(input: &mut BitReader<'_>) -> Result<u8, PositionError> {
    let mut read = (0, 0);
    loop {
        read = (read.0 << 1 | u8::from(input.read_bit()?), read.1 + 1);
        if let Some((value, _)) = (0..).zip(CODES).find(|(_, code)| *code == read) {
            return Ok(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::huffman::{CodeTable, HuffmanTree};

    /// One leaf per value, by its frequency in the start position.
    #[test]
    fn lengths_are_those_of_the_start_position() {
        let counts = [32, 8, 2, 2, 2, 1, 1, 8, 2, 2, 2, 1, 1];
        let table = CodeTable::new(&HuffmanTree::from_counts(&counts).expect("counts"));
        let mut lengths: Vec<(u32, u64)> = Vec::new();
        let mut ours: Vec<(u32, u64)> = Vec::new();
        for ((value, count), code) in (0..).zip(counts).zip(CODES) {
            let length = table.get(value).expect("a code").len();
            lengths.push((u32::try_from(length).expect("short"), count));
            ours.push((code.1, count));
        }
        assert_eq!(lengths, ours);
    }

    #[test]
    fn codes_are_complete_and_prefix_free() {
        let covered: u32 = CODES.iter().map(|(_, len)| 1 << (6 - len)).sum();
        assert_eq!(covered, 1 << 6);
        for (bits, len) in CODES {
            let begins = |(b, l): &(u8, u32)| *l >= len && b >> (l - len) == bits;
            assert_eq!(CODES.iter().filter(|code| begins(code)).count(), 1);
        }
    }
}
