//! The remains of a damaged file are found.

use super::*;
use std::ops::Range;

pub(super) fn recovery(file: &[u8]) -> RecoveryScan<Bytes<&[u8]>> {
    RecoveryScan::of(Bytes(file), Limits::default()).unwrap()
}

/// The remains of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundContent {
    pub(super) id: SegmentId,
    pub(super) blocks: Vec<(BlockHeader, Vec<u8>)>,
    pub(super) tables: Option<Tables>,
    pub(super) parts: Option<Vec<SourcePart>>,
}

pub(super) fn found_content(file: &[u8]) -> Vec<FoundContent> {
    let recovery = recovery(file);
    let read = |segment: &FoundSegment| {
        let tables = recovery.tables(segment).ok();
        assert_eq!(tables.is_some(), segment.tables_bytes().is_some());
        let parts = tables
            .as_ref()
            .map(|tables| recovery.source_parts(segment, tables).unwrap());
        let blocks = segment.blocks().enumerate().map(|(number, header)| {
            let block = recovery.block(segment, number).unwrap();
            assert_eq!(block.header(), header);
            let place = segment.block_place(number).unwrap();
            let section = &file[at(place.start)..at(place.end)];
            let packed = block.packed();
            assert!(memchr::memmem::find(section, packed.movetext).is_some());
            let tags = segment.tags_place(number).unwrap();
            assert_eq!(&file[at(tags.start)..at(tags.end)], packed.tags);
            (*header, packed.movetext.to_vec())
        });
        FoundContent {
            id: segment.id,
            blocks: blocks.collect(),
            tables,
            parts,
        }
    };
    recovery.segments().iter().map(read).collect()
}

pub(super) fn blocks(left: &[FoundContent]) -> Vec<Vec<u8>> {
    let blocks = left.iter().flat_map(|segment| &segment.blocks);
    blocks.map(|(_, packed)| packed.clone()).collect()
}

/// The ranges of the blocks in an intact file: those of their tags and of their sections.
pub(super) fn block_places(file: &[u8]) -> Vec<[Range<usize>; 2]> {
    let recovery = recovery(file);
    let mut places = Vec::new();
    for segment in recovery.segments() {
        for number in 0..segment.blocks().len() {
            let tags = segment.tags_place(number).unwrap();
            let section = segment.block_place(number).unwrap();
            places.push([tags, section].map(|place| at(place.start)..at(place.end)));
        }
    }
    places
}

/// Whether all blocks are found in order, except those that overlap `lost`.
pub(super) fn has_all_but(file: &[u8], found: &[FoundContent], lost: &Range<usize>) -> bool {
    let whole = blocks(&found_content(file));
    let is_whole = |place: &Range<usize>| {
        place.end <= lost.start || place.start >= lost.end || lost.is_empty()
    };
    let expected = block_places(file)
        .into_iter()
        .zip(whole)
        .filter(|(places, _)| places.iter().all(is_whole))
        .map(|(_, packed)| packed);
    expected.eq(blocks(found))
}

/// The ranges of the directories and footers of a file, footer copies included.
pub(super) fn ends(file: &[u8]) -> Vec<Range<usize>> {
    let (container, _) = open(file).unwrap();
    let slot = container.commit_slot();
    let [copy, footer] = [slot.copy_offset, slot.footer_offset].map(at);
    let size = at(footer::SECTION_BYTES);
    vec![
        copy + size..footer,
        copy..copy + size,
        footer..footer + size,
    ]
}

