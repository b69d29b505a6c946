//! The tables of a segment that define its fields.

use super::cell::FieldValue;
use super::field::{Field, cell_of_key, set_key_flags, value_key};
use super::openings::OpeningBook;
use super::plan::FieldPlan;
use super::ranks::Ranks;
use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};
use crate::codec::distributions::{DistributionError, Distributions};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;

/// The maximum number of fields of a segment.
const MAX_FIELDS: usize = 512;

/// Errors in tables of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A table is truncated or has trailing bytes.
    #[error(transparent)]
    Bits(#[from] BitsError),
    /// A table of distributions is invalid.
    #[error(transparent)]
    Distribution(#[from] DistributionError),
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
        if !(1..=2).contains(&count) || fields.len() >= MAX_FIELDS {
            return Err(PlanError::Invalid("columns of a field, or too many fields"));
        }
        let columns = (0..count)
            .map(|_| input.varint())
            .collect::<Result<Vec<u64>, _>>()?;
        let plan = FieldPlan::read(&mut input)?.ok_or(PlanError::Invalid("what there is not"))?;
        let mut others = plan.fields();
        if others.any(|other| other >= fields.len()) {
            return Err(PlanError::Invalid(
                "a field that is predicted from a later one",
            ));
        }
        drop(others);
        fields.push(Field {
            columns,
            plan,
            ranks: Ranks::default(),
            map: Vec::new(),
            book: OpeningBook::default(),
            distributions: Distributions::default(),
            is_link_key: false,
        });
    }
    set_key_flags(&mut fields);
    Ok(fields)
}

/// The tables of a field other than its plan. An absent table is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct FieldTables<'a> {
    /// The distributions.
    pub distributions: &'a [u8],
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
        reserve(limits, 16 * entries as u64)?;
        self.ranks = Ranks::read(tables.ranks, entries, limits)?;
        self.distributions = Distributions::read(tables.distributions, &families, limits)?;
        reserve(limits, self.distributions.memory_bytes())?;
        self.map = read_map(tables.map, &self.ranks, limits)?;
        if self.plan.has_book {
            if self.sides() != 1 {
                return Err(PlanError::Invalid("a book of two columns"));
            }
            let book = OpeningBook::read(tables.openings, limits)?;
            reserve(limits, 16 * book.positions() as u64)?;
            let value = |value| {
                let cell = with_id(cell_of_key(value), &self.ranks);
                value_key(cell.and_then(FieldValue::present)?)
            };
            let book = book.map(value);
            self.book = book.ok_or(PlanError::Invalid("a value of a book"))?;
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
            values.push(value_key(self.with_rank(*cell)).unwrap_or(0));
        }
        put_varint(&mut out, gaps.len() as u64);
        put_bytes(&mut out, &ints::encode_smallest(&gaps));
        out.extend(ints::encode_smallest(&values));
        out
    }

    /// The encoded book of openings; empty if the field has none.
    pub fn write_openings(&self) -> Vec<u8> {
        if self.book.positions() == 0 {
            return Vec::new();
        }
        let value = |value| value_key(self.with_rank(cell_of_key(value)));
        let book = self.book.map(value);
        book.map_or_else(Vec::new, |book| book.write())
    }

    /// Replaces an ID by its rank.
    fn with_rank(&self, cell: FieldValue) -> FieldValue {
        match cell {
            FieldValue::Id(id) => FieldValue::Id(self.ranks.rank(id).unwrap_or(0)),
            cell => cell,
        }
    }
}

fn read_map(
    bytes: &[u8],
    ranks: &Ranks,
    limits: &mut Limits,
) -> Result<Vec<(u64, FieldValue)>, PlanError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let mut input = ByteReader::new(bytes);
    let count = input.length()?;
    reserve(limits, 40 * count as u64)?;
    let gaps = ints::decode(input.bytes()?, count, limits)?;
    let values = ints::decode(input.rest(), count, limits)?;
    let mut next = 0u64;
    let mut map = Vec::with_capacity(count);
    for (gap, value) in gaps.into_iter().zip(values) {
        let key = next.checked_add(gap).filter(|key| *key < u64::MAX);
        let key = key.ok_or(PlanError::Invalid("a key of a map"))?;
        next = key + 1;
        let cell = with_id(cell_of_key(value), ranks).and_then(FieldValue::present);
        map.push((key, cell.ok_or(PlanError::Invalid("a value of a map"))?));
    }
    Ok(map)
}

/// Replaces a rank by its ID; `None` if there is no such rank.
fn with_id(cell: FieldValue, ranks: &Ranks) -> Option<FieldValue> {
    match cell {
        FieldValue::Id(rank) => ranks.id(rank.into()).map(FieldValue::Id),
        cell => Some(cell),
    }
}

fn reserve(limits: &mut Limits, bytes: u64) -> Result<(), PlanError> {
    let left = limits.tables_bytes.checked_sub(bytes);
    limits.tables_bytes = left.ok_or(CodecError::Limit("tables of fields"))?;
    Ok(())
}
