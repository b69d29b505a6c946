//! The packed bytes of a block: a directory of its columns, and access to their
//! codecs.

use crate::archive::error::ContentError;
use crate::archive::schema::registry::ColumnId;
use crate::bits::{BitsError, ByteReader, put_varint};
use crate::codec::dictionary::StringIds;
use crate::codec::{ints, strings};
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

    /// The bytes of the block: the number of columns; for each, its number, as
    /// the difference from the one before minus 1, and its length; then the
    /// columns.
    pub(crate) fn finish(self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.columns.len() as u64);
        let mut next = 0;
        for (id, column) in &self.columns {
            put_varint(&mut out, id.0 - next);
            put_varint(&mut out, column.len() as u64);
            next = id.0 + 1;
        }
        self.columns
            .values()
            .for_each(|column| out.extend_from_slice(column));
        out
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

/// The columns of a block.
#[derive(Debug)]
pub(crate) struct ColumnDirectory {
    bytes: Vec<u8>,
    /// The ranges in `bytes`, by ascending column number.
    columns: Vec<(ColumnId, Range<usize>)>,
}

impl ColumnDirectory {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, ContentError> {
        let mut head = ByteReader::new(bytes);
        let mut entries = Vec::new();
        let mut next = 0u64;
        for _ in 0..head.varint()? {
            let id = next.checked_add(head.varint()?).ok_or(BitsError::Varint)?;
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
        Ok(ColumnDirectory {
            bytes: bytes.to_vec(),
            columns,
        })
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
