//! Reading the tables of a segment: all of them, or their head, which are those before the large ones
//! (spec/format.md, “Tables”).

use super::error::{ContainerError, FilePart, FilePlace};
use super::read_at::ReadAt;
use super::reader::{Container, Segment};
use super::registry;
use super::section::{HEAD_BYTES, Section, SectionHead};
use super::segment_id::SegmentId;
use super::tables::{self, Tables};
use crate::bits::{BitsError, ByteReader, put_varint};
use std::ops::Range;

/// What the end of a segment states of the list of tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TablesExtent {
    /// Size of the list in bytes.
    pub(super) list_bytes: u64,
    /// Size of its head in bytes.
    pub(super) head_bytes: u64,
    /// The CRC-32 of the head.
    pub(super) head_crc: u32,
}

impl TablesExtent {
    /// The extent of these tables.
    pub(super) fn of(tables: &Tables) -> Self {
        let head = tables.head();
        TablesExtent {
            list_bytes: tables.list_bytes(),
            head_bytes: head.len() as u64,
            head_crc: crc32fast::hash(head),
        }
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head_crc.to_le_bytes());
        put_varint(out, self.list_bytes);
        put_varint(out, self.head_bytes);
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(TablesExtent {
            head_crc: reader.u32()?,
            list_bytes: reader.varint()?,
            head_bytes: reader.varint()?,
        })
    }

    /// Whether the list has more than its head.
    pub(super) fn has_rest(&self) -> bool {
        self.head_bytes < self.list_bytes
    }

    /// Checks that this is the extent of these tables.
    pub(super) fn check(&self, tables: &Tables, place: FilePlace) -> Result<(), ContainerError> {
        let found = TablesExtent::of(tables);
        place.check_equal("head of the tables", self.head_bytes, found.head_bytes)?;
        place.checksum(self.head_crc, found.head_crc)
    }
}

/// Where the tables of a segment are, and what its end states of them.
#[derive(Debug, Clone, Copy)]
pub struct TablesPlace {
    offset: u64,
    id: SegmentId,
    extent: TablesExtent,
}

impl TablesPlace {
    fn part(&self) -> FilePlace {
        FilePlace::new(FilePart::Tables, self.offset)
    }

    /// Size of the section of the tables in bytes.
    fn section_bytes(&self) -> u64 {
        tables::section_bytes(self.extent.list_bytes).unwrap_or(u64::MAX)
    }
}

impl Segment {
    /// Where the tables of the segment are.
    pub fn tables_place(&self) -> TablesPlace {
        TablesPlace {
            offset: self.entry().offset,
            id: self.index().id(),
            extent: self.index().tables(),
        }
    }
}

impl<S: ReadAt> Container<S> {
    /// Reads the tables of a segment.
    ///
    /// # Errors
    /// The tables are damaged or belong to another segment.
    pub fn tables(&self, segment: &Segment) -> Result<Tables, ContainerError> {
        self.tables_at(&segment.tables_place())
    }

    /// As [`Container::tables`], of the segment whose tables are at this place.
    ///
    /// # Errors
    /// As [`Container::tables`].
    pub fn tables_at(&self, tables: &TablesPlace) -> Result<Tables, ContainerError> {
        let TablesPlace { id, extent, .. } = *tables;
        let (place, bytes) = (tables.part(), tables.section_bytes());
        self.read_mended(place, bytes, || {
            let read = self.input().read(place, bytes)?;
            let section = Section::check_critical(read, registry::TABLES, place)?;
            let opened = tables::open(&section, id, place)?;
            extent.check(&opened, place)?;
            Ok(opened)
        })
    }

    /// Reads the head of the tables of a segment: those before the first one of
    /// [`registry::FIRST_LARGE_TABLE_KIND`] or above.
    ///
    /// # Errors
    /// As [`Container::tables`].
    pub fn tables_head(&self, segment: &Segment) -> Result<TablesHead, ContainerError> {
        let place = segment.tables_place();
        let bytes = place.extent.head_bytes.saturating_add(HEAD_BYTES);
        let tables = self.read_mended(place.part(), bytes, || self.read_head(&place));
        Ok(TablesHead {
            is_whole: !place.extent.has_rest(),
            tables: tables?,
        })
    }

    fn read_head(&self, tables: &TablesPlace) -> Result<Tables, ContainerError> {
        let TablesExtent {
            list_bytes,
            head_bytes,
            head_crc,
        } = tables.extent;
        let place = tables.part();
        let needed = head_bytes.saturating_add(HEAD_BYTES);
        let bytes = self.input().read(place, needed)?;
        let head = SectionHead::critical(registry::TABLES, list_bytes).encode();
        let list = bytes.strip_prefix(&head[..]);
        let list = list.ok_or_else(|| place.invalid("the section is not that of the tables"))?;
        place.checksum(head_crc, crc32fast::hash(list))?;
        let tables = Tables::parse(list.to_vec(), place)?;
        let found = tables.head().len() as u64;
        place.check_equal("head of the tables", head_bytes, found)?;
        Ok(tables)
    }

    /// The file range of the tables of a segment, if some of them are large.
    pub(super) fn large_tables(&self, segment: &Segment) -> Option<Range<u64>> {
        let place = segment.tables_place();
        let end = place.offset.saturating_add(place.section_bytes());
        place.extent.has_rest().then_some(place.offset..end)
    }
}

/// The head of the tables of a segment.
#[derive(Debug)]
pub struct TablesHead {
    /// The tables.
    pub tables: Tables,
    /// Whether these are all tables of the segment.
    pub is_whole: bool,
}
