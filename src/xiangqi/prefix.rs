//! `xq-prefix`: for each piece the index of its place in its own list, as a
//! word of a uniform prefix code (`docs/xiangqi.md`, "xq-prefix").

use std::num::NonZeroU32;

use super::error::{CodeError, XiangqiEncodeError};
use super::identity::PiecePlaces;
use super::places::{PieceSquares, pieces, places};
use super::{XiangqiPosition, XiangqiSide};
use crate::bits::{BitReader, BitWriter};
use crate::codec::uniform::UniformCode;

pub(super) fn write(
    position: &XiangqiPosition,
    out: &mut BitWriter,
) -> Result<(), XiangqiEncodeError> {
    let identified = PiecePlaces::of(position)?;
    for ((piece, place), list) in pieces().zip(identified.0).zip(places()) {
        let number = (0u32..).zip(list).find(|(_, listed)| **listed == place);
        match (number, place) {
            (Some((number, _)), _) => UniformCode::Phased.write(number, symbols(list), out),
            (None, Some(point)) => return Err(XiangqiEncodeError::OutOfReach { piece, point }),
            // Every list contains the place of a captured piece.
            (None, None) => {}
        }
    }
    Ok(())
}

pub(super) fn read(
    turn: XiangqiSide,
    input: &mut BitReader<'_>,
) -> Result<XiangqiPosition, CodeError> {
    let mut identified = PiecePlaces::none();
    for (place, list) in identified.0.iter_mut().zip(places()) {
        let number = UniformCode::Phased.read(symbols(list), input)?;
        let listed = list.get(number as usize).copied();
        *place = listed.ok_or(CodeError::NotCanonical)?;
    }
    identified.position(turn)
}

/// The number of places of a list: captured, and one for each point.
fn symbols(list: &[PieceSquares]) -> NonZeroU32 {
    let points = list.iter().flatten();
    points.fold(NonZeroU32::MIN, |count, _| count.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::super::testing::position;
    use super::super::{XiangqiCode, XiangqiPosition};
    use super::*;

    /// The total of the shortest and of the longest words of all pieces, with
    /// the side to move. The scheme is often quoted with 139 to 167 bits, which
    /// counts 4 and 5 bits for the 48 places of a soldier.
    #[test]
    fn positions_take_149_to_177_bits() {
        let (mut least, mut most) = (1, 1);
        for list in places() {
            let count = symbols(list);
            assert_eq!(count.get() as usize, list.len());
            let lengths = (0..count.get()).map(|number| UniformCode::Phased.word(number, count));
            let lengths: Vec<u32> = lengths.map(|word| word.expect("a word").1).collect();
            least += lengths.iter().min().expect("a word");
            most += lengths.iter().max().expect("a word");
        }
        assert_eq!((least, most), (149, 177));
    }

    #[test]
    fn both_ends_of_the_range_occur() {
        let bits = |position: &XiangqiPosition| {
            XiangqiCode::Prefix
                .encode(position)
                .expect("bits")
                .bit_len()
        };
        assert_eq!(bits(&XiangqiPosition::start()), 149);
        let far = "PPPPP4/4a4/3ak4/NNRRCC3/9/9/3ccrrnn/4KA3/4A4/4ppppp";
        assert_eq!(bits(&position(far)), 177);
    }
}
