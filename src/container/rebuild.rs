//! Rebuilding a lost block index from the sections of its segment
//! (spec/format.md, “A damaged segment end”).
//!
//! The result is verified: the rebuilt segment end must have the size and the checksum
//! that the directory states.

use super::block;
use super::directory::SegmentEntry;
use super::error::{ContainerError, FilePart, FilePlace};
use super::read_at::{ReadAt, SectionInput};
use super::read_tables::TablesExtent;
use super::registry;
use super::section::{self, FRAME_BYTES, HEAD_BYTES, SectionHead};
use super::segment_end::BlockIndex;
use super::tables;
use crate::bits::ByteReader;

/// Walks the sections of a segment and returns its index, if it can be verified.
pub(super) fn rebuild<S: ReadAt>(
    input: &SectionInput<S>,
    entry: &SegmentEntry,
) -> Result<BlockIndex, ContainerError> {
    let place = FilePlace::new(FilePart::SegmentEnd, entry.end_offset());
    let mut index = front(input, entry)?;
    let mut offset = entry.offset.saturating_add(index.end_offset());
    let mut is_group_open = false;
    while offset < entry.end_offset() && index.min_end_bytes() <= entry.end_bytes {
        let place = FilePlace::new(FilePart::Segment, offset);
        let head = SectionHead::parse(&input.read(place, HEAD_BYTES)?, place)?;
        let is_block = head.section_type == registry::BLOCK;
        if is_group_open && !is_block {
            index.end_group().map_err(|damage| place.damaged(damage))?;
        }
        is_group_open = is_block || head.section_type == registry::TAGS;
        // The sizes of tags follow from the blocks of their group.
        if head.section_type != registry::TAGS {
            add_section(input, place, &head, &mut index)?;
        }
        offset = offset.saturating_add(head.section_bytes().unwrap_or(u64::MAX));
    }
    if is_group_open {
        index.end_group().map_err(|damage| place.damaged(damage))?;
    }
    place.check_equal("size of the index", entry.end_bytes, index.end_bytes())?;
    let payload = index.encode();
    let head = SectionHead::critical(registry::SEGMENT_END, payload.len() as u64);
    place.checksum(entry.end_crc, section::checksum(&head, &[&payload]))?;
    Ok(index)
}

/// An index without blocks. The size of the tables is the one that their section states.
fn front<S: ReadAt>(
    input: &SectionInput<S>,
    entry: &SegmentEntry,
) -> Result<BlockIndex, ContainerError> {
    let place = FilePlace::new(FilePart::Tables, entry.offset);
    let head = input.read(place, HEAD_BYTES + 8)?;
    let list_bytes = tables::stated_list_bytes(&head, place)?;
    let limit = input.limits().tables_bytes;
    place.check_limit("size of the tables", list_bytes, limit)?;
    let needed = tables::section_bytes(list_bytes).unwrap_or(u64::MAX);
    let opened = tables::open(input.read(place, needed)?, list_bytes, entry.id, place)?;
    let extent = TablesExtent::of(&opened.tables);
    BlockIndex::new(entry.id, extent).map_err(|damage| place.damaged(damage))
}

/// Adds a block or another section to the index.
fn add_section<S: ReadAt>(
    input: &SectionInput<S>,
    place: FilePlace,
    head: &SectionHead,
    index: &mut BlockIndex,
) -> Result<(), ContainerError> {
    let crc = stored_crc(input, place, head)?;
    let pushed = if head.section_type == registry::BLOCK {
        let found = block::read_header(input, place.offset, head.payload_bytes)?;
        let payload_bytes = u32::try_from(head.payload_bytes);
        let payload_bytes = payload_bytes.map_err(|_| place.invalid("a block too large"))?;
        let header = index.next_header(found.shape, found.tags.bytes, found.tags.crc);
        header.and_then(|header| index.push_block(&header, payload_bytes, crc))
    } else {
        index.push_section(*head, crc)
    };
    pushed.map_err(|damage| place.damaged(damage))
}

fn stored_crc<S: ReadAt>(
    input: &SectionInput<S>,
    place: FilePlace,
    head: &SectionHead,
) -> Result<u32, ContainerError> {
    let end = head.payload_bytes.saturating_add(place.offset);
    let offset = end.saturating_add(HEAD_BYTES);
    let bytes = input.read(FilePlace { offset, ..place }, FRAME_BYTES - HEAD_BYTES)?;
    let mut reader = ByteReader::new(&bytes);
    reader.u32().map_err(|error| place.decode_error(error))
}
