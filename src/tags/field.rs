//! A field of a segment with its tables.

use super::cell::Cell;
use super::openings::Openings;
use super::plan::Plan;
use super::ranks::Ranks;
use super::shape::NUMBERS;
use crate::codec::forecast::Forecast;

/// A field of a segment with its tables, ready to read or write columns.
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// The numbers of its columns, one or two.
    pub columns: Vec<u64>,
    /// How its values are coded.
    pub plan: Plan,
    /// The ranks of its dictionary's entries.
    pub ranks: Ranks,
    /// Its map: values by the keys of another field's values, in ascending order
    /// of keys.
    pub map: Vec<(u64, Cell)>,
    /// Its book of openings, whose values are coded like those of the map.
    pub openings: Openings,
    /// The distributions of its symbols.
    pub forecast: Forecast,
    /// Whether a later field refers to it by
    /// [`Predictor::Last`](super::plan::Predictor::Last).
    pub is_key: bool,
}

impl Field {
    /// The value of the map for a key.
    pub(super) fn mapped(&self, key: Cell) -> Option<Cell> {
        let key = map_key(key)?;
        let at = self.map.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.map.get(at).map(|(_, cell)| *cell)
    }

    /// The prediction of the book for a game with positions of these keys.
    pub fn opening(&self, keys: &[u32]) -> Option<Cell> {
        let value = self.openings.foresee(keys.iter().copied());
        value.map(mapped_cell)
    }

    /// The number of columns.
    pub fn sides(&self) -> usize {
        self.columns.len()
    }
}

/// Sets [`Field::is_key`] of all fields.
pub(super) fn note_keys(fields: &mut [Field]) {
    for number in 0..fields.len() {
        let is_key = fields.iter().any(|field| field.plan.asks_last_of(number));
        if let Some(field) = fields.get_mut(number) {
            field.is_key = is_key;
        }
    }
}

/// A value as a number, for maps and books: 0 for the opening, 2n + 2 for the
/// number n, 2i + 1 for the ID i. `None` for absent cells and literals.
pub(super) fn map_key(cell: Cell) -> Option<u64> {
    match cell {
        Cell::Opening => Some(0),
        Cell::Number(number) => number.checked_add(1)?.checked_mul(2),
        Cell::Id(id) => Some(2 * u64::from(id) + 1),
        Cell::Absent | Cell::Literal(_) => None,
    }
}

/// The inverse of [`map_key`]; absent if there is no such cell.
pub(super) fn mapped_cell(key: u64) -> Cell {
    match (key % 2, u32::try_from(key / 2), (key / 2).checked_sub(1)) {
        (1, Ok(id), _) => Cell::Id(id),
        (0, _, None) => Cell::Opening,
        (0, _, Some(number)) if number < NUMBERS => Cell::Number(number),
        _ => Cell::Absent,
    }
}
