//! Reading the tables of a segment: all of them, or their head, which are those before the large ones
//! (spec/format.md, “Tables”).

use super::error::{ContainerError, FilePart, FilePlace};
use super::parity;
use super::read_at::ReadAt;
use super::reader::{Container, Segment};
use super::registry;
use super::section::{FRAME_BYTES, HEAD_BYTES, SectionHead};
use super::segment_id::SegmentId;
use super::tables::{self, LENGTH_BYTES, Tables};
use super::warning::Warning;
use crate::bits::{BitsError, ByteReader};
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
    pub(super) const BYTES: u64 = 8 + 8 + 4;

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
        out.extend_from_slice(&self.list_bytes.to_le_bytes());
        out.extend_from_slice(&self.head_bytes.to_le_bytes());
        out.extend_from_slice(&self.head_crc.to_le_bytes());
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(TablesExtent {
            list_bytes: reader.u64()?,
            head_bytes: reader.u64()?,
            head_crc: reader.u32()?,
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
    /// Reads the tables of a segment, repaired if necessary.
    ///
    /// # Errors
    /// The tables are damaged beyond repair or belong to another segment.
    pub fn tables(&self, segment: &Segment) -> Result<(Tables, Option<Warning>), ContainerError> {
        self.tables_at(&segment.tables_place())
    }

    /// As [`Container::tables`], of the segment whose tables are at this place.
    ///
    /// # Errors
    /// As [`Container::tables`].
    pub fn tables_at(
        &self,
        tables: &TablesPlace,
    ) -> Result<(Tables, Option<Warning>), ContainerError> {
        let TablesPlace { offset, id, extent } = *tables;
        let place = tables.part();
        let bytes = self.input().read(place, tables.section_bytes())?;
        let opened = tables::open(bytes, extent.list_bytes, id, place)?;
        extent.check(&opened.tables, place)?;
        let warning = opened
            .rebuilt_chunks
            .map(|chunks| Warning::TablesRepaired { offset, chunks });
        Ok((opened.tables, warning))
    }

    /// Reads the head of the tables of a segment: those before the first one of
    /// [`registry::FIRST_LARGE_TABLE_KIND`] or above. If the head is damaged, all tables are read, and
    /// repaired if necessary.
    ///
    /// # Errors
    /// As [`Container::tables`].
    pub fn tables_head(&self, segment: &Segment) -> Result<TablesHead, ContainerError> {
        let place = segment.tables_place();
        match self.read_head(&place) {
            Ok(tables) => Ok(TablesHead {
                is_whole: !place.extent.has_rest(),
                tables,
                warning: None,
            }),
            Err(error) if error.is_loss() => {
                let (tables, warning) = self.tables_at(&place)?;
                Ok(TablesHead {
                    is_whole: true,
                    tables,
                    warning,
                })
            }
            Err(error) => Err(error),
        }
    }

    fn read_head(&self, tables: &TablesPlace) -> Result<Tables, ContainerError> {
        let TablesExtent {
            list_bytes,
            head_bytes,
            head_crc,
        } = tables.extent;
        let place = tables.part();
        let needed = parity::prefix_bytes(list_bytes, head_bytes);
        let needed = needed.saturating_add(HEAD_BYTES + LENGTH_BYTES);
        let bytes = self.input().read(place, needed)?;
        let mut reader = ByteReader::new(&bytes);
        let (head, stated) =
            section_fields(&mut reader).map_err(|error| place.decode_error(error))?;
        let payload_bytes = tables.section_bytes().saturating_sub(FRAME_BYTES);
        if head != SectionHead::critical(registry::TABLES, payload_bytes).encode() {
            return Err(place.invalid("the section is not that of the tables"));
        }
        place.check_equal("length of the tables", list_bytes, stated)?;
        let list = parity::prefix(reader.rest(), list_bytes, head_bytes);
        let list = list.ok_or_else(|| place.invalid("the tables end early"))?;
        place.checksum(head_crc, crc32fast::hash(&list))?;
        let tables = Tables::parse(list, place)?;
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
    /// A warning if tables had to be repaired.
    pub warning: Option<Warning>,
}

/// The head of the section, and the length of the list.
fn section_fields(reader: &mut ByteReader<'_>) -> Result<([u8; 16], u64), BitsError> {
    Ok((reader.array()?, reader.u64()?))
}
