//! Writing the columns of prose of a block: comments and tails.

use crate::archive::schema::column_directory::ColumnWriter;
use crate::archive::schema::columns::Values;
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::{COLUMNS, ColumnId};
use crate::codec::strings;

/// The compressed columns of prose of a block. They depend on no dictionary and no
/// plan.
pub(crate) struct CompressedProse(Vec<(ColumnId, Vec<u8>)>);

impl CompressedProse {
    pub(crate) fn write(&self, columns: &mut ColumnWriter) {
        for (id, column) in &self.0 {
            columns.raw(*id, column.clone());
        }
    }
}

/// Compresses the prose of records with `compress`.
pub(crate) fn compress_prose(
    records: &[StoredRecord<'_>],
    compress: impl Fn(&[u8]) -> Vec<u8>,
) -> CompressedProse {
    let columns = COLUMNS.iter().filter_map(|column| {
        let Values::Prose(value) = column.values else {
            return None;
        };
        let values: Vec<&[u8]> = records.iter().map(value).collect();
        let is_empty = values.iter().all(|value| value.is_empty());
        let bytes = match is_empty {
            true => Vec::new(),
            false => strings::encode_with(&values, None, &compress),
        };
        Some((column.id, bytes))
    });
    CompressedProse(columns.collect())
}
