//! The values of a block in order of recency.

use super::super::cell::Cell;
use super::super::latest::Latest;

/// The values in order of recency, the most recent last. A value that is moved
/// to the end leaves a gap, because scanning past gaps takes less time than
/// closing them.
#[derive(Debug, Default)]
pub(super) struct Recent {
    /// An absent cell marks a gap.
    cells: Vec<Cell>,
    latest: Latest,
}

impl Recent {
    /// Creates a list for at most `values` values.
    pub(super) fn with_room(values: usize) -> Recent {
        Recent {
            cells: Vec::with_capacity(values),
            latest: Latest::with_room(values),
        }
    }

    /// The number of more recent values, or `None` if the value is not in the
    /// list.
    pub(super) fn depth(&self, cell: Cell) -> Option<usize> {
        self.latest_first().position(|(_, other)| other == cell)
    }

    /// Appends a value and removes its most recent occurrence.
    pub(super) fn renew(&mut self, cell: Cell) {
        let last = self.append(cell);
        self.take_out(last);
    }

    /// Moves the value at this depth to the end and returns it.
    pub(super) fn renew_at(&mut self, depth: usize) -> Option<Cell> {
        let (at, cell) = self.latest_first().nth(depth)?;
        self.append(cell);
        self.take_out(Some(at));
        Some(cell)
    }

    /// Appends a value and returns the index of its most recent occurrence, if
    /// any.
    pub(super) fn append(&mut self, cell: Cell) -> Option<usize> {
        let place = u32::try_from(self.cells.len() + 1).unwrap_or(0);
        let cells = &self.cells;
        let is_at = |place| position(place).and_then(|at| cells.get(at)) == Some(&cell);
        let last = self.latest.replace(cell, place, is_at);
        self.cells.push(cell);
        position(last)
    }

    fn take_out(&mut self, at: Option<usize>) {
        if let Some(place) = at.and_then(|at| self.cells.get_mut(at)) {
            *place = Cell::Absent;
        }
    }

    fn latest_first(&self) -> impl Iterator<Item = (usize, Cell)> {
        let cells = self.cells.iter().copied().enumerate().rev();
        cells.filter(|(_, cell)| *cell != Cell::Absent)
    }
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
            let mut recent = Recent::with_room(steps.len());
            let mut list: Vec<Cell> = Vec::new();
            for (step, value) in steps {
                let cell = Cell::Id(value);
                match step {
                    0 => {
                        let known = list.iter().rposition(|other| *other == cell);
                        known.map(|at| list.remove(at));
                        list.push(cell);
                        recent.renew(cell);
                    }
                    1 => {
                        let depth = value as usize;
                        let known = list.len().checked_sub(depth + 1);
                        let taken = known.map(|at| list.remove(at));
                        list.extend(taken);
                        prop_assert_eq!(recent.renew_at(depth), taken);
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
