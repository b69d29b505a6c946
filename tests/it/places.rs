//! Places in an archive that a test damages: a byte of the movetext and of the tags of each block, and
//! of each index. Parity mends such a byte, unless the archive is `unprotected`.

use pgna::Archive;
use pgna::internals::index::SECTION_TYPES;
use std::ops::Range;

/// The sector of parity with this byte of an archive of one parity section. Damage within it is
/// mended if no other sector is damaged.
pub(crate) fn sector(archive: &[u8], at: usize) -> Range<usize> {
    let mark = |bytes: &[u8]| bytes == b"PARI\x01\xfb\x9e\xc4";
    let start = archive.windows(8).rposition(mark).unwrap();
    let payload = archive[start + 8..start + 16].try_into().unwrap();
    let end = start + 16 + u64::from_le_bytes(payload) as usize;
    let bytes = 1 << archive[end - 2];
    let start = at / bytes * bytes;
    start..start + bytes
}

/// A place in the movetext of each block of the first segment.
pub(crate) fn blocks(archive: &[u8]) -> Vec<usize> {
    blocks_of(archive, 0)
}

/// A place in the movetext of each block of a segment, numbered from 0.
pub(crate) fn blocks_of(archive: &[u8], segment: usize) -> Vec<usize> {
    let archive = Archive::new(archive).unwrap();
    let segment = archive.container().segment(segment).unwrap();
    let start = segment.entry().offset;
    let blocks = segment.index().blocks().iter();
    // The last byte before the checksum.
    blocks
        .map(|block| usize::try_from(start + block.offset + block.section_bytes()).unwrap() - 5)
        .collect()
}

/// A place in the tags of each block of the first segment.
pub(crate) fn tags(archive: &[u8]) -> Vec<usize> {
    let archive = Archive::new(archive).unwrap();
    let segment = archive.container().segment(0).unwrap();
    let start = segment.entry().offset;
    let blocks = segment.index().blocks().iter();
    blocks
        .map(|block| usize::try_from(start + block.tags_offset).unwrap())
        .collect()
}

/// The name of each index section of the first segment, and a place in it.
pub(crate) fn indexes(archive: &[u8]) -> Vec<(&'static str, usize)> {
    let archive = Archive::new(archive).unwrap();
    let segment = archive.container().segment(0).unwrap();
    let mut places = Vec::new();
    for section in segment.index().sections() {
        let mut known = SECTION_TYPES.iter();
        let known = known.find(|(section_type, ..)| *section_type == section.section_type);
        let (.., name) = known.expect("a section of the indexes");
        let place = segment.entry().offset + section.offset + section.payload_bytes / 2;
        places.push((*name, usize::try_from(place).unwrap()));
    }
    places
}
