//! Reading the tags of blocks, which are stored beside those of other blocks (spec/format.md,
//! “Blocks”), and announcing that they will be read.

use super::error::{ContainerError, FilePart, FilePlace};
use super::read_at::ReadAt;
use super::reader::{Container, Segment};
use super::registry;
use super::section::{self, FRAME_BYTES, SectionHead};
use super::segment_end::TagsSection;
use super::segment_id::SegmentId;
use super::warning::Warning;

/// The number of groups whose tags are announced at a time: about 1 MB of a database.
const ANNOUNCED_GROUPS: usize = 4;

/// The number of bytes of a section of tags that are checked at a time.
const TAGS_PIECE: u64 = 1 << 20;

impl<S: ReadAt> Container<S> {
    /// Reads the packed tags of a block of a segment, numbered from 0.
    ///
    /// # Errors
    /// There is no such block, or the tags are not those that the index lists.
    pub fn block_tags(&self, segment: &Segment, number: usize) -> Result<Vec<u8>, ContainerError> {
        let entry = segment.block_entry(number)?;
        let offset = segment.entry().offset.saturating_add(entry.tags_offset);
        let place = FilePlace::new(FilePart::Tags, offset);
        let bytes = entry.tags.bytes.into();
        self.read_mended(place, bytes, || {
            let tags = self.input().read(place, bytes)?;
            place.checksum(entry.tags.crc, crc32fast::hash(&tags))?;
            Ok(tags)
        })
    }

    /// Announces to the source that the tags of this block and of those after it will be read. Groups
    /// are announced in fours, so that they are fetched together.
    pub fn will_read_tags(&self, segment: &Segment, number: usize) {
        let groups = segment.index().tags();
        let up_to = groups.partition_point(|tags| tags.first_block <= number);
        let first = up_to.saturating_sub(1);
        let end = (first / ANNOUNCED_GROUPS + 1) * ANNOUNCED_GROUPS;
        let announced = groups.get(first..end.min(groups.len()));
        let ranges = announced.unwrap_or_default().iter().map(|tags| {
            let start = segment.entry().offset.saturating_add(tags.offset);
            start..start.saturating_add(tags.bytes)
        });
        self.source().will_read(&ranges.collect::<Vec<_>>());
    }

    /// Announces to the source that the tags and the movetext of a block will be read, and with them
    /// the tables of the segment if some of them are large.
    pub fn will_read_block(&self, segment: &Segment, number: usize, with_tables: bool) {
        if let Ok(entry) = segment.block_entry(number) {
            let range = |offset: u64, bytes: u64| {
                let start = segment.entry().offset.saturating_add(offset);
                start..start.saturating_add(bytes)
            };
            let mut ranges = vec![
                range(entry.tags_offset, entry.tags.bytes.into()),
                range(entry.offset, entry.section_bytes()),
            ];
            ranges.extend(with_tables.then(|| self.large_tables(segment)).flatten());
            self.source().will_read(&ranges);
        }
    }

    /// A warning if the section of the tags of a group is damaged, but not the tags of any block.
    ///
    /// # Errors
    /// The section cannot be read now.
    pub fn tags_warning(
        &self,
        segment: &Segment,
        tags: &TagsSection,
    ) -> Result<Option<Warning>, ContainerError> {
        let offset = segment.entry().offset.saturating_add(tags.offset);
        let place = FilePlace::new(FilePart::Tags, offset);
        let id = segment.index().id();
        let checked = self.read_mended(place, tags.bytes, || {
            self.check_tags_section(place, id, tags.bytes)
        });
        match checked {
            Ok(()) => return Ok(None),
            Err(error) if error.is_loss() => {}
            Err(error) => return Err(error),
        }
        for number in (tags.first_block..).take(tags.blocks as usize) {
            match self.block_tags(segment, number) {
                Ok(_) => {}
                Err(error) if error.is_loss() => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(Warning::TagsFrameDamaged { offset }))
    }

    /// Checks a section of tags, of any size, in pieces.
    fn check_tags_section(
        &self,
        place: FilePlace,
        id: SegmentId,
        bytes: u64,
    ) -> Result<(), ContainerError> {
        let end = place.offset.saturating_add(bytes).saturating_sub(4);
        let mut hasher = crc32fast::Hasher::new();
        let mut offset = place.offset;
        while offset < end {
            let piece = self
                .input()
                .read(FilePlace { offset, ..place }, TAGS_PIECE.min(end - offset))?;
            if offset == place.offset {
                let head = SectionHead::critical(registry::TAGS, bytes - FRAME_BYTES).encode();
                if !piece.starts_with(&[&head[..], &id.0].concat()) {
                    return Err(place.invalid("not the head of the tags of this segment"));
                }
            }
            hasher.update(&piece);
            offset += TAGS_PIECE.min(end - offset);
        }
        let stored = self.input().read(
            FilePlace {
                offset: end,
                ..place
            },
            4,
        )?;
        place.checksum(section::stored_crc(&stored), hasher.finalize())
    }
}
