//! Rebuilding a lost block index from the sections of its segment
//! (spec/format.md, “A damaged segment end”).
//!
//! The result is verified: the rebuilt segment end must have the size and the checksum
//! that the directory states.

use super::block::{self, BlockHeader};
use super::directory::SegmentEntry;
use super::error::{ContainerError, FilePart, FilePlace};
use super::read_at::{ReadAt, SectionInput};
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
    while index.end_bytes() < entry.end_bytes {
        add_section(input, entry, &mut index)?;
    }
    place.check_equal("size of the index", entry.end_bytes, index.end_bytes())?;
    let payload = index.encode();
    let head = SectionHead::critical(registry::SEGMENT_END, payload.len() as u64);
    place.checksum(entry.end_crc, section::checksum(&head, &[&payload]))?;
    Ok(index)
}

/// An index without blocks, with the size that the tables section states.
fn front<S: ReadAt>(
    input: &SectionInput<S>,
    entry: &SegmentEntry,
) -> Result<BlockIndex, ContainerError> {
    let place = FilePlace::new(FilePart::Tables, entry.offset);
    let head = input.read(place, HEAD_BYTES + 8)?;
    let tables_bytes = tables::stated_list_bytes(&head, place)?;
    BlockIndex::new(entry.id, tables_bytes).map_err(|damage| place.damaged(damage))
}

/// Adds the next section to the index.
fn add_section<S: ReadAt>(
    input: &SectionInput<S>,
    entry: &SegmentEntry,
    index: &mut BlockIndex,
) -> Result<(), ContainerError> {
    let offset = entry.offset.saturating_add(index.end_offset());
    let place = FilePlace::new(FilePart::Segment, offset);
    let head = SectionHead::parse(&input.read(place, HEAD_BYTES)?, place)?;
    let crc = stored_crc(input, place, &head)?;
    let pushed = if head.section_type == registry::BLOCK {
        let header = block_header(input, offset)?;
        let packed = head.payload_bytes.saturating_sub(block::HEADER_BYTES);
        let packed = u32::try_from(packed).map_err(|_| place.invalid("a block too large"))?;
        index.push_block(header.shape, packed, crc)
    } else {
        index.push_section(head, crc)
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

fn block_header<S: ReadAt>(
    input: &SectionInput<S>,
    offset: u64,
) -> Result<BlockHeader, ContainerError> {
    let place = FilePlace::new(FilePart::Block, offset.saturating_add(HEAD_BYTES));
    let bytes = input.read(place, block::HEADER_BYTES)?;
    BlockHeader::read(&mut ByteReader::new(&bytes)).map_err(|error| place.decode_error(error))
}
