//! The end of a segment and its block index (spec/format.md, “Segment end”).
//!
//! The sections of a segment are contiguous, so the index stores only sizes. Offsets
//! and first games are prefix sums.

mod entries;

use super::block::{self, BlockCounts, BlockHeader, TagsPlace};
use super::error::{ContainerError, Damage, FilePlace};
use super::read_tables::TablesExtent;
use super::registry::{self, CRITICAL};
use super::section::{self, SectionHead};
use super::segment_id::SegmentId;
use super::tables;
use crate::bits::{BitsError, ByteReader, put_varint};
use crate::limits::Limits;
pub use entries::{BlockEntry, SectionEntry, TagsSection};
use entries::{Fixed, put_block, put_section, read_block, read_section};

/// The least bytes of the payload before the entries: the ID, a CRC-32, and five numbers.
pub(super) const MIN_FIXED_BYTES: u64 = SegmentId::BYTES + 4 + 5;
/// The smallest size of an entry for a block, in bytes.
const MIN_BLOCK_BYTES: u64 = 13;
/// The smallest size of a block with its frame, in bytes.
const MIN_SECTION_BYTES: u64 = 39;
/// The smallest size of an entry for another section, in bytes.
const MIN_SECTION_ENTRY_BYTES: u64 = 10;

/// The block index: the blocks and other sections of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockIndex {
    id: SegmentId,
    tables: TablesExtent,
    groups: Vec<TagsSection>,
    blocks: Vec<BlockEntry>,
    /// The number of blocks in `groups`. Those that follow are of a group that has not ended.
    grouped: usize,
    sections: Vec<SectionEntry>,
    /// Offset of the next section from the segment's start, in bytes.
    next_offset: u64,
    games: u32,
    records: u32,
    raw_bytes: u64,
}

/// A sum that overflows, or an impossible count.
const INVALID_COUNTS: Damage = Damage::Invalid("counts or sizes that cannot be");

impl BlockIndex {
    /// An index without blocks, for a list of tables of this extent.
    pub(super) fn new(id: SegmentId, tables: TablesExtent) -> Result<Self, Damage> {
        if tables.head_bytes > tables.list_bytes {
            return Err(INVALID_COUNTS);
        }
        let section_bytes = tables::section_bytes(tables.list_bytes);
        Ok(BlockIndex {
            id,
            tables,
            groups: Vec::new(),
            blocks: Vec::new(),
            grouped: 0,
            sections: Vec::new(),
            next_offset: section_bytes.ok_or(INVALID_COUNTS)?,
            games: 0,
            records: 0,
            raw_bytes: 0,
        })
    }

    /// The header of the next block, if it has this shape, and tags of this size and checksum.
    pub(super) fn next_header(
        &self,
        shape: BlockCounts,
        tags_bytes: u32,
        tags_crc: u32,
    ) -> Result<BlockHeader, Damage> {
        let offset = match self.open_group().last() {
            Some(last) => last.tags.offset.checked_add(last.tags.bytes),
            None => Some(0),
        };
        Ok(BlockHeader {
            segment: self.id,
            first_game: self.games,
            raw_offset: self.raw_bytes,
            shape,
            tags: TagsPlace {
                offset: offset.ok_or(INVALID_COUNTS)?,
                bytes: tags_bytes,
                crc: tags_crc,
            },
        })
    }

    /// Whether a block of this shape, with tags of this size, can be appended.
    pub(super) fn check_block(&self, shape: BlockCounts, tags_bytes: u64) -> Result<(), Damage> {
        match shape.is_valid() && tags_bytes > 0 && self.sections.is_empty() {
            true => Ok(()),
            false => Err(INVALID_COUNTS),
        }
    }

    /// Appends a block with such a header. Its offsets are known when its group ends.
    pub(super) fn push_block(
        &mut self,
        header: &BlockHeader,
        payload_bytes: u32,
        crc: u32,
    ) -> Result<(), Damage> {
        let BlockHeader { shape, tags, .. } = *header;
        self.check_block(shape, tags.bytes.into())?;
        let games = self.games.checked_add(shape.games).ok_or(INVALID_COUNTS)?;
        let records = self.records.checked_add(shape.records);
        let records = records.ok_or(INVALID_COUNTS)?;
        let raw_bytes = self.raw_bytes.checked_add(shape.raw_bytes.into());
        let raw_bytes = raw_bytes.ok_or(INVALID_COUNTS)?;
        self.blocks.push(BlockEntry {
            offset: 0,
            tags_offset: 0,
            raw_offset: self.raw_bytes,
            first_game: self.games,
            shape,
            tags,
            payload_bytes,
            crc,
        });
        (self.games, self.records, self.raw_bytes) = (games, records, raw_bytes);
        Ok(())
    }

