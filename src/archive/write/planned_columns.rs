//! Writing the columns of a block that have plans. The plans of a segment's columns are
//! learned from its records before their blocks are written.

use crate::archive::schema::column_directory::ColumnWriter;
use crate::archive::schema::columns::{Values, predicted_columns};
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::{COLUMNS, ColumnId, tag_column, tag_name};
use crate::archive::schema::residual::rate;
use crate::archive::tables::openings::is_early;
use crate::archive::tables::plans::{planned_names, table_key, write_plan_tables};
use crate::archive::tables::rosters::NameTables;
use crate::codec::distributions::{DistributionError, Distributions, SymbolWriter};
use crate::codec::range::Encoder;
use crate::columns::{
    BlockCells, CodingInput, ColumnValue, Field, LearnedTables, SegmentColumn, SegmentColumns,
    block_cells, code_field, is_fully_predicted, learn_fields,
};
use crate::container::{ContainerError, Tables};
use crate::limits::Limits;
use std::collections::BTreeSet;
use std::ops::Range;

/// The plans of a segment's columns.
#[derive(Debug, Default)]
pub(crate) struct Plans<'a> {
    fields: Vec<Field>,
    learned: Vec<LearnedTables<'a>>,
    planned: BTreeSet<ColumnId>,
    /// All candidate columns, in the order of their indexes in a [`SegmentColumns`].
    columns: Vec<SegmentColumn>,
    /// The rate for coding the lengths of moves.
    rate: u64,
}

impl<'a> Plans<'a> {
    /// Learns the plans from the records of these blocks. `early` are the names
    /// whose values must be known before the moves.
    pub(crate) fn learn(
        records: &'a [StoredRecord<'_>],
        blocks: &[Range<usize>],
        names: NameTables<'_>,
        early: &BTreeSet<u32>,
        limits: &Limits,
    ) -> Plans<'a> {
        let lengths: Vec<_> = records.iter().map(StoredRecord::move_length).collect();
        let rate = rate(&lengths);
        let mut columns = columns(names);
        for column in &mut columns {
            let is_early =
                tag_name(ColumnId(column.number)).is_some_and(|name| early.contains(&name));
            column.may_use_book = column.may_use_book && !is_early;
        }
        let value = |column, record| value(&columns, names, records, rate, column, record);
        let keys: Vec<&[u32]> = records.iter().map(|record| &record.keys[..]).collect();
        let input = SegmentColumns {
            columns: &columns,
            blocks,
            keys: &keys,
            value,
        };
        let (fields, learned) = learn_fields(&input, limits);
        let planned = columns.iter().map(|column| ColumnId(column.number));
        Plans {
            planned: planned.collect(),
            fields,
            learned,
            rate,
            columns,
        }
    }

    /// Whether a column has a plan.
    pub(crate) fn has(&self, column: ColumnId) -> bool {
        self.planned.contains(&column)
    }

    /// The dictionaries of the fields.
    pub(crate) fn dictionaries(&self) -> impl Iterator<Item = (ColumnId, &[u8])> {
        let fields = self.fields.iter().zip(&self.learned);
        let fields = fields.filter(|(_, learned)| !learned.dictionary.is_empty());
        fields.map(|(field, learned)| (ColumnId(table_key(field)), learned.dictionary.as_slice()))
    }

    /// Writes the tables of the plans, except for dictionaries.
    pub(crate) fn write_tables(&self, tables: &mut Tables) -> Result<(), ContainerError> {
        write_plan_tables(&self.fields, &self.learned, tables)
    }

    /// Writes the columns of a block that have plans.
    pub(crate) fn write(
        &self,
        records: &[StoredRecord<'_>],
        names: NameTables<'_>,
        columns: &mut ColumnWriter,
    ) -> Result<(), DistributionError> {
        if self.fields.is_empty() {
            return Ok(());
        }
        let value =
            |column, record| value(&self.columns, names, records, self.rate, column, record);
        let whole = 0..records.len();
        let keys: Vec<&[u32]> = records.iter().map(|record| &record.keys[..]).collect();
        let input = SegmentColumns {
            keys: &keys,
            columns: &self.columns,
            blocks: std::slice::from_ref(&whole),
            value,
        };
        let cells = block_cells(&input, &self.fields, &self.learned, whole.clone());
        let all = BlockCells::of(&cells);
        for (number, (field, sides)) in self.fields.iter().zip(&cells).enumerate() {
            let before = self.fields.get(..number).unwrap_or_default();
            if is_fully_predicted(field, before, &all, sides) {
                continue;
            }
            let mut encoders: Vec<Encoder> = field.columns.iter().map(|_| Encoder::new()).collect();
            let distributions: &Distributions = &field.distributions;
            let mut writers: Vec<_> = encoders
                .iter_mut()
                .map(|encoder| SymbolWriter(distributions, encoder))
                .collect();
            let has = |side, record| sides.has(side, record);
            let given = CodingInput::for_writer(sides);
            code_field(field, before, &all, &mut writers, has, &given)?;
            for (column, encoder) in field.columns.iter().zip(encoders) {
                columns.raw(ColumnId(*column), encoder.finish());
            }
        }
        Ok(())
    }
}

/// The numbers of the columns that get plans.
pub(crate) fn planned_columns(names: NameTables<'_>) -> BTreeSet<ColumnId> {
    let columns = columns(names).into_iter();
    columns.map(|column| ColumnId(column.number)).collect()
}

/// The columns that get plans: all integer columns, and those of some tag names.
fn columns(names: NameTables<'_>) -> Vec<SegmentColumn> {
    let of_records = predicted_columns().map(|column| SegmentColumn {
        number: column.id.0,
        name: None,
        is_apart: column.id.is_of_tags(),
        may_use_book: false,
    });
    let of_tags = planned_names(names).map(|(number, name)| SegmentColumn {
        number: tag_column(number).0,
        name: Some(name.to_vec()),
        is_apart: true,
        may_use_book: !is_early(name),
    });
    of_records.chain(of_tags).collect()
}

/// The value of a record in a column; `column` and `record` are indexes. The predicted
/// columns are the first of [`COLUMNS`] and of `columns`.
fn value<'a>(
    columns: &[SegmentColumn],
    names: NameTables<'_>,
    records: &'a [StoredRecord<'_>],
    rate: u64,
    column: usize,
    record: usize,
) -> ColumnValue<'a> {
    let Some(record) = records.get(record) else {
        return ColumnValue::Absent;
    };
    if let Some(Values::Predicted(value)) = COLUMNS.get(column).map(|column| &column.values) {
        return ColumnValue::Number(value(record, rate));
    }
    let name = columns
        .get(column)
        .and_then(|column| tag_name(ColumnId(column.number)));
    let value = name.and_then(|name| {
        let mut roster = names.roster(record).iter();
        record.values.get(roster.position(|other| *other == name)?)
    });
    value.map_or(ColumnValue::Absent, |value| ColumnValue::Text(value))
}
