//! The columns of a block: how they stand side by side, and the narrow door to
//! the codecs that press them.

use super::error::ContentError;
use super::registry::ColumnId;
use super::tables::SegmentTables;
use crate::bits::{BitsError, ByteReader, put_varint};
use crate::codec::dictionary::Ids;
use crate::codec::flat::Strings;
use crate::codec::{ints, strings};
use crate::limits::Limits;
use std::collections::BTreeMap;

/// Columns being written. A column in which every value is 0 or empty is left
/// out.
#[derive(Debug, Default)]
pub(super) struct ColumnWriter {
    columns: BTreeMap<ColumnId, Vec<u8>>,
}

impl ColumnWriter {
    pub(super) fn ints(&mut self, id: ColumnId, values: &[u64]) {
        if values.iter().any(|value| *value != 0) {
            self.columns.insert(id, ints::encode(values));
        }
    }

    pub(super) fn strings(&mut self, id: ColumnId, values: &[&[u8]], ids: Option<&Ids>) {
        if values.iter().any(|value| !value.is_empty()) {
            self.columns.insert(id, strings::encode(values, ids));
        }
    }

    pub(super) fn raw(&mut self, id: ColumnId, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.columns.insert(id, bytes);
        }
    }

    /// The block's bytes: the number of columns; of each its number, as the
    /// distance from the one before less 1, and its length; then the columns.
    pub(super) fn finish(self) -> Vec<u8> {
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

    /// What a column of integers takes, in bytes.
    pub(super) fn ints_bytes(values: &[u64]) -> usize {
        ints::encode(values).len()
    }

    /// What a column of strings takes, in bytes.
    pub(super) fn strings_bytes(values: &[&[u8]], ids: Option<&Ids>) -> usize {
        strings::encode(values, ids).len()
    }

    /// Sizes in bytes by column.
    pub(super) fn sizes(&self) -> BTreeMap<ColumnId, u64> {
        self.columns
            .iter()
            .map(|(id, column)| (*id, column.len() as u64))
            .collect()
    }
}

/// Columns being read.
#[derive(Debug)]
pub(super) struct ColumnReader<'a> {
    columns: BTreeMap<ColumnId, &'a [u8]>,
    limits: &'a Limits,
}

impl<'a> ColumnReader<'a> {
    pub(super) fn parse(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, ContentError> {
        let mut head = ByteReader::new(bytes);
        let mut entries = Vec::new();
        let mut next = 0u64;
        for _ in 0..head.varint()? {
            let id = next.checked_add(head.varint()?).ok_or(BitsError::Varint)?;
            entries.push((ColumnId(id), head.length()?));
            next = id.checked_add(1).ok_or(BitsError::Varint)?;
        }
        let mut columns = BTreeMap::new();
        for (id, len) in entries {
            columns.insert(id, head.take(len)?);
        }
        head.finish()?;
        Ok(ColumnReader { columns, limits })
    }

    pub(super) fn ints(&self, id: ColumnId, count: usize) -> Result<Vec<u64>, ContentError> {
        match self.columns.get(&id) {
            Some(bytes) => Ok(ints::decode(bytes, count, self.limits)?),
            None => Ok(vec![0; count]),
        }
    }

    /// A column of strings of at most `max_raw` bytes together.
    pub(super) fn strings(
        &self,
        id: ColumnId,
        count: usize,
        tables: &SegmentTables,
        max_raw: u64,
    ) -> Result<Strings, ContentError> {
        match self.columns.get(&id) {
            Some(bytes) => Ok(strings::decode(
                bytes,
                count,
                tables.dictionary(id),
                max_raw,
                self.limits,
            )?),
            None => {
                let mut empty = Strings::with_capacity(count);
                (0..count).for_each(|_| empty.push(b""));
                Ok(empty)
            }
        }
    }

    pub(super) fn raw(&self, id: ColumnId) -> &'a [u8] {
        self.columns.get(&id).copied().unwrap_or_default()
    }

    /// Sizes in bytes by column.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (ColumnId, u64)> {
        self.columns
            .iter()
            .map(|(id, column)| (*id, column.len() as u64))
    }
}
