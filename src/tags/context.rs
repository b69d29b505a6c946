//! Values and differences as classes, for contexts.

use super::cell::Cell;
use super::field::Field;
use super::plan::Context;
use super::sheet::Sheet;

/// The highest numbers and ranks share a class.
const MOST: u64 = 13;
const OPENING: u32 = 0;
const LITERAL: u32 = 14;
const NONE: u32 = 15;
/// Differences below this are alike.
const STEP: u64 = 16;

/// The class of a context for a value of this side and record, below 16.
pub(super) fn class(
    context: Context,
    fields: &[Field],
    sheet: &Sheet<'_>,
    side: usize,
    record: usize,
) -> u32 {
    match context {
        Context::Of(source) => {
            let ranks = fields.get(source.field).map(|field| &field.ranks);
            match sheet.cell(source, side, record) {
                Cell::Absent => NONE,
                Cell::Opening => OPENING,
                Cell::Literal(_) => LITERAL,
                Cell::Number(number) => low(number),
                Cell::Id(id) => {
                    let rank = ranks.and_then(|ranks| ranks.rank(id));
                    low(rank.map_or(MOST, u64::from))
                }
            }
        }
        Context::Difference(number) => {
            difference(number, fields, sheet, side, record).unwrap_or(NONE)
        }
    }
}

fn low(number: u64) -> u32 {
    u32::try_from(number.min(MOST)).unwrap_or(NONE)
}

/// 7 and up where the own value is not less, by the bits of how much.
fn difference(
    number: usize,
    fields: &[Field],
    sheet: &Sheet<'_>,
    side: usize,
    record: usize,
) -> Option<u32> {
    let shape = &fields.get(number)?.plan.shape;
    let values = sheet.field(number)?;
    let value = |side| match values.cell(side, record) {
        Cell::Number(number) => Some(shape.value(number)),
        _ => None,
    };
    let difference = value(side)? - value(1 - side.min(1))?;
    let steps = difference.unsigned_abs() / STEP;
    let much = (u64::BITS - steps.leading_zeros()).min(6);
    Some(if difference >= 0 { 7 + much } else { 6 - much })
}
