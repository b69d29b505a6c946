//! A block of one record with tag pairs, for tests.

use crate::archive::block::OpenBlock;
use crate::archive::error::ContentError;
use crate::archive::schema::column_directory::ColumnWriter;
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::{LAYOUTS, ROSTERS, TAG_NAMES};
use crate::archive::tables::SegmentTables;
use crate::archive::tables::layouts::write_layouts;
use crate::archive::tables::names::write_names;
use crate::archive::tables::rosters::write_rosters;
use crate::archive::write::plain_columns::write_columns;
use crate::container::{BlockCounts, Tables};
use crate::limits::Limits;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The tables for a block of one record, whose tag names are in roster 1.
pub(super) struct OneRecord {
    rosters: Vec<Vec<u32>>,
    tables: Arc<SegmentTables>,
}

impl OneRecord {
    /// The raw size of the block, in bytes.
    pub(super) const RAW_BYTES: u32 = 200;

    pub(super) fn new(names: &[&[u8]], roster: &[u32]) -> OneRecord {
        let rosters = vec![Vec::new(), roster.to_vec()];
        let mut tables = Tables::default();
        for (kind, bytes) in [
            (TAG_NAMES, write_names(names)),
            (ROSTERS, write_rosters(&rosters)),
            (LAYOUTS, write_layouts(&[])),
        ] {
            tables.push(kind, 0, &bytes).expect("a table");
        }
        let tables =
            SegmentTables::parse(&tables, &|_| Ok(None), &Limits::default()).expect("tables");
        let tables = Arc::new(tables);
        OneRecord { rosters, tables }
    }

    pub(super) fn columns(&self, record: StoredRecord<'_>) -> ColumnWriter {
        write_columns(&[record], &self.rosters, &BTreeMap::new(), &|_| false)
    }

    /// Parses a block of these columns. Returns the values of the record's tag
    /// pairs.
    pub(super) fn values(&self, columns: ColumnWriter) -> Result<Vec<Vec<u8>>, ContentError> {
        let shape = BlockCounts {
            games: 0,
            records: 1,
            raw_bytes: Self::RAW_BYTES,
        };
        let block = OpenBlock::parse(columns.finish().as_block(), shape, &self.tables)?;
        let values = block.values(0)?.into_iter();
        let values = values.map(|(_, value)| value.into_owned()).collect();
        block.check()?;
        Ok(values)
    }
}
