//! The columns of the tags or of the movetext of a block, as they are stored.

use crate::archive::block::lazy_prefix::LazyPrefix;
use crate::archive::error::ContentError;
use crate::archive::schema::column_directory::ColumnDirectory;
use crate::archive::schema::columns::{ColumnId, tag_name};
use crate::archive::tables::SegmentTables;
use crate::codec::string_list::StringList;
use crate::columns::{FieldCells, FieldValue};
use std::fmt;

/// How the packed movetext of a block is read when it is first needed.
pub(crate) struct MovetextSource(Box<dyn Fn() -> Result<Vec<u8>, ContentError> + Send + Sync>);

impl MovetextSource {
    pub(crate) fn new(
        read: impl Fn() -> Result<Vec<u8>, ContentError> + Send + Sync + 'static,
    ) -> Self {
        MovetextSource(Box::new(read))
    }

    pub(super) fn read(&self) -> Result<Vec<u8>, ContentError> {
        (self.0)()
    }
}

impl fmt::Debug for MovetextSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("MovetextSource")
    }
}

/// The columns of the tags or of the movetext.
#[derive(Debug)]
pub(super) struct StoredColumns {
    pub(super) directory: ColumnDirectory,
    /// The columns without a plan, by ascending number.
    plain: Vec<PlainColumn>,
}

impl StoredColumns {
    pub(super) fn new(directory: ColumnDirectory, tables: &SegmentTables) -> Self {
        // Columns of unknown tag names are never read.
        let is_known = |id| tag_name(id).is_none_or(|name| tables.name(name).is_some());
        let plain = directory
            .columns()
            .filter(|id| tables.field_of(*id).is_none() && is_known(*id))
            .map(|id| PlainColumn {
                id,
                ints: LazyPrefix::default(),
                strings: LazyPrefix::default(),
            });
        StoredColumns {
            plain: plain.collect(),
            directory,
        }
    }

    /// A column without a plan; `None` if the block leaves it out.
    pub(super) fn plain(&self, id: ColumnId) -> Option<&PlainColumn> {
        let at = self.plain.binary_search_by_key(&id, |plain| plain.id);
        self.plain.get(at.ok()?)
    }
}

/// A column without a plan, decoded as integers or strings.
#[derive(Debug)]
pub(super) struct PlainColumn {
    id: ColumnId,
    pub(super) ints: LazyPrefix<Vec<u64>>,
    pub(super) strings: LazyPrefix<StringList>,
}

/// A column of integers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ints<'b> {
    /// A column that is left out: all values are 0.
    Zeros,
    Plain(&'b [u64]),
    Planned(&'b FieldCells),
}

impl Ints<'_> {
    /// The value of a record.
    pub(crate) fn get(&self, record: usize) -> u64 {
        match self {
            Ints::Zeros => 0,
            Ints::Plain(values) => values.get(record).copied().unwrap_or(0),
            Ints::Planned(sides) => match sides.cell(0, record) {
                FieldValue::Number(number) => number,
                _ => 0,
            },
        }
    }
}
