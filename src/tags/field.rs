//! A field of a segment as a reader or writer has it ready.

use super::cell::Cell;
use super::openings::Openings;
use super::plan::Plan;
use super::ranks::Ranks;
use super::shape::NUMBERS;
use crate::codec::forecast::Forecast;

/// A field of a segment, ready for use.
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// The numbers of its columns, one or two.
    pub columns: Vec<u64>,
    /// How its values are told.
    pub plan: Plan,
    /// The ranks of its dictionary's entries.
    pub ranks: Ranks,
    /// What its map has for values of another field, in rising order of those.
    pub map: Vec<(u64, Cell)>,
    /// The positions from which its values follow, as a map counts these.
    pub openings: Openings,
    /// The distributions of its symbols.
    pub forecast: Forecast,
    /// Whether later fields ask for what stood beside its values last.
    pub is_key: bool,
}

impl Field {
    /// What the map has for a value.
    pub(super) fn mapped(&self, key: Cell) -> Option<Cell> {
        let key = map_key(key)?;
        let at = self.map.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.map.get(at).map(|(_, cell)| *cell)
    }

    /// What follows from a game with positions of these keys.
    pub fn opening(&self, keys: &[u32]) -> Option<Cell> {
        let value = self.openings.foresee(keys.iter().copied());
        value.map(mapped_cell)
    }

    /// How many columns it has.
    pub fn sides(&self) -> usize {
        self.columns.len()
    }
}

/// Notes which fields others ask for what stood beside their values last.
pub(super) fn note_keys(fields: &mut [Field]) {
    for number in 0..fields.len() {
        let is_key = fields.iter().any(|field| field.plan.asks_last_of(number));
        if let Some(field) = fields.get_mut(number) {
            field.is_key = is_key;
        }
    }
}

/// A value as a map counts it: 0 follows from the opening, other numbers are even,
/// IDs odd.
pub(super) fn map_key(cell: Cell) -> Option<u64> {
    match cell {
        Cell::Opening => Some(0),
        Cell::Number(number) => number.checked_add(1)?.checked_mul(2),
        Cell::Id(id) => Some(2 * u64::from(id) + 1),
        Cell::Absent | Cell::Literal(_) => None,
    }
}

/// The cell that a map counts as this; absent if none is.
pub(super) fn mapped_cell(key: u64) -> Cell {
    match (key % 2, u32::try_from(key / 2), (key / 2).checked_sub(1)) {
        (1, Ok(id), _) => Cell::Id(id),
        (0, _, None) => Cell::Opening,
        (0, _, Some(number)) if number < NUMBERS => Cell::Number(number),
        _ => Cell::Absent,
    }
}
