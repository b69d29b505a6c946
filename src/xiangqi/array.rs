//! `xq-array`: a byte for each piece (`docs/xiangqi.md`, "xq-array").

use super::error::{CodeError, XiangqiEncodeError};
use super::field::read_field;
use super::identity::PiecePlaces;
use super::{Point, XiangqiPosition, XiangqiSide};
use crate::bits::{BitReader, BitWriter};

/// The value of a captured piece.
const CAPTURED: u8 = Point::COUNT;

pub(super) fn write(
    position: &XiangqiPosition,
    out: &mut BitWriter,
) -> Result<(), XiangqiEncodeError> {
    for place in PiecePlaces::of(position)?.0 {
        let number = place.map_or(CAPTURED, Point::number);
        out.push_bits(number.into(), 8);
    }
    Ok(())
}

pub(super) fn read(
    turn: XiangqiSide,
    input: &mut BitReader<'_>,
) -> Result<XiangqiPosition, CodeError> {
    let mut identified = PiecePlaces::none();
    for place in &mut identified.0 {
        let number = read_field(input, 8)?;
        *place = Point::new(number);
        if place.is_none() && number != CAPTURED {
            return Err(CodeError::NotAPoint { number });
        }
    }
    identified.position(turn)
}
