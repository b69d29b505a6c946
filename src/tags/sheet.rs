//! The cells of a block.

use super::cell::Cell;
use super::plan::{Side, Source};
use crate::codec::flat::Strings;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The cells of a block, by field, as far as they are known.
#[derive(Debug, Clone, Default)]
pub struct Sheet<'a> {
    fields: Vec<Option<&'a Sides>>,
}

/// The cells of a field's columns, as far as they are known.
#[derive(Debug, Clone, Default)]
pub struct Sides {
    /// Of each column, the cell of each record.
    pub(super) cells: [Vec<Cell>; 2],
    /// Of each cell, where its value stood last in the field; for keys only.
    links: Vec<[Link; 2]>,
    /// The texts that stand in the columns themselves.
    pub(super) literals: Strings,
}

/// Where a value stood last: a record and a side, or nowhere.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Link(u32);

impl Link {
    fn to(record: usize, side: usize) -> Link {
        // A block has at most 2^12 records.
        Link(u32::try_from(2 * record + side + 1).unwrap_or(0))
    }

    /// The record and the side.
    pub(super) fn place(self) -> Option<(usize, usize)> {
        let place = usize::try_from(self.0.checked_sub(1)?).ok()?;
        Some((place / 2, place % 2))
    }
}

impl Sides {
    /// Cells of each record of one column or two, and their literals.
    pub fn new(cells: [Vec<Cell>; 2], literals: Strings) -> Sides {
        Sides {
            cells,
            links: Vec::new(),
            literals,
        }
    }

    /// How many records are known.
    pub fn len(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    /// Whether no record is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell of a record.
    pub fn cell(&self, side: usize, record: usize) -> Cell {
        let cells = self.cells.get(side);
        cells
            .and_then(|cells| cells.get(record))
            .copied()
            .unwrap_or_default()
    }

    /// Whether a record has a value.
    pub fn has(&self, side: usize, record: usize) -> bool {
        self.cell(side, record) != Cell::Absent
    }

    /// The text of a literal.
    pub fn literal(&self, number: u32) -> Option<&[u8]> {
        self.literals.get(usize::try_from(number).ok()?)
    }

    /// What all literals take, in bytes.
    pub fn literal_bytes(&self) -> usize {
        self.literals.total_bytes()
    }

    pub(super) fn link(&self, side: usize, record: usize) -> Link {
        let links = self.links.get(record).and_then(|links| links.get(side));
        links.copied().unwrap_or_default()
    }

    /// Notes where each value stood last.
    pub fn link_up(&mut self) {
        let mut last: HashMap<Cell, Link, BuildHasherDefault<CellHasher>> = HashMap::default();
        self.links = (0..self.len())
            .map(|record| {
                [0, 1].map(|side| match self.cell(side, record) {
                    Cell::Absent | Cell::Literal(_) => Link::default(),
                    cell => last
                        .insert(cell, Link::to(record, side))
                        .unwrap_or_default(),
                })
            })
            .collect();
    }
}

impl<'a> Sheet<'a> {
    /// A sheet of which nothing is known.
    pub fn new() -> Sheet<'a> {
        Sheet::default()
    }

    /// A sheet of the first fields.
    pub fn of(fields: &'a [Sides]) -> Sheet<'a> {
        Sheet {
            fields: fields.iter().map(Some).collect(),
        }
    }

    /// What is known of a field.
    pub fn field(&self, number: usize) -> Option<&'a Sides> {
        self.fields.get(number).copied().flatten()
    }

    /// Sets what is known of a field.
    pub fn set(&mut self, number: usize, sides: &'a Sides) {
        if number >= self.fields.len() {
            self.fields.resize(number + 1, None);
        }
        if let Some(field) = self.fields.get_mut(number) {
            *field = Some(sides);
        }
    }

    /// The cell of a source, seen from a side.
    pub(super) fn cell(&self, source: Source, side: usize, record: usize) -> Cell {
        let side = match source.side {
            Side::First => 0,
            Side::Second => 1,
            Side::Same => side,
        };
        self.field(source.field)
            .map_or(Cell::Absent, |field| field.cell(side, record))
    }
}

/// Cells are few and need no hash that is safe from collisions: a block has at
/// most some thousands.
#[derive(Debug, Default)]
pub(super) struct CellHasher(u64);

impl Hasher for CellHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number.cast_unsigned() as u64);
    }
}
