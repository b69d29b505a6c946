//! The cells of a block.

use super::cell::FieldValue;
use super::last_places::LastPlaces;
use super::plan::{ColumnSource, FieldSide};
use crate::codec::string_list::StringList;

/// The cells of a block, by field, as far as they are decoded.
#[derive(Debug, Clone, Default)]
pub struct BlockCells<'a> {
    fields: Vec<Option<&'a FieldCells>>,
}

/// The cells of a field's columns, as far as they are decoded.
#[derive(Debug, Clone, Default)]
pub struct FieldCells {
    /// The cells of each column, by record.
    pub(super) cells: [Vec<FieldValue>; 2],
    /// For each cell, the previous place of its value in the field; only for
    /// keys.
    links: Vec<[PreviousPlace; 2]>,
    /// The texts that are stored in the columns themselves.
    pub(super) literals: StringList,
}

/// The previous place of a value: a record and a side, or none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PreviousPlace(u32);

impl PreviousPlace {
    fn to(record: usize, side: usize) -> PreviousPlace {
        // A block has at most 2^12 records.
        PreviousPlace(u32::try_from(2 * record + side + 1).unwrap_or(0))
    }

    /// The record and the side, or `None`.
    pub(super) fn place(self) -> Option<(usize, usize)> {
        let place = usize::try_from(self.0.checked_sub(1)?).ok()?;
        Some((place / 2, place % 2))
    }
}

impl FieldCells {
    /// Cells of one column or two, by record, and their literals.
    pub fn new(cells: [Vec<FieldValue>; 2], literals: StringList) -> FieldCells {
        FieldCells {
            cells,
            links: Vec::new(),
            literals,
        }
    }

    /// The number of decoded records.
    pub fn len(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    /// Whether no record is decoded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell of a record; absent if it is not decoded.
    pub fn cell(&self, side: usize, record: usize) -> FieldValue {
        let cells = self.cells.get(side);
        cells
            .and_then(|cells| cells.get(record))
            .copied()
            .unwrap_or_default()
    }

    /// Whether all cells of the first column are numbers.
    pub fn are_numbers(&self) -> bool {
        let [first, _] = &self.cells;
        first
            .iter()
            .all(|cell| matches!(cell, FieldValue::Number(_)))
    }

    /// Whether a record has a value.
    pub fn has(&self, side: usize, record: usize) -> bool {
        self.cell(side, record) != FieldValue::Absent
    }

    /// The text of a literal.
    pub fn literal(&self, number: u32) -> Option<&[u8]> {
        self.literals.get(usize::try_from(number).ok()?)
    }

    /// The total size of the literals, in bytes.
    pub fn literal_bytes(&self) -> usize {
        self.literals.total_bytes()
    }

    /// For each record, the previous places of the values of both sides.
    pub(super) fn links(&self) -> &[[PreviousPlace; 2]] {
        &self.links
    }

    pub(super) fn link(&self, side: usize, record: usize) -> PreviousPlace {
        let links = self.links.get(record).and_then(|links| links.get(side));
        links.copied().unwrap_or_default()
    }

    /// Finds the previous place of each value.
    pub fn link_previous(&mut self) {
        let mut latest = LastPlaces::with_capacity(2 * self.len());
        let mut links = Vec::with_capacity(self.len());
        for record in 0..self.len() {
            links.push([0, 1].map(|side| {
                let cell = self.cell(side, record);
                let is_at = |place| {
                    let place = PreviousPlace(place).place();
                    place.is_some_and(|(record, side)| self.cell(side, record) == cell)
                };
                PreviousPlace(latest.replace(cell, PreviousPlace::to(record, side).0, is_at))
            }));
        }
        self.links = links;
    }
}

impl<'a> BlockCells<'a> {
    /// No cells of any field.
    pub fn new() -> BlockCells<'a> {
        BlockCells::default()
    }

    /// The cells of these fields, numbered from 0.
    pub fn of(fields: &'a [FieldCells]) -> BlockCells<'a> {
        BlockCells {
            fields: fields.iter().map(Some).collect(),
        }
    }

    /// The cells of a field, if they are set.
    pub fn field(&self, number: usize) -> Option<&'a FieldCells> {
        self.fields.get(number).copied().flatten()
    }

    /// Sets the cells of a field.
    pub fn set(&mut self, number: usize, sides: &'a FieldCells) {
        if number >= self.fields.len() {
            self.fields.resize(number + 1, None);
        }
        if let Some(field) = self.fields.get_mut(number) {
            *field = Some(sides);
        }
    }

    /// The cells of both sides of a field; empty if they are not set.
    pub(super) fn sides(&self, field: usize) -> [&'a [FieldValue]; 2] {
        let sides = self.field(field);
        sides.map_or([&[]; 2], |sides| sides.cells.each_ref().map(Vec::as_slice))
    }

    /// The cells of a source, for either side that is being coded.
    pub(super) fn cells(&self, source: ColumnSource) -> [&'a [FieldValue]; 2] {
        let [first, second] = self.sides(source.field);
        match source.side {
            FieldSide::First => [first; 2],
            FieldSide::Second => [second; 2],
            FieldSide::Own => [first, second],
        }
    }

    /// The cell of a source, for the side that is being coded.
    pub(super) fn cell(&self, source: ColumnSource, side: usize, record: usize) -> FieldValue {
        let cells = self.cells(source);
        let cell = cells.get(side).and_then(|cells| cells.get(record));
        cell.copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell() -> impl Strategy<Value = FieldValue> {
        prop_oneof![
            Just(FieldValue::Absent),
            Just(FieldValue::Opening),
            (0..3u32).prop_map(FieldValue::Literal),
            (0..20u32).prop_map(FieldValue::Id),
            (0..20u64).prop_map(FieldValue::Number),
        ]
    }

    /// The last place before this one, in order of records and sides, with an
    /// equal value.
    fn before(
        cells: &[(FieldValue, FieldValue)],
        side: usize,
        record: usize,
    ) -> Option<(usize, usize)> {
        let all = cells.iter().flat_map(|(first, second)| [*first, *second]);
        let all: Vec<FieldValue> = all.collect();
        let at = 2 * record + side;
        if matches!(all[at], FieldValue::Absent | FieldValue::Literal(_)) {
            return None;
        }
        let found = all[..at].iter().rposition(|cell| *cell == all[at])?;
        Some((found / 2, found % 2))
    }

    proptest! {
        #[test]
        fn links_refer_to_the_previous_place(
            cells in prop::collection::vec((cell(), cell()), 0..60),
        ) {
            let sides = [
                cells.iter().map(|(first, _)| *first).collect(),
                cells.iter().map(|(_, second)| *second).collect(),
            ];
            let mut sides = FieldCells::new(sides, StringList::default());
            sides.link_previous();
            for (side, record) in (0..2).flat_map(|s| (0..cells.len()).map(move |r| (s, r))) {
                prop_assert_eq!(sides.link(side, record).place(), before(&cells, side, record));
            }
        }
    }
}
