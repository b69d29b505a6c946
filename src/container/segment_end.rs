//! The end of a segment and its block index (spec/format.md, “Segment end”).
//!
//! The sections of a segment are contiguous, so the index stores only sizes. Offsets
//! and first games are prefix sums.

use super::block::{self, BlockCounts, BlockHeader};
use super::error::{ContainerError, Damage, FilePlace};
use super::registry::{self, CRITICAL, SectionType};
use super::section::{self, SectionHead};
use super::segment_id::SegmentId;
use super::tables;
use crate::bits::{BitsError, ByteReader};
use crate::limits::Limits;

/// Bytes of the payload before the entries.
pub(super) const FIXED_BYTES: u64 = 24;
/// Bytes of an entry for a block.
pub(super) const BLOCK_ENTRY_BYTES: u64 = 20;
/// Bytes of an entry for another section.
pub(super) const SECTION_ENTRY_BYTES: u64 = 17;

/// The entry of a block in the block index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockEntry {
    /// Offset of the block from the segment's start, in bytes.
    pub offset: u64,
    /// Bytes of the segment's text before the block.
    pub raw_offset: u64,
    /// Games of the segment before the block.
    pub first_game: u32,
    /// The numbers of games, records and raw bytes of the block.
    pub shape: BlockCounts,
    /// Size of the packed bytes of the block.
    pub packed_bytes: u32,
    /// The CRC-32 of the block.
    pub crc: u32,
}

/// The entry of a section that is neither tables nor a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionEntry {
    /// Offset of the section from the segment's start, in bytes.
    pub offset: u64,
    /// The type of the section.
    pub section_type: SectionType,
    /// The section's flags.
    pub flags: u8,
    /// Size of the payload in bytes.
    pub payload_bytes: u64,
    /// The CRC-32 of the section.
    pub crc: u32,
}

impl BlockEntry {
    /// Size of the block with its frame, in bytes.
    pub fn section_bytes(&self) -> u64 {
        block::section_bytes(self.packed_bytes)
    }
}

impl SectionEntry {
    /// Size of the section with its frame, in bytes.
    pub fn section_bytes(&self) -> Option<u64> {
        self.head().section_bytes()
    }

    fn head(&self) -> SectionHead {
        SectionHead {
            section_type: self.section_type,
            flags: self.flags,
            payload_bytes: self.payload_bytes,
        }
    }
}

