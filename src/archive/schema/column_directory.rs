//! The packed bytes of a block, its tags and its movetext: each has a directory of its columns, and
//! the columns.

use crate::archive::error::ContentError;
use crate::archive::schema::registry::ColumnId;
use crate::bits::{BitsError, ByteReader, put_varint};
use crate::codec::dictionary::StringIds;
use crate::codec::{ints, strings};
use crate::container::PackedBlock;
use std::collections::BTreeMap;
use std::ops::Range;

/// Columns being written. A column whose values are all 0 or empty is left out.
#[derive(Debug, Default)]
pub(crate) struct ColumnWriter {
    columns: BTreeMap<ColumnId, Vec<u8>>,
}

impl ColumnWriter {
    pub(crate) fn ints(&mut self, id: ColumnId, values: &[u64]) {
        if values.iter().any(|value| *value != 0) {
            self.columns.insert(id, ints::encode(values));
        }
    }

    pub(crate) fn strings(&mut self, id: ColumnId, values: &[&[u8]], ids: Option<&StringIds>) {
        if values.iter().any(|value| !value.is_empty()) {
            self.columns.insert(id, strings::encode(values, ids));
        }
    }

    pub(crate) fn raw(&mut self, id: ColumnId, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.columns.insert(id, bytes);
        }
    }

    /// The packed bytes of the block.
    pub(crate) fn finish(self) -> PackedColumns {
        let (tags, movetext) = self
            .columns
            .into_iter()
            .partition(|(id, _)| id.is_of_tags());
        PackedColumns {
            tags: pack(&tags),
            movetext: pack(&movetext),
        }
    }

    /// The coded size of a column of integers, in bytes.
    pub(crate) fn ints_bytes(values: &[u64]) -> usize {
        ints::encode(values).len()
    }

    /// The coded size of a column of strings, in bytes.
    pub(crate) fn strings_bytes(values: &[&[u8]], ids: Option<&StringIds>) -> usize {
        strings::encode(values, ids).len()
    }

    /// The size of each column in bytes.
    pub(crate) fn sizes(&self) -> BTreeMap<ColumnId, u64> {
        self.columns
            .iter()
            .map(|(id, column)| (*id, column.len() as u64))
            .collect()
    }
}

/// Packs columns: their number; for each, its number, as the difference from the one before minus 1,
/// and its length; then the columns.
fn pack(columns: &BTreeMap<ColumnId, Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, columns.len() as u64);
    let mut next = 0;
    for (id, column) in columns {
        put_varint(&mut out, id.0 - next);
        put_varint(&mut out, column.len() as u64);
        next = id.0 + 1;
    }
    columns
        .values()
        .for_each(|column| out.extend_from_slice(column));
    out
}

/// The packed bytes of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PackedColumns {
    pub(crate) tags: Vec<u8>,
    pub(crate) movetext: Vec<u8>,
}

impl PackedColumns {
    pub(crate) fn as_block(&self) -> PackedBlock<'_> {
        PackedBlock {
            tags: &self.tags,
            movetext: &self.movetext,
        }
    }
}

/// The columns of the tags or of the movetext of a block.
#[derive(Debug, Default)]
pub(crate) struct ColumnDirectory {
    bytes: Vec<u8>,
    /// The ranges in `bytes`, by ascending column number.
    columns: Vec<(ColumnId, Range<usize>)>,
}

impl ColumnDirectory {
    /// Locates the columns of the tags of a block.
    pub(crate) fn of_tags(bytes: Vec<u8>) -> Result<Self, ContentError> {
        Self::parse(bytes, ColumnId::is_of_tags)
    }

    /// Locates the columns of the movetext of a block.
    pub(crate) fn of_movetext(bytes: Vec<u8>) -> Result<Self, ContentError> {
        Self::parse(bytes, |id| !id.is_of_tags())
    }

    fn parse(bytes: Vec<u8>, belongs: impl Fn(ColumnId) -> bool) -> Result<Self, ContentError> {
        let mut head = ByteReader::new(&bytes);
        let mut entries = Vec::new();
        let mut next = 0u64;
        for _ in 0..head.varint()? {
            let id = next.checked_add(head.varint()?).ok_or(BitsError::Varint)?;
            if !belongs(ColumnId(id)) {
                return Err(ContentError::Invalid(
                    "a column in the wrong part of a block",
                ));
            }
            entries.push((ColumnId(id), head.length()?));
            next = id.checked_add(1).ok_or(BitsError::Varint)?;
        }
        let mut columns = Vec::with_capacity(entries.len());
        for (id, len) in entries {
            let start = bytes.len() - head.rest().len();
            head.take(len)?;
            columns.push((id, start..start + len));
        }
        head.finish()?;
        Ok(ColumnDirectory { bytes, columns })
    }

    /// The bytes of a column; empty if the block leaves it out.
    pub(crate) fn column(&self, id: ColumnId) -> &[u8] {
        let at = self.columns.binary_search_by_key(&id, |(id, _)| *id);
        let column = at.ok().and_then(|at| self.columns.get(at));
        column
            .and_then(|(_, range)| self.bytes.get(range.clone()))
            .unwrap_or_default()
    }

    pub(crate) fn columns(&self) -> impl Iterator<Item = ColumnId> {
        self.columns.iter().map(|(id, _)| *id)
    }

    /// The size of each column in bytes.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = (ColumnId, u64)> {
        let columns = self.columns.iter();
        columns.map(|(id, range)| (*id, range.len() as u64))
    }
}
