//! `xq-ranked`: the number of pieces of each kind and the sets of their points,
//! as one number (`docs/xiangqi.md`, "xq-ranked").

use std::num::NonZeroU32;

use super::error::{CodeError, XiangqiEncodeError};
use super::field::read_field;
use super::places::reach;
use super::{Point, XiangqiPiece, XiangqiPieceKind, XiangqiPosition, XiangqiSide};
use crate::bits::{BitReader, BitWriter};
use crate::codec::combinations::{binomial, rank, unrank};
use crate::codec::natural::Natural;

/// The number of bits of the number if all pieces are on the board. There are
/// fewer than 2^132 such boards.
const FULL_BITS: u32 = 132;

/// The order of the kinds in the number. Red's pieces of a kind precede
/// Black's.
const ORDER: [XiangqiPieceKind; 7] = [
    XiangqiPieceKind::General,
    XiangqiPieceKind::Adviser,
    XiangqiPieceKind::Elephant,
    XiangqiPieceKind::Soldier,
    XiangqiPieceKind::Chariot,
    XiangqiPieceKind::Horse,
    XiangqiPieceKind::Cannon,
];

fn order() -> impl Iterator<Item = XiangqiPiece> {
    let of_kind = |kind| XiangqiSide::BOTH.map(|side| XiangqiPiece { side, kind });
    ORDER.into_iter().flat_map(of_kind)
}

pub(super) fn write(
    position: &XiangqiPosition,
    out: &mut BitWriter,
) -> Result<(), XiangqiEncodeError> {
    let (counts, ranks) = digits(position)?;
    let is_full = order()
        .zip(&counts)
        .all(|(piece, (count, _))| u64::try_from(piece.kind.count()) == Ok(*count));
    let mut number = Natural::new();
    let counts = if is_full { Vec::new() } else { counts };
    for (digit, base) in counts.into_iter().chain(ranks).rev() {
        number.push(digit, base);
    }
    out.push_bit(is_full);
    if is_full {
        number.write(FULL_BITS, out);
        return Ok(());
    }
    let bytes = number.to_le_bytes();
    out.push_bits(bytes.len() as u64, 8);
    for byte in bytes {
        out.push_bits(byte.into(), 8);
    }
    Ok(())
}

/// A digit and its base.
type Digit = (u64, u64);

/// The number of pieces of each kind, and the ranks of the sets of their
/// points.
fn digits(position: &XiangqiPosition) -> Result<(Vec<Digit>, Vec<Digit>), XiangqiEncodeError> {
    let (mut counts, mut ranks) = (Vec::new(), Vec::new());
    let mut free = FreePoints::default();
    for piece in order() {
        let points: Vec<Point> = position.points_of(piece).collect();
        if points.len() > piece.kind.count() {
            return Err(XiangqiEncodeError::TooMany { piece });
        }
        let free_points = free.of(piece);
        let mut set = Vec::new();
        for point in &points {
            let number = (0u32..).zip(&free_points).find(|(_, free)| *free == point);
            let out_of_reach = XiangqiEncodeError::OutOfReach {
                piece,
                point: *point,
            };
            set.push(number.ok_or(out_of_reach)?.0);
        }
        counts.push((points.len() as u64, count_base(piece).get().into()));
        ranks.push((rank(&set), sets(free_points.len(), points.len())));
        free.take(points);
    }
    Ok((counts, ranks))
}

pub(super) fn read(
    turn: XiangqiSide,
    input: &mut BitReader<'_>,
) -> Result<XiangqiPosition, CodeError> {
    let is_full = input.read_bit()?;
    let mut number = match is_full {
        true => Natural::read(FULL_BITS, input)?,
        false => read_number(input)?,
    };
    let counts: Vec<u32> = order()
        .map(|piece| match is_full {
            true => to_u32(piece.kind.count()),
            false => number.pop(count_base(piece)),
        })
        .collect();
    let mut position = XiangqiPosition::empty(turn);
    let mut free = FreePoints::default();
    for (piece, count) in order().zip(counts) {
        let points = pop_set(&mut number, &free.of(piece), count)?;
        for point in &points {
            position.put(*point, Some(piece));
        }
        free.take(points);
    }
    match number.to_u64() {
        Some(0) => Ok(position),
        _ => Err(CodeError::Remainder),
    }
}

/// Reads a number in bytes, preceded by their count.
fn read_number(input: &mut BitReader<'_>) -> Result<Natural, CodeError> {
    let length = input.read_bits(8)?;
    let mut bytes = Vec::new();
    for _ in 0..length {
        bytes.push(read_field(input, 8)?);
    }
    Ok(Natural::from_le_bytes(&bytes))
}

/// Extracts the rank of a set of `count` free points from the number.
///
/// # Errors
/// There is no such set. This cannot happen, because a kind has more points
/// than the kinds before it can occupy.
fn pop_set(number: &mut Natural, free: &[Point], count: u32) -> Result<Vec<Point>, CodeError> {
    let sets = u32::try_from(sets(free.len(), count as usize)).ok();
    let sets = sets.and_then(NonZeroU32::new);
    let rank = number.pop(sets.ok_or(CodeError::NotCanonical)?);
    let set = unrank(rank.into(), to_u32(free.len()), count).ok_or(CodeError::NotCanonical)?;
    let point = |index: u32| free.get(index as usize).copied();
    let points = set.into_iter().map(point).collect::<Option<_>>();
    points.ok_or(CodeError::NotCanonical)
}

/// The number of sets of `count` free points.
fn sets(free: usize, count: usize) -> u64 {
    binomial(to_u32(free), to_u32(count))
}

/// The number of possible counts of a piece, from 0 to all of its kind.
fn count_base(piece: XiangqiPiece) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(to_u32(piece.kind.count()))
}

/// Converts a number of points or pieces, which is at most 90.
fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The points that are not occupied yet.
#[derive(Default)]
struct FreePoints {
    taken: Vec<Point>,
}

impl FreePoints {
    /// The free points in the reach of a piece, ascending.
    fn of(&self, piece: XiangqiPiece) -> Vec<Point> {
        let mut points = reach(piece);
        points.retain(|point| !self.taken.contains(point));
        points
    }

    fn take(&mut self, points: Vec<Point>) {
        self.taken.extend(points);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With all 32 pieces, a kind has the most sets if the kinds before it
    /// occupy as few of its points as possible.
    #[test]
    fn full_boards_fit_their_bits() {
        let mut bits = 0.0;
        let mut taken = 0;
        for piece in order() {
            let points = match piece.kind {
                XiangqiPieceKind::Chariot | XiangqiPieceKind::Horse | XiangqiPieceKind::Cannon => {
                    90 - taken
                }
                _ => reach(piece).len(),
            };
            bits += (binomial(to_u32(points), to_u32(piece.kind.count())) as f64).log2();
            taken += piece.kind.count();
        }
        assert!((bits - 131.34).abs() < 0.01, "{bits}");
    }

    /// The bases are never 0, so every digit can be folded.
    #[test]
    fn a_kind_always_fits() {
        let mut before = 0;
        for piece in order() {
            let others = match piece.kind {
                XiangqiPieceKind::General => 0,
                XiangqiPieceKind::Adviser => 1,
                XiangqiPieceKind::Elephant => 3,
                _ => before,
            };
            assert!(reach(piece).len() - others >= piece.kind.count(), "{piece}");
            before += piece.kind.count();
        }
    }
}