    /// Ends a group of blocks: those since the last group.
    pub(super) fn end_group(&mut self) -> Result<(), Damage> {
        let tags = self.open_group().iter();
        let tags_bytes: u64 = tags.map(|block| u64::from(block.tags.bytes)).sum();
        let section_bytes = tags_section_bytes(tags_bytes);
        let offset = self.next_offset;
        let first_tags = offset.checked_add(TAGS_OFFSET).ok_or(INVALID_COUNTS)?;
        let mut next = offset.checked_add(section_bytes).ok_or(INVALID_COUNTS)?;
        let group = self.blocks.get_mut(self.grouped..).unwrap_or_default();
        let blocks = u32::try_from(group.len()).map_err(|_| INVALID_COUNTS)?;
        if blocks == 0 {
            return Err(INVALID_COUNTS);
        }
        for block in group {
            block.offset = next;
            // Within the section, whose end does not overflow.
            block.tags_offset = first_tags.saturating_add(block.tags.offset.into());
            next = next
                .checked_add(block.section_bytes())
                .ok_or(INVALID_COUNTS)?;
        }
        self.groups.push(TagsSection {
            offset,
            bytes: section_bytes,
            first_block: self.grouped,
            blocks,
        });
        self.grouped = self.blocks.len();
        self.next_offset = next;
        Ok(())
    }

    /// The blocks since the last group ended.
    fn open_group(&self) -> &[BlockEntry] {
        self.blocks.get(self.grouped..).unwrap_or_default()
    }

    /// Appends a section that holds neither tables nor blocks. The last group must have ended.
    pub(super) fn push_section(&mut self, head: SectionHead, crc: u32) -> Result<(), Damage> {
        if !self.open_group().is_empty() {
            return Err(INVALID_COUNTS);
        }
        if registry::FIXED_PLACE_TYPES.contains(&head.section_type) {
            return Err(Damage::Invalid("a section out of its place"));
        }
        if !head.section_type.0.is_ascii() {
            return Err(Damage::Invalid("a section type that is not ASCII"));
        }
        let entry = SectionEntry {
            offset: self.next_offset,
            section_type: head.section_type,
            flags: head.flags,
            payload_bytes: head.payload_bytes,
            crc,
        };
        let size = entry.section_bytes().ok_or(INVALID_COUNTS)?;
        self.next_offset = self.next_offset.checked_add(size).ok_or(INVALID_COUNTS)?;
        self.sections.push(entry);
        Ok(())
    }

    /// The ID of the segment.
    pub fn id(&self) -> SegmentId {
        self.id
    }

    /// Size of the list of tables in bytes.
    pub fn tables_bytes(&self) -> u64 {
        self.tables.list_bytes
    }

    /// What the segment end states of the list of tables.
    pub(super) fn tables(&self) -> TablesExtent {
        self.tables
    }

    /// The sections of the tags of the blocks, in file order.
    pub fn tags(&self) -> &[TagsSection] {
        &self.groups
    }

    /// The blocks, in file order.
    pub fn blocks(&self) -> &[BlockEntry] {
        &self.blocks
    }

    /// The other sections, in file order.
    pub fn sections(&self) -> &[SectionEntry] {
        &self.sections
    }

    /// The number of games of the segment.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The number of records of the segment.
    pub fn records(&self) -> u32 {
        self.records
    }

    /// Size of the segment's text in bytes.
    pub fn raw_bytes(&self) -> u64 {
        self.raw_bytes
    }

    /// Offset of the segment end from the segment's start, in bytes.
    pub(super) fn end_offset(&self) -> u64 {
        self.next_offset
    }

    /// The block that holds a game of the segment, counted from 0.
    pub fn block_of_game(&self, game: u32) -> Option<usize> {
        if game >= self.games {
            return None;
        }
        let blocks_up_to = self
            .blocks
            .partition_point(|block| block.first_game <= game);
        blocks_up_to.checked_sub(1)
    }

    /// The header that the block of this entry must have.
    pub(super) fn header_of(&self, block: &BlockEntry) -> BlockHeader {
        BlockHeader {
            segment: self.id,
            first_game: block.first_game,
            raw_offset: block.raw_offset,
            shape: block.shape,
            tags: block.tags,
        }
    }

    /// Size of the header of a block in bytes.
    pub fn header_bytes(&self, block: &BlockEntry) -> u64 {
        self.header_of(block).encode().len() as u64
    }

