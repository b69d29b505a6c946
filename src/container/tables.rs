//! The tables of a segment: a sorted list of byte strings in one section (spec/format.md,
//! “Tables”).

use std::ops::Range;

use super::error::{ContainerError, Damage, FilePlace};
use super::registry::{self, TableKind};
use super::section::{FRAME_BYTES, Section};
use super::segment_id::SegmentId;
use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};

/// The maximum number of tables of a segment. It bounds the memory for a list of empty
/// tables.
pub(super) const MAX_TABLE_COUNT: u64 = 1 << 16;

/// One table: its kind, its key, and its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table<'a> {
    /// The purpose of the table.
    pub kind: TableKind,
    /// The number that distinguishes tables of the same kind.
    pub key: u64,
    /// The content of the table.
    pub bytes: &'a [u8],
}

/// The tables of a segment, in ascending order of kind and key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tables {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    kind: TableKind,
    key: u64,
    range: Range<usize>,
}

impl Tables {
    /// Appends a table.
    ///
    /// # Errors
    /// Kind and key are not in ascending order, or there are too many tables.
    pub fn push(&mut self, kind: TableKind, key: u64, table: &[u8]) -> Result<(), ContainerError> {
        if !self.accepts(kind, key) {
            return Err(ContainerError::Misuse(
                "tables must rise in kind and key, and be at most 65536",
            ));
        }
        self.bytes.push(kind.0);
        put_varint(&mut self.bytes, key);
        put_bytes(&mut self.bytes, table);
        let end = self.bytes.len();
        let range = end - table.len()..end;
        self.entries.push(Entry { kind, key, range });
        Ok(())
    }

    fn accepts(&self, kind: TableKind, key: u64) -> bool {
        let rises = self
            .entries
            .last()
            .is_none_or(|last| (last.kind, last.key) < (kind, key));
        rises && (self.entries.len() as u64) < MAX_TABLE_COUNT
    }

    /// The table with this kind and key.
    pub fn get(&self, kind: TableKind, key: u64) -> Option<&[u8]> {
        let wanted = (kind, key);
        let found = self
            .entries
            .binary_search_by_key(&wanted, |entry| (entry.kind, entry.key));
        let entry = self.entries.get(found.ok()?)?;
        self.bytes.get(entry.range.clone())
    }

    /// All tables, in ascending order of kind and key.
    pub fn iter(&self) -> impl Iterator<Item = Table<'_>> {
        self.entries.iter().map(|entry| Table {
            kind: entry.kind,
            key: entry.key,
            bytes: self.bytes.get(entry.range.clone()).unwrap_or(&[]),
        })
    }

    /// The ID of a segment with these tables. Hashes all of them.
    pub fn id(&self) -> SegmentId {
        SegmentId::of(&self.bytes)
    }

    /// The bytes of the list before the first table of [`registry::FIRST_LARGE_TABLE_KIND`] or above.
    pub(super) fn head(&self) -> &[u8] {
        let mut entries = self.entries.iter();
        let before = entries.rfind(|entry| entry.kind < registry::FIRST_LARGE_TABLE_KIND);
        let end = before.map_or(0, |last| last.range.end);
        self.bytes.get(..end).unwrap_or_default()
    }

    /// The list: the payload of its section.
    pub(super) fn list(&self) -> &[u8] {
        &self.bytes
    }

    /// Size of the list in bytes.
    pub(super) fn list_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn parse(bytes: Vec<u8>, place: FilePlace) -> Result<Self, ContainerError> {
        let mut tables = Tables::default();
        let mut reader = ByteReader::new(&bytes);
        while !reader.is_empty() {
            let (kind, key, len) =
                entry_head(&mut reader).map_err(|error| place.decode_error(error))?;
            if !tables.accepts(kind, key) {
                return Err(place.invalid("tables that do not rise, or too many"));
            }
            let start = bytes.len() - reader.rest().len();
            reader
                .take(len)
                .map_err(|error| place.decode_error(error))?;
            let range = start..start + len;
            tables.entries.push(Entry { kind, key, range });
        }
        tables.bytes = bytes;
        Ok(tables)
    }
}

