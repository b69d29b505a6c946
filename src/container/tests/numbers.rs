//! The numbers of the container are those of the registry.

use crate::container::{
    NAME_ROWS, SegmentId, block, directory, footer, header, names, parity, registry, section,
    segment_end, slot, tables,
};
use crate::testing::registry_numbers;

const NUMBERS: &[(&str, u64)] = &[
    ("major version", header::MAJOR as u64),
    ("minor version", header::MINOR as u64),
    ("minimum reader minor version", header::MINOR as u64),
    ("header", header::HEADER_BYTES),
    ("commit slot", slot::SLOT_BYTES),
    ("offset of the first section", slot::FIRST_SECTION),
    ("section frame", section::FRAME_BYTES),
    ("table chunk, least", parity::MIN_CHUNK_BYTES),
    ("table chunk, most", parity::MAX_CHUNK_BYTES),
    ("table chunks aimed at", parity::TARGET_CHUNKS),
    ("table chunks a parity group, most", parity::GROUP_CHUNKS),
    ("tables a segment, most", tables::MAX_TABLE_COUNT),
    (
        "kind of large tables, least",
        registry::FIRST_LARGE_TABLE_KIND.0 as u64,
    ),
    ("block header, most", block::MAX_HEADER_BYTES),
    ("tags, fixed part", SegmentId::BYTES),
    ("segment end, fixed part", segment_end::FIXED_BYTES),
    ("section list entry", segment_end::SECTION_ENTRY_BYTES),
    ("directory, fixed part", directory::FIXED_BYTES),
    ("directory segment entry", directory::SEGMENT_ENTRY_BYTES),
    (
        "segments a section of names, most",
        names::SECTION_SEGMENTS as u64,
    ),
    ("rows of names", NAME_ROWS as u64),
    (
        "directory source entry without its name",
        directory::SOURCE_FIXED_BYTES,
    ),
    ("footer payload", footer::PAYLOAD_BYTES),
];

#[test]
fn numbers_are_those_of_the_registry() {
    assert_eq!(registry_numbers("Numbers"), NUMBERS);
}