/// The block index: the blocks and other sections of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockIndex {
    id: SegmentId,
    tables_bytes: u64,
    blocks: Vec<BlockEntry>,
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
    /// An index without blocks, for a list of tables of this size.
    pub(super) fn new(id: SegmentId, tables_bytes: u64) -> Result<Self, Damage> {
        Ok(BlockIndex {
            id,
            tables_bytes,
            blocks: Vec::new(),
            sections: Vec::new(),
            next_offset: tables::section_bytes(tables_bytes).ok_or(INVALID_COUNTS)?,
            games: 0,
            records: 0,
            raw_bytes: 0,
        })
    }

    /// The header of the next block, if it has this shape.
    pub(super) fn next_header(&self, shape: BlockCounts) -> BlockHeader {
        BlockHeader {
            segment: self.id,
            first_game: self.games,
            raw_offset: self.raw_bytes,
            shape,
        }
    }

    /// Appends a block. No other section may have been appended.
    pub(super) fn push_block(
        &mut self,
        shape: BlockCounts,
        packed_bytes: u32,
        crc: u32,
    ) -> Result<(), Damage> {
        if !shape.is_valid() || !self.sections.is_empty() {
            return Err(INVALID_COUNTS);
        }
        let size = block::section_bytes(packed_bytes);
        let entry = BlockEntry {
            offset: self.next_offset,
            raw_offset: self.raw_bytes,
            first_game: self.games,
            shape,
            packed_bytes,
            crc,
        };
        self.next_offset = self.next_offset.checked_add(size).ok_or(INVALID_COUNTS)?;
        self.games = self.games.checked_add(shape.games).ok_or(INVALID_COUNTS)?;
        self.records = self
            .records
            .checked_add(shape.records)
            .ok_or(INVALID_COUNTS)?;
        let raw_bytes = u64::from(shape.raw_bytes);
        self.raw_bytes = self
            .raw_bytes
            .checked_add(raw_bytes)
            .ok_or(INVALID_COUNTS)?;
        self.blocks.push(entry);
        Ok(())
    }

    /// Appends a section that is neither tables nor a block.
    pub(super) fn push_section(&mut self, head: SectionHead, crc: u32) -> Result<(), Damage> {
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
        self.tables_bytes
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
        }
    }

    /// Encodes the payload of the segment end.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = self.id.0.to_vec();
        out.extend_from_slice(&self.tables_bytes.to_le_bytes());
        out.extend_from_slice(&count(self.blocks.len()));
        out.extend_from_slice(&count(self.sections.len()));
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
        section::FRAME_BYTES
            + FIXED_BYTES
            + BLOCK_ENTRY_BYTES * self.blocks.len() as u64
            + SECTION_ENTRY_BYTES * self.sections.len() as u64
    }

    /// Decodes the payload of a segment end.
    pub(super) fn parse(payload: &[u8], place: FilePlace) -> Result<Self, ContainerError> {
        let mut reader = ByteReader::new(payload);
        let fixed = Fixed::read(&mut reader).map_err(|error| place.decode_error(error))?;
        let found = reader.rest().len() as u64;
        place.check_equal("size of the entries", fixed.entries_bytes(), found)?;
        let mut index = BlockIndex::new(fixed.id, fixed.tables_bytes)
            .map_err(|damage| place.damaged(damage))?;
        for _ in 0..fixed.blocks {
            let (shape, packed_bytes, crc) =
                read_block(&mut reader).map_err(|error| place.decode_error(error))?;
            let pushed = index.push_block(shape, packed_bytes, crc);
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        for _ in 0..fixed.sections {
            let (head, crc) =
                read_section(&mut reader).map_err(|error| place.decode_error(error))?;
            let pushed = index.push_section(head, crc);
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        Ok(index)
    }

    /// Refuses critical sections that this release does not know and parts that exceed
    /// a limit. `start` is the segment's file offset.
    pub(super) fn check_limits(
        &self,
        start: u64,
        limits: &Limits,
        place: FilePlace,
    ) -> Result<(), ContainerError> {
        place.check_limit("size of the tables", self.tables_bytes, limits.tables_bytes)?;
        for block in &self.blocks {
            let raw_bytes = u64::from(block.shape.raw_bytes);
            place.check_limit("raw size of a block", raw_bytes, limits.block_raw_bytes)?;
            let packed_bytes = u64::from(block.packed_bytes);
            place.check_limit(
                "packed size of a block",
                packed_bytes,
                limits.block_raw_bytes,
            )?;
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

struct Fixed {
    id: SegmentId,
    tables_bytes: u64,
    blocks: u32,
    sections: u32,
}

impl Fixed {
    fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(Fixed {
            id: SegmentId(reader.array()?),
            tables_bytes: reader.u64()?,
            blocks: reader.u32()?,
            sections: reader.u32()?,
        })
    }

    fn entries_bytes(&self) -> u64 {
        BLOCK_ENTRY_BYTES * u64::from(self.blocks) + SECTION_ENTRY_BYTES * u64::from(self.sections)
    }
}

fn count(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes()
}

fn put_block(out: &mut Vec<u8>, block: &BlockEntry) {
    let fields = [
        block.shape.games,
        block.shape.records,
        block.shape.raw_bytes,
        block.packed_bytes,
        block.crc,
    ];
    for field in fields {
        out.extend_from_slice(&field.to_le_bytes());
    }
}

fn read_block(reader: &mut ByteReader<'_>) -> Result<(BlockCounts, u32, u32), BitsError> {
    let shape = BlockCounts {
        games: reader.u32()?,
        records: reader.u32()?,
        raw_bytes: reader.u32()?,
    };
    Ok((shape, reader.u32()?, reader.u32()?))
}

fn put_section(out: &mut Vec<u8>, section: &SectionEntry) {
    out.extend_from_slice(&section.section_type.0);
    out.push(section.flags);
    out.extend_from_slice(&section.payload_bytes.to_le_bytes());
    out.extend_from_slice(&section.crc.to_le_bytes());
}

fn read_section(reader: &mut ByteReader<'_>) -> Result<(SectionHead, u32), BitsError> {
    let head = SectionHead {
        section_type: SectionType(reader.array()?),
        flags: reader.u8()?,
        payload_bytes: reader.u64()?,
    };
    Ok((head, reader.u32()?))
}

#[cfg(test)]
mod tests;