fn entry_head(reader: &mut ByteReader<'_>) -> Result<(TableKind, u64, usize), BitsError> {
    Ok((TableKind(reader.u8()?), reader.varint()?, reader.length()?))
}

/// Size of the section that holds a list of `list_bytes` bytes.
pub(super) fn section_bytes(list_bytes: u64) -> Option<u64> {
    list_bytes.checked_add(FRAME_BYTES)
}

/// Reads the tables of a section with this ID.
pub(super) fn open(
    section: &Section,
    id: SegmentId,
    place: FilePlace,
) -> Result<Tables, ContainerError> {
    let list = section.payload();
    let found = SegmentId::of(list);
    if found != id {
        return Err(place.damaged(Damage::ForeignTables {
            expected: id,
            found,
        }));
    }
    Tables::parse(list.to_vec(), place)
}

#[cfg(test)]
mod tests {
    use super::super::error::FilePart;
    use super::super::section;
    use super::*;

    const PLACE: FilePlace = FilePlace {
        part: FilePart::Tables,
        offset: 80,
    };

    fn sample() -> Tables {
        let mut tables = Tables::default();
        tables.push(TableKind(1), 0, b"ab").unwrap();
        tables.push(TableKind(1), 300, b"").unwrap();
        tables.push(TableKind(2), 0, &[7; 700]).unwrap();
        tables
    }

    fn section(tables: &Tables) -> Section {
        let bytes = section::encode(registry::TABLES, tables.list());
        Section::check(bytes, PLACE).unwrap()
    }

    #[test]
    fn golden_bytes() {
        let mut tables = Tables::default();
        tables.push(TableKind(1), 0, b"ab").unwrap();
        tables.push(TableKind(2), 300, b"").unwrap();
        let list = [
            1, 0, 2, b'a', b'b', // kind 1, key 0, two bytes
            2, 0xac, 0x02, 0, // kind 2, key 300, no bytes
        ];
        assert_eq!(section(&tables).payload(), list);
        assert_eq!(tables.id(), SegmentId::of(&list));
        assert_eq!(tables.id().to_string().len(), 16);
    }

    #[test]
    fn tables_round_trip() {
        let tables = sample();
        let opened = open(&section(&tables), tables.id(), PLACE).unwrap();
        assert_eq!(opened, tables);
        assert_eq!(opened.get(TableKind(1), 300), Some(&b""[..]));
        assert_eq!(opened.get(TableKind(2), 0), Some(&[7; 700][..]));
        assert_eq!(opened.get(TableKind(2), 1), None);
        assert_eq!(opened.iter().count(), 3);
    }

    #[test]
    fn foreign_tables_are_refused() {
        let error = open(&section(&sample()), SegmentId([0; 8]), PLACE);
        assert!(matches!(
            error,
            Err(ContainerError::Damaged {
                damage: Damage::ForeignTables { .. },
                ..
            })
        ));
    }

    #[test]
    fn tables_must_rise() {
        let mut tables = sample();
        assert!(tables.push(TableKind(2), 0, b"").is_err());
        assert!(tables.push(TableKind(1), 900, b"").is_err());
        let twice = [[1, 0, 0], [1, 0, 0]].concat();
        assert!(Tables::parse(twice, PLACE).is_err());
        assert!(Tables::parse(vec![1, 0, 5, b'x'], PLACE).is_err());
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn too_many_tables_are_refused() {
        let mut list = Vec::new();
        for key in 0..=MAX_TABLE_COUNT {
            list.push(1);
            put_varint(&mut list, key);
            list.push(0);
        }
        assert!(Tables::parse(list.clone(), PLACE).is_err());
        list.truncate(list.len() - 5);
        assert!(Tables::parse(list, PLACE).is_ok());
    }
}
