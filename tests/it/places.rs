//! Places in an archive that a test damages: a byte of the movetext and of the tags of each block, and
//! of each index.

use pgna::Archive;
use pgna::internals::index::SECTION_TYPES;

/// A place in the movetext of each block of the first segment.
pub(crate) fn blocks(archive: &[u8]) -> Vec<usize> {
    let archive = Archive::new(archive).unwrap();
    let segment = archive.container().segment(0).unwrap();
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
