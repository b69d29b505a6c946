//! The tables of a segment that define its fields.

use super::cell::Cell;
use super::field::{Field, map_key, mapped_cell, note_keys};
use super::openings::Openings;
use super::plan::Plan;
use super::ranks::Ranks;
use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::forecast::{Forecast, ForecastError};
use crate::codec::ints;
use crate::limits::Limits;

/// The maximum number of fields of a segment.
const MOST_FIELDS: usize = 512;

/// Errors in tables of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A table is truncated or has trailing bytes.
    #[error(transparent)]
    Bits(#[from] BitsError),
    /// A table of distributions is invalid.
    #[error(transparent)]
    Forecast(#[from] ForecastError),
    /// The integers of a table are damaged, or a limit is reached.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// A plan, a map or a book is invalid.
    #[error("plan: {0}")]
    Invalid(&'static str),
}

/// Writes the plans of fields.
pub fn write_plans(fields: &[Field]) -> Vec<u8> {
    let mut out = Vec::new();
    for field in fields {
        put_varint(&mut out, field.columns.len() as u64);
        field
            .columns
            .iter()
            .for_each(|column| put_varint(&mut out, *column));
        field.plan.write(&mut out);
    }
    out
}

/// Reads the plans of fields. Their other tables are read by [`Field::read`].
///
/// # Errors
/// The bytes are damaged.
pub fn read_plans(bytes: &[u8]) -> Result<Vec<Field>, PlanError> {
    let mut input = ByteReader::new(bytes);
    let mut fields: Vec<Field> = Vec::new();
    while !input.is_empty() {
        let count = input.length()?;
        if !(1..=2).contains(&count) || fields.len() >= MOST_FIELDS {
            return Err(PlanError::Invalid("columns of a field, or too many fields"));
        }
        let columns = (0..count)
            .map(|_| input.varint())
            .collect::<Result<Vec<u64>, _>>()?;
        let plan = Plan::read(&mut input)?.ok_or(PlanError::Invalid("what there is not"))?;
        let mut others = plan.fields();
        if others.any(|other| other >= fields.len()) {
            return Err(PlanError::Invalid(
                "a field that is foreseen by a later one",
            ));
        }
        drop(others);
        fields.push(Field {
            columns,
            plan,
            ranks: Ranks::default(),
            map: Vec::new(),
            openings: Openings::default(),
            forecast: Forecast::default(),
            is_key: false,
        });
    }
    note_keys(&mut fields);
    Ok(fields)
}

/// The tables of a field other than its plan. An absent table is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct FieldTables<'a> {
    /// The distributions.
    pub forecast: &'a [u8],
    /// The ranks of its dictionary's entries.
    pub ranks: &'a [u8],
    /// The map.
    pub map: &'a [u8],
    /// The book of openings.
    pub openings: &'a [u8],
}

impl Field {
    /// Reads the tables of the field, whose dictionary has `entries` entries.
    /// Charges the memory that they need to the limit for tables.
    ///
    /// # Errors
    /// A table is damaged, or a limit is reached.
    pub fn read(
        &mut self,
        tables: FieldTables<'_>,
        entries: usize,
        limits: &mut Limits,
    ) -> Result<(), PlanError> {
        let families = self.plan.families(self.sides());
        take(limits, 8 * entries as u64)?;
        self.ranks = Ranks::read(tables.ranks, entries, limits)?;
        self.forecast = Forecast::read(tables.forecast, &families, limits)?;
        take(limits, self.forecast.grown_bytes())?;
        self.map = read_map(tables.map, &self.ranks, limits)?;
        if self.plan.follows {
            if self.sides() != 1 {
                return Err(PlanError::Invalid("a book of two columns"));
            }
            let book = Openings::read(tables.openings, limits)?;
            take(limits, 16 * book.positions() as u64)?;
            let value = |value| {
                let cell = unranked(mapped_cell(value), &self.ranks);
                map_key(cell.and_then(Cell::present)?)
            };
            let book = book.map(value);
            self.openings = book.ok_or(PlanError::Invalid("a value of a book"))?;
        }
        Ok(())
    }

    /// The encoded map; empty if the field has none.
    pub fn write_map(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.map.is_empty() {
            return out;
        }
        let mut next = 0;
        let mut gaps = Vec::new();
        let mut values = Vec::new();
        for (key, cell) in &self.map {
            gaps.push(key - next);
            next = key + 1;
            values.push(map_key(self.ranked(*cell)).unwrap_or(0));
        }
        put_varint(&mut out, gaps.len() as u64);
        put_bytes(&mut out, &ints::encode(&gaps));
        out.extend(ints::encode(&values));
        out
    }

    /// The encoded book of openings; empty if the field has none.
    pub fn write_openings(&self) -> Vec<u8> {
        if self.openings.positions() == 0 {
            return Vec::new();
        }
        let value = |value| map_key(self.ranked(mapped_cell(value)));
        let book = self.openings.map(value);
        book.map_or_else(Vec::new, |book| book.write())
    }

    /// Replaces an ID by its rank.
    fn ranked(&self, cell: Cell) -> Cell {
        match cell {
            Cell::Id(id) => Cell::Id(self.ranks.rank(id).unwrap_or(0)),
            cell => cell,
        }
    }
}

fn read_map(
    bytes: &[u8],
    ranks: &Ranks,
    limits: &mut Limits,
) -> Result<Vec<(u64, Cell)>, PlanError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let mut input = ByteReader::new(bytes);
    let count = input.length()?;
    take(limits, 40 * count as u64)?;
    let gaps = ints::decode(input.bytes()?, count, limits)?;
    let values = ints::decode(input.rest(), count, limits)?;
    let mut next = 0u64;
    let mut map = Vec::with_capacity(count);
    for (gap, value) in gaps.into_iter().zip(values) {
        let key = next.checked_add(gap).filter(|key| *key < u64::MAX);
        let key = key.ok_or(PlanError::Invalid("a key of a map"))?;
        next = key + 1;
        let cell = unranked(mapped_cell(value), ranks).and_then(Cell::present);
        map.push((key, cell.ok_or(PlanError::Invalid("a value of a map"))?));
    }
    Ok(map)
}

/// Replaces a rank by its ID; `None` if there is no such rank.
fn unranked(cell: Cell, ranks: &Ranks) -> Option<Cell> {
    match cell {
        Cell::Id(rank) => ranks.id(rank.into()).map(Cell::Id),
        cell => Some(cell),
    }
}

fn take(limits: &mut Limits, bytes: u64) -> Result<(), PlanError> {
    let left = limits.tables_bytes.checked_sub(bytes);
    limits.tables_bytes = left.ok_or(CodecError::Limit("tables of fields"))?;
    Ok(())
}
