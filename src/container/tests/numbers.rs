//! The numbers of the container are those of the registry.

use crate::container::{
    NAME_ROWS, SegmentId, block, directory, footer, header, names, parity, registry, section, slot,
    tables,
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
    ("sector of parity, least", parity::MIN_SECTOR_BYTES),
    ("sector of a disk", parity::SECTOR_BYTES),
    ("end of a small file", parity::SMALL_FILE_BYTES),
    ("period of parity, most", parity::MAX_PERIOD),
    ("sectors of a period, most", parity::MOST_SECTORS),
    (
        "bytes that a parity section covers, about",
        parity::SPAN_BYTES,
    ),
    ("tables a segment, most", tables::MAX_TABLE_COUNT),
    (
        "kind of large tables, least",
        registry::FIRST_LARGE_TABLE_KIND.0 as u64,
    ),
    ("block header, most", block::MAX_HEADER_BYTES),
    ("tags, fixed part", SegmentId::BYTES),
    (
        "segments a section of names, most",
        names::SECTION_SEGMENTS as u64,
    ),
    ("rows of names", NAME_ROWS as u64),
    ("name of a source, most", directory::MAX_NAME_BYTES),
    ("footer payload", footer::PAYLOAD_BYTES),
];

#[test]
fn numbers_are_those_of_the_registry() {
    assert_eq!(registry_numbers("Numbers"), NUMBERS);
}
