//! Finding the tags of blocks, which are stored apart from their movetexts.

use super::super::error::{ContainerError, FilePart, FilePlace};
use super::super::range_sums::RangeCrcs;
use super::super::read_at::{ReadAt, SectionInput};
use super::super::scan::SectionMark;
use super::super::section::{FRAME_BYTES, HEAD_BYTES};
use super::super::segment_end::TAGS_OFFSET;
use super::super::segment_id::SegmentId;
use super::read_budget;
use super::walk::IntactBlock;
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of sections in which the tags of a block are searched.
const MAX_TRIES: usize = 8;

/// Larger tags are checked by running sums of the whole file.
const MAX_DIRECT_BYTES: u64 = 8 << 10;

/// The places at which sections of tags begin or seem to begin.
#[derive(Debug, Default)]
pub(super) struct TagsFound {
    /// File offsets by segment, in ascending order.
    by_segment: BTreeMap<SegmentId, Vec<u64>>,
    /// Gaps before blocks, in which such a section may have lost its head.
    gaps: Vec<u64>,
    /// The section that was found last.
    last: Range<u64>,
}

impl TagsFound {
    /// Adds the section at a mark, damaged or not.
    pub(super) fn add<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        mark: &SectionMark,
    ) -> Result<(), ContainerError> {
        let place = FilePlace::new(FilePart::Tags, mark.offset.saturating_add(HEAD_BYTES));
        let id = input.read(place, SegmentId::BYTES)?;
        if let Some(id) = id.first_chunk() {
            let offsets = self.by_segment.entry(SegmentId(*id)).or_default();
            offsets.push(mark.offset);
            self.last = mark.offset..mark.end();
        }
        Ok(())
    }

    /// Adds the damaged bytes before a block.
    pub(super) fn add_gap(&mut self, gap: Range<u64>) {
        if !gap.is_empty() {
            self.gaps.push(gap.start);
        }
    }

    /// The size of the section of tags that ends at a file offset.
    pub(super) fn bytes_before(&self, offset: u64) -> Option<u64> {
        (self.last.end == offset).then(|| offset - self.last.start)
    }

    /// Possible file offsets of the first tags of a block's group, those of the nearest section
    /// first. Another copy of the segment may have the same tags. `group` is the file offset of the
    /// first block of the group that was found.
    fn possible_first_tags(&self, block: &IntactBlock, group: u64) -> impl Iterator<Item = u64> {
        let sections = self.by_segment.get(&block.header.segment);
        let sections = sections.map_or(&[][..], Vec::as_slice);
        let next = sections.partition_point(|section| *section < block.offset);
        let (before, after) = sections.split_at_checked(next).unwrap_or_default();
        let gap = self.gaps.partition_point(|gap| *gap < group);
        let gap = gap.checked_sub(1).and_then(|gap| self.gaps.get(gap));
        let sections = before.iter().rev().chain(after).take(MAX_TRIES).chain(gap);
        sections.map(|section| section.saturating_add(TAGS_OFFSET))
    }
}

/// Finds the tags of blocks among the sections that were found.
pub(super) struct TagsFinder<'i, S> {
    input: &'i SectionInput<S>,
    sums: RangeCrcs<'i, S>,
    /// The number of bytes that may still be read, now or when the blocks are read. Otherwise many
    /// small blocks that all claim the same large tags would take quadratic time.
    budget: u64,
}

impl<'i, S: ReadAt> TagsFinder<'i, S> {
    pub(super) fn new(input: &'i SectionInput<S>) -> Self {
        TagsFinder {
            input,
            sums: RangeCrcs::new(input),
            budget: read_budget(input),
        }
    }

    /// Finds the tags of blocks, and removes blocks whose tags are damaged or missing.
    pub(super) fn retain_intact(
        &mut self,
        found: &TagsFound,
        blocks: &mut Vec<IntactBlock>,
    ) -> Result<(), ContainerError> {
        let mut intact = Vec::with_capacity(blocks.len());
        let tags_offset = |block: &IntactBlock| block.header.tags.offset;
        for group in blocks.chunk_by(|a, b| tags_offset(a) < tags_offset(b)) {
            let by_end = first_tags_by_end(group);
            let start = group.first().map_or(0, |first| first.offset);
            for block in group {
                let places = found.possible_first_tags(block, start).chain(by_end);
                let found = self.find(block, places)?;
                intact.extend(found.map(|tags_offset| IntactBlock {
                    tags_offset,
                    ..*block
                }));
            }
        }
        *blocks = intact;
        Ok(())
    }

    /// File offset of the tags of a block, given possible ones of the first tags of its group.
    fn find(
        &mut self,
        block: &IntactBlock,
        first_tags: impl Iterator<Item = u64>,
    ) -> Result<Option<u64>, ContainerError> {
        let tags = block.header.tags;
        for first in first_tags {
            let offset = first.saturating_add(tags.offset.into());
            let end = offset.saturating_add(tags.bytes.into());
            let is_affordable = u64::from(tags.bytes) <= self.budget;
            if end <= self.input.size() && is_affordable && self.crc_of(offset..end)? == tags.crc {
                self.budget = self.budget.saturating_sub(tags.bytes.into());
                return Ok(Some(offset));
            }
        }
        Ok(None)
    }

    fn crc_of(&mut self, range: Range<u64>) -> Result<u32, ContainerError> {
        let bytes = range.end - range.start;
        self.budget = self.budget.saturating_sub(bytes.min(MAX_DIRECT_BYTES));
        if bytes > MAX_DIRECT_BYTES {
            return self.sums.of(range);
        }
        let place = FilePlace::new(FilePart::Tags, range.start);
        Ok(crc32fast::hash(&self.input.read(place, bytes)?))
    }
}

/// The file offset of the first tags of a group, by the end of their section. It is right if the
/// first and the last block of the group are intact, even if bytes were lost or added before the
/// tags.
fn first_tags_by_end(group: &[IntactBlock]) -> Option<u64> {
    let first = group
        .first()
        .filter(|first| first.header.tags.offset == 0)?;
    let last = group.last()?.header.tags;
    let tags_bytes = u64::from(last.offset) + u64::from(last.bytes);
    let end = first.offset.checked_sub(FRAME_BYTES - HEAD_BYTES)?;
    end.checked_sub(tags_bytes)
}

/// Reads the packed tags of a block.
///
/// # Errors
/// They exceed a limit, or the file has changed.
pub(super) fn read_tags<S: ReadAt>(
    input: &SectionInput<S>,
    block: &IntactBlock,
) -> Result<Vec<u8>, ContainerError> {
    let tags = block.header.tags;
    let place = FilePlace::new(FilePart::Tags, block.tags_offset);
    let limit = input.limits().block_raw_bytes;
    place.check_limit("packed size of a block", tags.bytes.into(), limit)?;
    let bytes = input.read(place, tags.bytes.into())?;
    place.checksum(tags.crc, crc32fast::hash(&bytes))?;
    Ok(bytes)
}
