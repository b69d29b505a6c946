//! Writing the columns of a block that have no plan. The columns with plans are
//! written by `planned_columns`, prose by `prose_columns`.

use crate::archive::schema::column_directory::ColumnWriter;
use crate::archive::schema::columns::Values;
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::{COLUMNS, ColumnId, MOVE_BYTES, tag_column};
use crate::archive::schema::residual::{MoveLength, rate};
use crate::codec::dictionary::StringIds;
use std::collections::BTreeMap;

/// The columns of records, except for prose and columns that have plans. `rosters`
/// gives the tag names of each roster.
pub(crate) fn write_columns(
    records: &[StoredRecord<'_>],
    rosters: &[Vec<u32>],
    ids: &BTreeMap<ColumnId, StringIds>,
    is_planned: &dyn Fn(ColumnId) -> bool,
) -> ColumnWriter {
    let mut columns = ColumnWriter::default();
    let rate = match is_planned(MOVE_BYTES) {
        true => 0,
        false => cheaper_rate(records),
    };
    for column in COLUMNS.iter().filter(|column| !is_planned(column.id)) {
        let id = column.id;
        match column.values {
            Values::Predicted(value) => {
                columns.ints(id, &collect(records, |record| value(record, rate)));
            }
            Values::Integers(value) => columns.ints(id, &collect(records, value)),
            Values::Bits { value, .. } => columns.raw(id, collect(records, value).concat()),
            Values::Strings(value) => columns.strings(id, &collect(records, value), ids.get(&id)),
            Values::Optional(value) => {
                let values: Vec<&[u8]> = records.iter().filter_map(value).collect();
                columns.strings(id, &values, ids.get(&id));
            }
            Values::Prose(_) => {}
        }
    }
    write_tags(records, rosters, ids, is_planned, &mut columns);
    columns
}

fn collect<'r, 'a, T>(
    records: &'r [StoredRecord<'a>],
    value: impl Fn(&'r StoredRecord<'a>) -> T,
) -> Vec<T> {
    records.iter().map(value).collect()
}

/// The rate for the lengths of the moves: 0 if the lengths themselves take less space
/// than residuals and rates.
fn cheaper_rate(records: &[StoredRecord<'_>]) -> u64 {
    let lengths: Vec<MoveLength> = collect(records, StoredRecord::move_length);
    let size = |rate| {
        let values: Vec<u64> = lengths.iter().map(|length| length.encode(rate)).collect();
        ColumnWriter::ints_bytes(&values)
    };
    let rate = rate(&lengths);
    let rates = ColumnWriter::ints_bytes(&vec![rate; lengths.len()]);
    match size(rate) + rates < size(0) {
        true => rate,
        false => 0,
    }
}

fn write_tags(
    records: &[StoredRecord<'_>],
    rosters: &[Vec<u32>],
    ids: &BTreeMap<ColumnId, StringIds>,
    is_planned: &dyn Fn(ColumnId) -> bool,
    columns: &mut ColumnWriter,
) {
    let mut values: BTreeMap<ColumnId, Vec<&[u8]>> = BTreeMap::new();
    for record in records {
        let roster = usize::try_from(record.roster)
            .ok()
            .and_then(|roster| rosters.get(roster));
        for (name, value) in roster.into_iter().flatten().zip(&record.values) {
            values.entry(tag_column(*name)).or_default().push(value);
        }
    }
    values.retain(|column, _| !is_planned(*column));
    for (column, values) in values {
        columns.strings(column, &values, ids.get(&column));
    }
}
