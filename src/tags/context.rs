//! Context classes of values and differences.

use super::cell::Cell;
use super::field::Field;
use super::plan::Context;
use super::ranks::Ranks;
use super::shape::Shape;
use super::sheet::Sheet;

/// The class of numbers and ranks from this one on.
const MOST: u64 = 13;
const OPENING: u32 = 0;
const LITERAL: u32 = 14;
const NONE: u32 = 15;
/// The unit of differences.
const STEP: u64 = 16;

/// The operands of a context, resolved for a block.
#[derive(Clone, Copy)]
pub(super) enum Classes<'a> {
    /// No context: one class.
    One,
    /// The value of a source, by the side that is being coded.
    Of([&'a [Cell]; 2], &'a Ranks),
    /// The difference of the two sides of a field.
    Difference([&'a [Cell]; 2], &'a Shape),
}

impl<'a> Classes<'a> {
    pub(super) fn new(
        context: Option<Context>,
        fields: &'a [Field],
        sheet: &Sheet<'a>,
    ) -> Classes<'a> {
        let classes = match context {
            None => Some(Classes::One),
            Some(Context::Of(source)) => fields
                .get(source.field)
                .map(|field| Classes::Of(sheet.cells(source), &field.ranks)),
            Some(Context::Difference(number)) => fields
                .get(number)
                .map(|field| Classes::Difference(sheet.sides(number), &field.plan.shape)),
        };
        // Plans refer only to earlier fields, so the field exists.
        classes.unwrap_or(Classes::One)
    }

    /// The class of the context for a value of this side and record, below 16.
    #[inline]
    pub(super) fn class(&self, side: usize, record: usize) -> u32 {
        match self {
            Classes::One => 0,
            Classes::Of(cells, ranks) => match cell(cells, side, record) {
                Cell::Absent => NONE,
                Cell::Opening => OPENING,
                Cell::Literal(_) => LITERAL,
                Cell::Number(number) => low(number),
                Cell::Id(id) => low(ranks.rank(id).map_or(MOST, u64::from)),
            },
            Classes::Difference(cells, shape) => {
                difference(cells, shape, side, record).unwrap_or(NONE)
            }
        }
    }
}

/// The cell of a side and a record.
#[inline]
pub(super) fn cell(cells: &[&[Cell]; 2], side: usize, record: usize) -> Cell {
    let cells = cells.get(side).and_then(|cells| cells.get(record));
    cells.copied().unwrap_or_default()
}

fn low(number: u64) -> u32 {
    u32::try_from(number.min(MOST)).unwrap_or(NONE)
}

/// The class of a difference d, the own value less the other: 7 + w, or 6 − w
/// if d is negative, where w is the number of bits of |d| / [`STEP`], at most
/// 6.
fn difference(cells: &[&[Cell]; 2], shape: &Shape, side: usize, record: usize) -> Option<u32> {
    let value = |side| match cell(cells, side, record) {
        Cell::Number(number) => Some(shape.value(number)),
        _ => None,
    };
    let difference = value(side)? - value(1 - side.min(1))?;
    let steps = difference.unsigned_abs() / STEP;
    let much = (u64::BITS - steps.leading_zeros()).min(6);
    Some(if difference >= 0 { 7 + much } else { 6 - much })
}