#[test]
fn a_whole_file_is_found_whole() {
    for file in [stream().0, fresh(), appended()] {
        let expected = content(&file);
        let found = found_content(&file);
        let tables: Vec<_> = found.iter().flat_map(|left| left.tables.clone()).collect();
        let parts: Vec<_> = found.iter().flat_map(|left| left.parts.clone()).collect();
        let blocks: Vec<_> = found.into_iter().flat_map(|left| left.blocks).collect();
        assert_eq!(tables, expected.tables);
        assert_eq!(parts, expected.parts);
        assert_eq!(blocks, expected.blocks);
        let recovery = recovery(&file);
        assert_eq!(recovery.sources(), Some(&expected.sources[..]));
        assert!(!recovery.is_outdated());
        let (container, _) = open(&file).unwrap();
        for (found, entry) in recovery.segments().iter().zip(container.segments()) {
            assert_eq!(found.entry.as_ref(), Some(entry));
            assert_eq!(found.raw_bytes, Some(entry.raw_bytes));
            assert_eq!(found.games, Some(entry.games.into()));
            assert_eq!(found.span, entry.offset..entry.offset + entry.bytes);
            assert!(!found.is_unlisted);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_damaged_byte_costs_no_more_than_its_block() {
    let file = unprotected(appended());
    for index in 0..file.len() {
        let mut bytes = file.clone();
        bytes[index] ^= 0x55;
        let found = found_content(&bytes);
        assert!(has_all_but(&file, &found, &(index..index + 1)), "{index}");
    }
}

/// Parity restores damaged bytes even if no directory leads to it.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_damaged_byte_that_is_mended_costs_nothing() {
    let file = appended();
    let (container, _) = open(&file).unwrap();
    let covered = container.commit().parity[0].covered();
    for index in at(covered.start)..at(covered.end) {
        let mut bytes = file.clone();
        bytes[index] ^= 0x55;
        let scan = recovery(&bytes);
        let blocks = scan.segments().iter().map(|segment| segment.blocks().len());
        assert_eq!(blocks.sum::<usize>(), 4, "{index}");
        for segment in scan.segments() {
            assert!(scan.tables(segment).is_ok(), "{index}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn lost_and_added_bytes_move_the_rest() {
    let file = unprotected(appended());
    for index in 0..file.len() {
        let mut bytes = file.clone();
        bytes.remove(index);
        let found = found_content(&bytes);
        assert!(has_all_but(&file, &found, &(index..index + 1)), "{index}");
        let mut bytes = file.clone();
        bytes.splice(index..index, *b"SOMETHING");
        let found = found_content(&bytes);
        // Bytes between two blocks damage neither.
        let places = block_places(&file);
        let is_inside = places
            .iter()
            .flatten()
            .any(|place| place.start < index && index < place.end);
        let lost = index.saturating_sub(usize::from(is_inside))..index;
        assert!(has_all_but(&file, &found, &lost), "{index}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn nothing_needs_to_lead_to_a_segment() {
    let file = unprotected(appended());
    let whole = found_content(&file);
    let before = unprotected(fresh());
    let starts = vec![0..16, 16..80];
    let places = [starts, ends(&before), ends(&file)].concat();
    for chosen in 0..1 << places.len() {
        let mut bytes = file.clone();
        let erased = places.iter().enumerate();
        let erased = erased.filter(|(number, _)| chosen >> number & 1 == 1);
        erased.for_each(|(_, place)| bytes[place.clone()].fill(0));
        assert_eq!(found_content(&bytes), whole, "{chosen:b}");
        let recovery = recovery(&bytes);
        let has = |number: usize| chosen >> number & 1 == 0;
        let sources = recovery.sources().map(<[Source]>::len);
        // The directory of the newest footer that has one. Without footers, the last
        // directory.
        let newer = has(5).then_some((if has(6) || has(7) { 2 } else { 0 }, 3));
        let older = has(2).then_some((i32::from(has(3) || has(4)), 2));
        let expected = newer.max(older).map(|(_, sources)| sources);
        assert_eq!(sources, expected, "{chosen:b}");
        // If the newer directory is lost, a slot, one of its footers or its segment
        // shows that it existed.
        let is_referenced = has(1) || has(6) || has(7) || !has(5);
        let is_outdated = sources == Some(2) && is_referenced;
        assert_eq!(recovery.is_outdated(), is_outdated, "{chosen:b}");
        let after: Vec<bool> = recovery
            .segments()
            .iter()
            .map(|left| left.is_unlisted)
            .collect();
        let is_unlisted = sources == Some(2);
        assert_eq!(after, [false, false, is_unlisted], "{chosen:b}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn marks_are_found_at_any_offset() {
    let file = unprotected(appended());
    let whole = found_content(&file);
    // The search window ends in the middle of each section's head.
    let (container, _) = open(&file).unwrap();
    for entry in container.segments() {
        for before in 0..=at(section::HEAD_BYTES) {
            let junk = (64 << 10) - at(entry.offset) - before;
            let bytes = [&vec![b'P'; junk][..], &file[..]].concat();
            assert_eq!(found_content(&bytes), whole, "{before} before");
        }
    }
    let bytes = [&vec![b'P'; 300 << 10][..], &file[..]].concat();
    assert_eq!(found_content(&bytes), whole);
}

#[test]
fn copies_of_a_segment_are_distinguished() {
    let file = unprotected(fresh());
    let twice = [&file[..], &file[80..]].concat();
    let found = blocks(&found_content(&twice));
    assert_eq!(found[..3], blocks(&found_content(&file)));
    assert!(found.len() == 3 || found.len() == 6);
}

#[test]
fn a_block_comes_from_the_copy_that_is_whole() {
    let file = unprotected(fresh());
    let places = block_places(&file);
    let mut damaged = file.clone();
    damaged[places[0][1].start + 30] ^= 1;
    let twice = [&damaged[..], &file[80..]].concat();
    assert_eq!(
        blocks(&found_content(&twice))[..3],
        blocks(&found_content(&file))
    );
}

#[test]
fn blocks_are_found_whose_index_and_neighbour_are_lost() {
    let file = unprotected(fresh());
    let whole = found_content(&file);
    let [first, second] = [0, 1].map(|number| block_places(&file)[number][1].clone());
    let entry = segment_entry(&file, 0);
    let end = at(entry.offset + entry.bytes);
    for lost in [first, second] {
        let mut bytes = file.clone();
        bytes[lost.end - 1] ^= 1;
        bytes[end - 1] ^= 1;
        let found = found_content(&bytes);
        assert!(has_all_but(&file, &found, &lost));
        assert_eq!(found.len(), whole.len());
        // Blocks that overlap in the text cannot belong to the same copy of the
        // segment.
        let twice = [&bytes[..], &file[80..end]].concat();
        assert!(blocks(&found_content(&twice)).len() >= 2);
    }
}

#[test]
fn a_damaged_slot_may_have_referred_to_a_later_state() {
    for mut file in [fresh(), appended()].map(unprotected) {
        file[at(HEADER_BYTES)..at(FIRST_SECTION)].fill(0x55);
        assert!(!recovery(&file).is_outdated());
        file.push(0);
        let recovery = recovery(&file);
        assert!(recovery.is_outdated());
    }
}

#[test]
fn what_is_no_archive_is_refused() {
    for file in [&b""[..], b"1. e4 e5", &[0; 500], &fresh()[..80]] {
        assert!(RecoveryScan::of(Bytes(file), Limits::default()).is_err());
    }
    let mut file = fresh();
    file[SIGNATURE.len()] = 0xff;
    let crc = crc32fast::hash(&file[..12]).to_le_bytes();
    file[12..16].copy_from_slice(&crc);
    let refused = RecoveryScan::of(Bytes(&file), Limits::default()).map(|_| ());
    assert!(matches!(refused, Err(ContainerError::Version(_))));
}

#[test]
fn blocks_are_read_within_limits() {
    let file = unprotected(fresh());
    let limits = Limits {
        block_raw_bytes: 29,
        ..Limits::default()
    };
    let recovery = RecoveryScan::of(Bytes(&file[..]), limits).unwrap();
    let segment = &recovery.segments()[0];
    let refused = recovery.block(segment, 0).unwrap_err();
    assert_eq!(refused.class(), ErrorClass::Limit);
    assert!(recovery.block(segment, 1).is_ok());
    let misuse = recovery.block(segment, 2).unwrap_err();
    assert!(matches!(misuse, ContainerError::Misuse(_)));
    assert_eq!(segment.block_place(2), None);
}
