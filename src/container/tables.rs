//! The tables of a segment: a sorted list of byte strings in one protected
//! section (spec/format.md, “Tables”).

use std::ops::Range;

use super::error::{ContainerError, Damage, FilePlace};
use super::parity::{self, RepairedData, UnrepairableChunk};
use super::registry::{self, TableKind};
use super::section::{FRAME_BYTES, Section};
use super::segment_id::SegmentId;
use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};

/// The maximum number of tables of a segment. It bounds the memory for a list of empty
/// tables.
pub(super) const MAX_TABLE_COUNT: u64 = 1 << 16;

/// Bytes of the payload before the chunks: the length of the list.
pub(super) const LENGTH_BYTES: u64 = 8;

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
    parity::protected_bytes(list_bytes)?.checked_add(FRAME_BYTES + LENGTH_BYTES)
}

/// The payload of the tables section.
pub(super) fn encode(tables: &Tables) -> Vec<u8> {
    let mut payload = tables.list_bytes().to_le_bytes().to_vec();
    payload.extend_from_slice(&parity::protect(&tables.bytes));
    payload
}

/// Size of the list as its section states it. No checksum verifies it.
pub(super) fn stated_list_bytes(section: &[u8], place: FilePlace) -> Result<u64, ContainerError> {
    let mut reader = ByteReader::new(section);
    reader
        .array::<16>()
        .and_then(|_| reader.u64())
        .map_err(|error| place.decode_error(error))
}

/// Size of the list in a section of this size; the inverse of [`section_bytes`].
pub(super) fn list_bytes(section: u64) -> Option<u64> {
    let (mut min_bytes, mut max_bytes) = (0, section);
    while min_bytes < max_bytes {
        let middle = min_bytes + (max_bytes - min_bytes) / 2;
        match section_bytes(middle) {
            Some(bytes) if bytes < section => min_bytes = middle + 1,
            _ => max_bytes = middle,
        }
    }
    (section_bytes(min_bytes) == Some(section)).then_some(min_bytes)
}

/// Computes the segment ID from the tables of a section, repaired if necessary,
/// assuming that the list has `list_bytes` bytes. The blocks of the segment contain the
/// ID and so verify it.
pub(super) fn identify(
    bytes: &[u8],
    list_bytes: u64,
    place: FilePlace,
) -> Result<SegmentId, ContainerError> {
    repair(bytes, list_bytes, place).map(|mended| SegmentId::of(&mended.data))
}

/// The result of reading a tables section.
#[derive(Debug)]
pub(super) struct OpenedTables {
    pub(super) tables: Tables,
    /// The number of rebuilt chunks, if the section is damaged anywhere.
    pub(super) rebuilt_chunks: Option<u64>,
}

/// Reads a tables section whose list length and ID are known from the segment end. So
/// even a lost frame is repaired.
pub(super) fn open(
    bytes: Vec<u8>,
    list_bytes: u64,
    id: SegmentId,
    place: FilePlace,
) -> Result<OpenedTables, ContainerError> {
    let stated = stated_list_bytes(&bytes, place)?;
    let RepairedData { data, chunks } = repair(&bytes, list_bytes, place)?;
    let found = SegmentId::of(&data);
    if found != id {
        return Err(place.damaged(Damage::ForeignTables {
            expected: id,
            found,
        }));
    }
    let tables = Tables::parse(data, place)?;
    let frame = Section::check_critical(bytes, registry::TABLES, place);
    if frame.is_ok() {
        place.check_equal("length of the tables", list_bytes, stated)?;
    }
    let mended = (frame.is_err() || chunks > 0).then_some(chunks);
    Ok(OpenedTables {
        tables,
        rebuilt_chunks: mended,
    })
}

fn repair(bytes: &[u8], list_bytes: u64, place: FilePlace) -> Result<RepairedData, ContainerError> {
    let mut reader = ByteReader::new(bytes);
    reader
        .array::<{ 16 + 8 }>()
        .map_err(|error| place.decode_error(error))?;
    parity::repair(reader.rest(), list_bytes)
        .map_err(|UnrepairableChunk(chunk)| place.damaged(Damage::Unrepairable { chunk }))
}

#[cfg(test)]
mod tests {
    use super::super::error::FilePart;
    use super::super::section;
    use super::*;
    use crate::limits::Limits;

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

    fn section(tables: &Tables) -> Vec<u8> {
        section::encode(registry::TABLES, &encode(tables))
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn list_bytes_inverts_section_bytes() {
        let around = |border: u64| border.saturating_sub(40)..border + 40;
        let lists = (0..10_000).chain(around(1 << 20)).chain(around(2 << 20));
        for list in lists.chain(around(32 << 20)) {
            let section = section_bytes(list).unwrap();
            assert_eq!(super::list_bytes(section), Some(list));
        }
        for impossible in [0, 27, 29, 36, u64::MAX] {
            assert_eq!(super::list_bytes(impossible), None, "{impossible}");
        }
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
        let crc = crc32fast::hash(&list).to_le_bytes();
        let payload = [
            &[9, 0, 0, 0, 0, 0, 0, 0][..], // length of the list
            &list,
            &crc, // data chunk
            &list,
            &crc, // parity chunk of a group of one
        ];
        assert_eq!(encode(&tables), payload.concat());
        assert_eq!(tables.id(), SegmentId::of(&list));
        assert_eq!(tables.id().to_string().len(), 16);
    }

    #[test]
    fn tables_round_trip() {
        let tables = sample();
        let bytes = section(&tables);
        assert_eq!(section_bytes(tables.list_bytes()), Some(bytes.len() as u64));
        let opened = open(bytes, tables.list_bytes(), tables.id(), PLACE).unwrap();
        assert_eq!(opened.rebuilt_chunks, None);
        assert_eq!(opened.tables, tables);
        assert_eq!(opened.tables.get(TableKind(1), 300), Some(&b""[..]));
        assert_eq!(opened.tables.get(TableKind(2), 0), Some(&[7; 700][..]));
        assert_eq!(opened.tables.get(TableKind(2), 1), None);
        assert_eq!(opened.tables.iter().count(), 3);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn any_damaged_byte_is_repaired_and_reported() {
        let tables = sample();
        let whole = section(&tables);
        for index in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[index] ^= 0xff;
            let opened = open(bytes, tables.list_bytes(), tables.id(), PLACE).unwrap();
            assert!(opened.rebuilt_chunks.is_some(), "byte {index}");
            assert_eq!(opened.tables, tables, "byte {index}");
        }
    }

    #[test]
    fn foreign_tables_are_refused() {
        let tables = sample();
        let error = open(
            section(&tables),
            tables.list_bytes(),
            SegmentId([0; 8]),
            PLACE,
        );
        assert!(matches!(
            error,
            Err(ContainerError::Damaged {
                damage: Damage::ForeignTables { .. },
                ..
            })
        ));
    }

    #[test]
    fn a_wrong_length_is_refused() {
        let tables = sample();
        let mut payload = encode(&tables);
        payload[0] ^= 1;
        let bytes = section::encode(registry::TABLES, &payload);
        assert!(open(bytes, tables.list_bytes(), tables.id(), PLACE).is_err());
        let huge = Limits::default().tables_bytes;
        assert!(open(section(&tables), huge, tables.id(), PLACE).is_err());
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