    /// Encodes the payload of the segment end.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = self.id.0.to_vec();
        self.tables.put(&mut out);
        for count in [self.blocks.len(), self.groups.len(), self.sections.len()] {
            put_varint(&mut out, count as u64);
        }
        for group in &self.groups {
            put_varint(&mut out, group.blocks.into());
        }
        for block in &self.blocks {
            put_block(&mut out, block);
        }
        for section in &self.sections {
            put_section(&mut out, section);
        }
        out
    }

    /// Size of the segment end section in bytes.
    pub(super) fn end_bytes(&self) -> u64 {
        section::FRAME_BYTES + self.encode().len() as u64
    }

    /// Decodes the payload of a segment end. `max_bytes` bounds the size of the segment.
    pub(super) fn parse(
        payload: &[u8],
        max_bytes: u64,
        place: FilePlace,
    ) -> Result<Self, ContainerError> {
        let mut reader = ByteReader::new(payload);
        let fixed = Fixed::read(&mut reader).map_err(|error| place.decode_error(error))?;
        let found = reader.rest().len() as u64;
        if fixed.min_entries_bytes() > found || fixed.groups > fixed.blocks {
            return Err(place.invalid("more entries than bytes for them"));
        }
        // An entry takes less in the file than in memory; a block takes more.
        if u64::from(fixed.blocks) * MIN_SECTION_BYTES > max_bytes {
            return Err(place.invalid("more blocks than bytes for them"));
        }
        let mut index =
            BlockIndex::new(fixed.id, fixed.tables).map_err(|damage| place.damaged(damage))?;
        let groups = (0..fixed.groups).map(|_| block::read_u32(&mut reader));
        let groups = groups.collect::<Result<Vec<u32>, BitsError>>();
        let groups = groups.map_err(|error| place.decode_error(error))?;
        let blocks = groups.iter().map(|blocks| u64::from(*blocks)).sum::<u64>();
        place.check_equal("blocks of all groups", fixed.blocks, blocks)?;
        for blocks in groups {
            index.read_group(&mut reader, blocks, place)?;
        }
        for _ in 0..fixed.sections {
            let (head, crc) =
                read_section(&mut reader).map_err(|error| place.decode_error(error))?;
            let pushed = index.push_section(head, crc);
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        reader.finish().map_err(|error| place.decode_error(error))?;
        Ok(index)
    }

    /// Decodes the entries of a group of blocks.
    fn read_group(
        &mut self,
        reader: &mut ByteReader<'_>,
        blocks: u32,
        place: FilePlace,
    ) -> Result<(), ContainerError> {
        for _ in 0..blocks {
            let (summary, payload_bytes, crc) =
                read_block(reader).map_err(|error| place.decode_error(error))?;
            let header = self.next_header(summary.shape, summary.tags_bytes, summary.tags_crc);
            let pushed = header.and_then(|header| self.push_block(&header, payload_bytes, crc));
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        self.end_group().map_err(|damage| place.damaged(damage))
    }

    /// Refuses critical sections that this release does not know and parts that exceed
    /// a limit. `start` is the segment's file offset.
    pub(super) fn check_limits(
        &self,
        start: u64,
        limits: &Limits,
        place: FilePlace,
    ) -> Result<(), ContainerError> {
        place.check_limit(
            "size of the tables",
            self.tables.list_bytes,
            limits.tables_bytes,
        )?;
        for block in &self.blocks {
            let raw_bytes = u64::from(block.shape.raw_bytes);
            place.check_limit("raw size of a block", raw_bytes, limits.block_raw_bytes)?;
            for packed_bytes in [block.tags.bytes, block.payload_bytes] {
                place.check_limit(
                    "packed size of a block",
                    packed_bytes.into(),
                    limits.block_raw_bytes,
                )?;
            }
        }
        let unknown = self.sections.iter().find(|entry| !is_readable(entry));
        unknown.map_or(Ok(()), |entry| {
            let offset = start.saturating_add(entry.offset);
            let place = section::place(entry.section_type, offset);
            Err(ContainerError::UnknownCritical { place })
        })
    }
}

/// Whether a reader of this release understands the section or may skip it.
fn is_readable(entry: &SectionEntry) -> bool {
    let known = registry::SECTION_TYPES
        .iter()
        .any(|&(section_type, flags, _)| {
            (section_type, flags) == (entry.section_type, entry.flags)
        });
    known || entry.flags & CRITICAL == 0
}

/// Offset of the first tags from the start of the section of the tags of a group.
pub(super) const TAGS_OFFSET: u64 = section::HEAD_BYTES + SegmentId::BYTES;

/// Size of the section of the tags of a group, which have this size together.
fn tags_section_bytes(tags_bytes: u64) -> u64 {
    section::FRAME_BYTES + SegmentId::BYTES + tags_bytes
}

#[cfg(test)]
mod tests;
