//! The values of a block in order of recency.

use super::super::cell::FieldValue;
use super::super::last_places::LastPlaces;

/// The values in order of recency, the most recent last. A value that is moved
/// to the end leaves a gap, because scanning past gaps takes less time than
/// closing them.
#[derive(Debug, Default)]
pub(super) struct RecencyList {
    /// An absent cell marks a gap.
    cells: Vec<FieldValue>,
    latest: LastPlaces,
}

impl RecencyList {
    /// Creates a list for at most `values` values.
    pub(super) fn with_capacity(values: usize) -> RecencyList {
        RecencyList {
            cells: Vec::with_capacity(values),
            latest: LastPlaces::with_capacity(values),
        }
    }

    /// The number of more recent values, or `None` if the value is not in the
    /// list.
    pub(super) fn depth(&self, cell: FieldValue) -> Option<usize> {
        let place = self
            .latest
            .find(cell, |place| is_at(&self.cells, cell, place));
        let last = position(place)?;
        let after = self.cells.get(last + 1..)?.iter();
        Some(after.filter(|cell| **cell != FieldValue::Absent).count())
    }

    /// Appends a value and removes its most recent occurrence.
    pub(super) fn move_to_end(&mut self, cell: FieldValue) {
        let last = self.append(cell);
        self.remove(last);
    }

    /// Moves the value at this depth to the end and returns it.
    pub(super) fn move_to_end_at(&mut self, depth: usize) -> Option<FieldValue> {
        let (at, cell) = self.most_recent_first().nth(depth)?;
        self.append(cell);
        self.remove(Some(at));
        Some(cell)
    }

    /// Appends a value and returns the index of its most recent occurrence, if
    /// any.
    pub(super) fn append(&mut self, cell: FieldValue) -> Option<usize> {
        let place = u32::try_from(self.cells.len() + 1).unwrap_or(0);
        let cells = &self.cells;
        let last = self
            .latest
            .replace(cell, place, |place| is_at(cells, cell, place));
        self.cells.push(cell);
        position(last)
    }

    fn remove(&mut self, at: Option<usize>) {
        if let Some(place) = at.and_then(|at| self.cells.get_mut(at)) {
            *place = FieldValue::Absent;
        }
    }

    fn most_recent_first(&self) -> impl Iterator<Item = (usize, FieldValue)> {
        let cells = self.cells.iter().copied().enumerate().rev();
        cells.filter(|(_, cell)| *cell != FieldValue::Absent)
    }
}

/// Whether a value is at a place of the table.
fn is_at(cells: &[FieldValue], cell: FieldValue, place: u32) -> bool {
    position(place).and_then(|at| cells.get(at)) == Some(&cell)
}

/// The index of a place of the table. Places count from 1.
fn position(place: u32) -> Option<usize> {
    usize::try_from(place.checked_sub(1)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The list behaves like a plain list with removal and appending.
        #[test]
        fn recent_values_are_a_list(steps in prop::collection::vec((0..3u8, 0..12u32), 0..200)) {
            let mut recent = RecencyList::with_capacity(steps.len());
            let mut list: Vec<FieldValue> = Vec::new();
            for (step, value) in steps {
                let cell = FieldValue::Id(value);
                match step {
                    0 => {
                        let known = list.iter().rposition(|other| *other == cell);
                        known.map(|at| list.remove(at));
                        list.push(cell);
                        recent.move_to_end(cell);
                    }
                    1 => {
                        let depth = value as usize;
                        let known = list.len().checked_sub(depth + 1);
                        let taken = known.map(|at| list.remove(at));
                        list.extend(taken);
                        prop_assert_eq!(recent.move_to_end_at(depth), taken);
                    }
                    _ => {
                        list.push(cell);
                        recent.append(cell);
                    }
                }
                let depth = list.iter().rev().position(|other| *other == cell);
                prop_assert_eq!(recent.depth(cell), depth);
            }
        }
    }
}
