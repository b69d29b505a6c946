//! Context classes of values and differences.

use super::block_cells::BlockCells;
use super::cell::FieldValue;
use super::field::Field;
use super::plan::CodingContext;
use super::ranks::Ranks;

/// The class of numbers and ranks from this one on.
const MAX_CLASS_VALUE: u64 = 13;
const OPENING: u32 = 0;
const LITERAL: u32 = 14;
const NONE: u32 = 15;
/// The unit of differences.
const DIFFERENCE_STEP: u64 = 16;

/// The operands of a context, resolved for a block.
#[derive(Clone, Copy)]
pub(super) enum ResolvedContext<'a> {
    /// No context: one class.
    One,
    /// The value of a source, by the side that is being coded.
    Of([&'a [FieldValue]; 2], &'a Ranks),
    /// The difference of the two sides of a field.
    Difference([&'a [FieldValue]; 2]),
}

impl<'a> ResolvedContext<'a> {
    pub(super) fn new(
        context: Option<CodingContext>,
        fields: &'a [Field],
        block_cells: &BlockCells<'a>,
    ) -> ResolvedContext<'a> {
        let classes = match context {
            None => Some(ResolvedContext::One),
            Some(CodingContext::Of(source)) => fields
                .get(source.field)
                .map(|field| ResolvedContext::Of(block_cells.cells(source), &field.ranks)),
            Some(CodingContext::Difference(number)) => {
                Some(ResolvedContext::Difference(block_cells.sides(number)))
            }
        };
        // Plans refer only to earlier fields, so the field exists.
        classes.unwrap_or(ResolvedContext::One)
    }

    /// The class of the context for a value of this side and record, below 16.
    #[inline]
    pub(super) fn class(&self, side: usize, record: usize) -> u32 {
        match self {
            ResolvedContext::One => 0,
            ResolvedContext::Of(cells, ranks) => match cell(cells, side, record) {
                FieldValue::Absent => NONE,
                FieldValue::Opening => OPENING,
                FieldValue::Literal(_) => LITERAL,
                FieldValue::Number(number) => value_class(number),
                FieldValue::Id(id) => {
                    value_class(ranks.rank(id).map_or(MAX_CLASS_VALUE, u64::from))
                }
            },
            ResolvedContext::Difference(cells) => {
                difference_class(cells, side, record).unwrap_or(NONE)
            }
        }
    }
}

/// The cell of a side and a record.
#[inline]
pub(super) fn cell(cells: &[&[FieldValue]; 2], side: usize, record: usize) -> FieldValue {
    let cells = cells.get(side).and_then(|cells| cells.get(record));
    cells.copied().unwrap_or_default()
}

fn value_class(number: u64) -> u32 {
    u32::try_from(number.min(MAX_CLASS_VALUE)).unwrap_or(NONE)
}

/// The class of a difference d, the own value less the other: 7 + w, or 6 − w
/// if d is negative, where w is the number of bits of |d| / [`DIFFERENCE_STEP`], at most
/// 6.
fn difference_class(cells: &[&[FieldValue]; 2], side: usize, record: usize) -> Option<u32> {
    let value = |side| match cell(cells, side, record) {
        FieldValue::Number(number) => Some(number.cast_signed()),
        _ => None,
    };
    let difference = value(side)? - value(1 - side.min(1))?;
    let steps = difference.unsigned_abs() / DIFFERENCE_STEP;
    let width = (u64::BITS - steps.leading_zeros()).min(6);
    Some(if difference >= 0 {
        7 + width
    } else {
        6 - width
    })
}
