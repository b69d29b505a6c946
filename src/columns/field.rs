//! A field of a segment with its tables.

use super::cell::FieldValue;
use super::openings::OpeningBook;
use super::plan::FieldPlan;
use super::ranks::Ranks;
use super::shape::NUMBER_BOUND;
use crate::codec::distributions::Distributions;

/// A field of a segment with its tables, ready to read or write columns.
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// The numbers of its columns, one or two.
    pub columns: Vec<u64>,
    /// How its values are coded.
    pub plan: FieldPlan,
    /// The ranks of its dictionary's entries.
    pub ranks: Ranks,
    /// Its map: values by the keys of another field's values, in ascending order
    /// of keys.
    pub map: Vec<(u64, FieldValue)>,
    /// Its book of openings, whose values are coded like those of the map.
    pub book: OpeningBook,
    /// The distributions of its symbols.
    pub distributions: Distributions,
    /// Whether a later field refers to it by
    /// [`ValuePredictor::Last`](super::plan::ValuePredictor::Last).
    pub is_link_key: bool,
}

impl Field {
    /// The value of the map for a key.
    pub(super) fn look_up_map(&self, key: FieldValue) -> Option<FieldValue> {
        let key = value_key(key)?;
        let at = self.map.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.map.get(at).map(|(_, cell)| *cell)
    }

    /// The prediction of the book for a game with positions of these keys.
    pub fn predict_from_book(&self, keys: &[u32]) -> Option<FieldValue> {
        let value = self.book.predict(keys);
        value.map(cell_of_key)
    }

    /// The number of columns.
    pub fn sides(&self) -> usize {
        self.columns.len()
    }
}

/// Sets [`Field::is_link_key`] of all fields.
pub(super) fn set_key_flags(fields: &mut [Field]) {
    for number in 0..fields.len() {
        let is_key = fields.iter().any(|field| field.plan.uses_last_of(number));
        if let Some(field) = fields.get_mut(number) {
            field.is_link_key = is_key;
        }
    }
}

/// A value as a number, for maps and books: 0 for the opening, 2n + 2 for the
/// number n, 2i + 1 for the ID i. `None` for absent cells and literals.
pub(super) fn value_key(cell: FieldValue) -> Option<u64> {
    match cell {
        FieldValue::Opening => Some(0),
        FieldValue::Number(number) => number.checked_add(1)?.checked_mul(2),
        FieldValue::Id(id) => Some(2 * u64::from(id) + 1),
        FieldValue::Absent | FieldValue::Literal(_) => None,
    }
}

/// The inverse of [`value_key`]; absent if there is no such cell.
pub(super) fn cell_of_key(key: u64) -> FieldValue {
    match (key % 2, u32::try_from(key / 2), (key / 2).checked_sub(1)) {
        (1, Ok(id), _) => FieldValue::Id(id),
        (0, _, None) => FieldValue::Opening,
        (0, _, Some(number)) if number < NUMBER_BOUND => FieldValue::Number(number),
        _ => FieldValue::Absent,
    }
}
