//! `base13` and `mixed-base`: the board as one number.

use std::num::NonZeroU32;

use crate::bits::{BitReader, BitWriter};
use crate::chess::{Piece, Role, Square};
use crate::codec::natural::Natural;

use super::board::{PieceBoard, from_value, is_backrank, value};
use super::error::{PositionEncodeError, PositionError};
use super::piece_code::PieceCode;

/// One digit per square, a1 the most significant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digits {
    /// Whether the digits of ranks 1 and 8 have values for pawns, which cannot be
    /// there.
    pawns_everywhere: bool,
    /// The number of bits of the largest number.
    bits: u32,
}

/// `base13`: all digits in base 13.
pub(super) const BASE13: Digits = Digits {
    pawns_everywhere: true,
    bits: 237,
};

/// `mixed-base`: digits of ranks 1 and 8 in base 11.
pub(super) const MIXED_BASE: Digits = Digits {
    pawns_everywhere: false,
    bits: 233,
};

/// The number of values of a square, with and without pawns.
const ALL: NonZeroU32 = NonZeroU32::new(13).expect("is not 0");
const OFFICERS: NonZeroU32 = NonZeroU32::new(11).expect("is not 0");

impl Digits {
    fn base(self, square: Square) -> NonZeroU32 {
        match is_backrank(square) && !self.pawns_everywhere {
            true => OFFICERS,
            false => ALL,
        }
    }
}

impl PieceCode for Digits {
    fn write(&self, board: &PieceBoard, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
        let mut number = Natural::new();
        for (square, at) in board.squares() {
            let base = self.base(square);
            let digit = if base == ALL { value(at) } else { officer(at) };
            number.push(digit.into(), base.get().into());
        }
        number.write(self.bits, out);
        Ok(())
    }

    fn read(&self, input: &mut BitReader<'_>) -> Result<PieceBoard, PositionError> {
        let mut number = Natural::read(self.bits, input)?;
        let mut board = PieceBoard::empty();
        for square in Square::ALL.into_iter().rev() {
            let base = self.base(square);
            let digit = u8::try_from(number.pop(base)).unwrap_or(u8::MAX);
            let at = if base == ALL {
                from_value(digit)
            } else {
                from_officer(digit)
            };
            board.put(square, at.ok_or(PositionError::Value { square })?);
        }
        match number == Natural::new() {
            true => Ok(board),
            false => Err(PositionError::Number),
        }
    }
}

/// The value of a square without pawns: 0 empty, 1 … 5 N B R Q K, 6 … 10 n b r q
/// k.
fn officer(at: Option<Piece>) -> u8 {
    let pawns_before = at.map_or(0, |piece| piece.color.fold_wb(1, 2));
    value(at).saturating_sub(pawns_before)
}

fn from_officer(digit: u8) -> Option<Option<Piece>> {
    let all = (0..13).filter_map(from_value);
    let mut officers = all.filter(|at| at.is_none_or(|piece| piece.role != Role::Pawn));
    officers.nth(digit.into())
}
