//! The entries of a block index.

use super::super::block::{self, BlockCounts, BlockSummary, TagsPlace};
use super::super::read_tables::TablesExtent;
use super::super::registry::SectionType;
use super::super::section::{self, SectionHead};
use super::super::segment_id::SegmentId;
use super::{MIN_BLOCK_BYTES, MIN_SECTION_ENTRY_BYTES};
use crate::bits::{BitsError, ByteReader, put_varint};

/// The entry of a block in the block index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockEntry {
    /// Offset of the block's section from the segment's start, in bytes.
    pub offset: u64,
    /// Offset of its packed tags from the segment's start, in bytes.
    pub tags_offset: u64,
    /// Bytes of the segment's text before the block.
    pub raw_offset: u64,
    /// Games of the segment before the block.
    pub first_game: u32,
    /// The numbers of games, records and raw bytes of the block.
    pub shape: BlockCounts,
    /// The place, the size and the checksum of the tags in their group.
    pub tags: TagsPlace,
    /// Size of the payload of the block's section: its header and the packed movetext.
    pub payload_bytes: u32,
    /// The CRC-32 of the block's section.
    pub crc: u32,
}

/// The section of the tags of a group of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagsSection {
    /// Offset of the section from the segment's start, in bytes.
    pub offset: u64,
    /// Size of the section with its frame, in bytes.
    pub bytes: u64,
    /// The number of its first block in the segment, from 0.
    pub first_block: usize,
    /// The number of blocks of the group.
    pub blocks: u32,
}

/// The entry of a section that holds neither tables nor blocks.
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
    /// Size of the block's section with its frame, in bytes.
    pub fn section_bytes(&self) -> u64 {
        section::FRAME_BYTES + u64::from(self.payload_bytes)
    }
}

impl SectionEntry {
    /// Size of the section with its frame, in bytes.
    pub fn section_bytes(&self) -> Option<u64> {
        self.head().section_bytes()
    }

    pub(super) fn head(&self) -> SectionHead {
        SectionHead {
            section_type: self.section_type,
            flags: self.flags,
            payload_bytes: self.payload_bytes,
        }
    }
}

/// The smallest size of an entry for a group of blocks, in bytes.
const MIN_GROUP_BYTES: u64 = 1;

/// The fields before the entries.
pub(super) struct Fixed {
    pub(super) id: SegmentId,
    pub(super) tables: TablesExtent,
    pub(super) blocks: u32,
    pub(super) groups: u32,
    pub(super) sections: u32,
}

impl Fixed {
    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(Fixed {
            id: SegmentId(reader.array()?),
            tables: TablesExtent::read(reader)?,
            blocks: block::read_u32(reader)?,
            groups: block::read_u32(reader)?,
            sections: block::read_u32(reader)?,
        })
    }

    pub(super) fn min_entries_bytes(&self) -> u64 {
        MIN_GROUP_BYTES * u64::from(self.groups)
            + MIN_BLOCK_BYTES * u64::from(self.blocks)
            + MIN_SECTION_ENTRY_BYTES * u64::from(self.sections)
    }
}

pub(super) fn put_block(out: &mut Vec<u8>, block: &BlockEntry) {
    let summary = BlockSummary {
        shape: block.shape,
        tags_bytes: block.tags.bytes,
        tags_crc: block.tags.crc,
    };
    summary.put(out);
    put_varint(out, block.payload_bytes.into());
    out.extend_from_slice(&block.crc.to_le_bytes());
}

/// Reads the summary of a block, the size of the payload of its section, and its CRC-32.
pub(super) fn read_block(
    reader: &mut ByteReader<'_>,
) -> Result<(BlockSummary, u32, u32), BitsError> {
    let summary = BlockSummary::read(reader)?;
    Ok((summary, block::read_u32(reader)?, reader.u32()?))
}

pub(super) fn put_section(out: &mut Vec<u8>, section: &SectionEntry) {
    out.extend_from_slice(&section.section_type.0);
    out.push(section.flags);
    put_varint(out, section.payload_bytes);
    out.extend_from_slice(&section.crc.to_le_bytes());
}

pub(super) fn read_section(reader: &mut ByteReader<'_>) -> Result<(SectionHead, u32), BitsError> {
    let head = SectionHead {
        section_type: SectionType(reader.array()?),
        flags: reader.u8()?,
        payload_bytes: reader.varint()?,
    };
    Ok((head, reader.u32()?))
}
