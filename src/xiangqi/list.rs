//! `xq-list`: the pieces on the board (`docs/xiangqi.md`, "xq-list").

use super::error::{CodeError, XiangqiEncodeError};
use super::field::read_field;
use super::identity::PiecePlaces;
use super::places::PIECES;
use super::{Point, XiangqiPosition, XiangqiSide};
use crate::bits::{BitReader, BitWriter};

const COUNT_BITS: u32 = 6;
const ID_BITS: u32 = 5;
const POINT_BITS: u32 = 7;

pub(super) fn write(
    position: &XiangqiPosition,
    out: &mut BitWriter,
) -> Result<(), XiangqiEncodeError> {
    let identified = PiecePlaces::of(position)?;
    let on_board = (0u64..).zip(identified.0);
    let on_board: Vec<(u64, Point)> = on_board
        .filter_map(|(id, place)| Some((id, place?)))
        .collect();
    out.push_bits(on_board.len() as u64, COUNT_BITS);
    for (id, point) in on_board {
        out.push_bits(id, ID_BITS);
        out.push_bits(point.number().into(), POINT_BITS);
    }
    Ok(())
}

pub(super) fn read(
    turn: XiangqiSide,
    input: &mut BitReader<'_>,
) -> Result<XiangqiPosition, CodeError> {
    let count = read_field(input, COUNT_BITS)?;
    if usize::from(count) > PIECES {
        return Err(CodeError::TooManyPieces { count });
    }
    let mut identified = PiecePlaces::none();
    let mut last = None;
    for _ in 0..count {
        let id = read_field(input, ID_BITS)?;
        if last >= Some(id) {
            return Err(CodeError::Order);
        }
        last = Some(id);
        let number = read_field(input, POINT_BITS)?;
        let point = Point::new(number).ok_or(CodeError::NotAPoint { number })?;
        if let Some(place) = identified.0.get_mut(usize::from(id)) {
            *place = Some(point);
        }
    }
    identified.position(turn)
}
