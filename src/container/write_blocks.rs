//! Writing the blocks of a segment in groups: their tags, then their movetexts (spec/format.md, “Blocks”).

use super::block::{self, BlockCounts, PackedBlock};
use super::error::{ContainerError, FilePart, FilePlace};
use super::registry;
use super::segment_end::BlockIndex;
use super::segment_id::SegmentId;
use super::writer::{ContainerWriter, GroupedBlock, UnfinishedSegment, into_misuse};
use std::io::Write;

/// The number of blocks of a group: 65,536 games of a database. More blocks would make a search
/// for a player no faster, and cost memory, and games if the file is cut off.
pub(super) const GROUP_BLOCKS: usize = 256;

/// A group of blocks with this many packed bytes gets no more.
const GROUP_BYTES: u64 = 16 << 20;

impl<W: Write + ?Sized> ContainerWriter<W> {
    /// Adds the next block to the segment. It is written with the others of its group.
    ///
    /// # Errors
    /// No segment is open, other sections have been written to it, the shape is
    /// impossible, a limit is exceeded, or the sink fails.
    pub fn block(
        &mut self,
        shape: BlockCounts,
        packed: PackedBlock<'_>,
    ) -> Result<(), ContainerError> {
        let place = FilePlace::new(FilePart::Block, self.offset);
        let limit = self.limits.block_raw_bytes;
        place.check_limit("raw size of a block", shape.raw_bytes.into(), limit)?;
        let payload_bytes = block::MAX_HEADER_BYTES + packed.movetext.len() as u64;
        for packed_bytes in [packed.tags.len() as u64, payload_bytes] {
            place.check_limit("packed size of a block", packed_bytes, limit)?;
        }
        let mut segment = self.take_segment()?;
        let tags_bytes = packed.tags.len() as u64;
        let checked = segment.index.check_block(shape, tags_bytes);
        checked.map_err(into_misuse)?;
        segment.group_bytes += packed.bytes();
        segment.group.push(GroupedBlock {
            shape,
            tags: packed.tags.to_vec(),
            movetext: packed.movetext.to_vec(),
        });
        if segment.group.len() >= self.group_blocks || segment.group_bytes >= GROUP_BYTES {
            self.write_group(&mut segment)?;
        }
        self.segment = Some(segment);
        Ok(())
    }

    /// Writes the blocks of a group, if there are any: their tags, then their movetexts.
    pub(super) fn write_group(
        &mut self,
        segment: &mut UnfinishedSegment,
    ) -> Result<(), ContainerError> {
        let group = std::mem::take(&mut segment.group);
        segment.group_bytes = 0;
        if group.is_empty() {
            return Ok(());
        }
        let tags = group.iter().map(|block| &block.tags[..]);
        self.write_tags(&segment.index.id(), tags)?;
        for block in &group {
            let packed = PackedBlock {
                tags: &block.tags,
                movetext: &block.movetext,
            };
            self.write_block(&mut segment.index, block.shape, packed)?;
        }
        segment.index.end_group().map_err(into_misuse)
    }

    /// Writes the section of the tags of a group.
    pub(super) fn write_tags<'t>(
        &mut self,
        id: &'t SegmentId,
        tags: impl Iterator<Item = &'t [u8]>,
    ) -> Result<(), ContainerError> {
        let mut parts = vec![&id.0[..]];
        parts.extend(tags);
        self.write_section(registry::TAGS, registry::CRITICAL, &parts)?;
        Ok(())
    }

    /// Writes the section of a block, whose tags have been written.
    pub(super) fn write_block(
        &mut self,
        index: &mut BlockIndex,
        shape: BlockCounts,
        packed: PackedBlock<'_>,
    ) -> Result<(), ContainerError> {
        let tags_bytes = u32::try_from(packed.tags.len()).unwrap_or(u32::MAX);
        let header = index.next_header(shape, tags_bytes, crc32fast::hash(packed.tags));
        let header = header.map_err(into_misuse)?;
        let parts = [&header.encode()[..], packed.movetext];
        let crc = self.write_section(block::TYPE, registry::CRITICAL, &parts)?;
        let payload_bytes = parts.iter().map(|part| part.len()).sum::<usize>();
        let payload_bytes = u32::try_from(payload_bytes).unwrap_or(u32::MAX);
        let pushed = index.push_block(&header, payload_bytes, crc);
        pushed.map_err(into_misuse)
    }
}
