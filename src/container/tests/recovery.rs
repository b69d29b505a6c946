//! The remains of a damaged file are found.

use super::*;
use std::ops::Range;

fn recovery(file: &[u8]) -> RecoveryScan<Bytes<&[u8]>> {
    RecoveryScan::of(Bytes(file), Limits::default()).unwrap()
}

/// The remains of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FoundContent {
    id: SegmentId,
    blocks: Vec<(BlockHeader, Vec<u8>)>,
    tables: Option<Tables>,
    parts: Option<Vec<SourcePart>>,
}

fn found_content(file: &[u8]) -> Vec<FoundContent> {
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
            assert!(memchr::memmem::find(section, block.packed()).is_some());
            (*header, block.packed().to_vec())
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

fn blocks(left: &[FoundContent]) -> Vec<Vec<u8>> {
    let blocks = left.iter().flat_map(|segment| &segment.blocks);
    blocks.map(|(_, packed)| packed.clone()).collect()
}

/// The ranges of the blocks in an intact file.
fn block_places(file: &[u8]) -> Vec<Range<usize>> {
    let recovery = recovery(file);
    let mut places = Vec::new();
    for segment in recovery.segments() {
        for number in 0..segment.blocks().len() {
            let place = segment.block_place(number).unwrap();
            places.push(at(place.start)..at(place.end));
        }
    }
    places
}

/// Whether all blocks are found in order, except those that overlap `lost`.
fn has_all_but(file: &[u8], found: &[FoundContent], lost: &Range<usize>) -> bool {
    let whole = blocks(&found_content(file));
    let is_whole = |place: &Range<usize>| {
        place.end <= lost.start || place.start >= lost.end || lost.is_empty()
    };
    let expected = block_places(file)
        .into_iter()
        .zip(whole)
        .filter(|(place, _)| is_whole(place))
        .map(|(_, packed)| packed);
    expected.eq(blocks(found))
}

/// The ranges of the directories and footers of a file, footer copies included.
fn ends(file: &[u8]) -> Vec<Range<usize>> {
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
        assert_eq!(recovery.totals(), Some(expected.totals));
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
    let file = appended();
    let whole = found_content(&file);
    for index in 0..file.len() {
        let mut bytes = file.clone();
        bytes[index] ^= 0x55;
        let found = found_content(&bytes);
        assert!(has_all_but(&file, &found, &(index..index + 1)), "{index}");
        // Parity repairs the tables.
        let tables = |left: &[FoundContent]| -> Vec<_> {
            let known = left.iter().map(|left| (left.id, left.tables.clone()));
            known.collect()
        };
        assert_eq!(tables(&found), tables(&whole), "{index}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn lost_and_added_bytes_move_the_rest() {
    let file = appended();
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
            .any(|place| place.start < index && index < place.end);
        let lost = index.saturating_sub(usize::from(is_inside))..index;
        assert!(has_all_but(&file, &found, &lost), "{index}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn nothing_needs_to_lead_to_a_segment() {
    let file = appended();
    let whole = found_content(&file);
    let before = fresh();
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
        if has(6) || has(7) {
            assert_eq!(recovery.totals(), Some(content(&file).totals), "{chosen:b}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn marks_are_found_at_any_offset() {
    let file = appended();
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
    let file = fresh();
    let twice = [&file[..], &file[80..]].concat();
    let found = blocks(&found_content(&twice));
    assert_eq!(found[..3], blocks(&found_content(&file)));
    assert!(found.len() == 3 || found.len() == 6);
}

#[test]
fn a_block_comes_from_the_copy_that_is_whole() {
    let file = fresh();
    let places = block_places(&file);
    let mut damaged = file.clone();
    damaged[places[0].start + 50] ^= 1;
    let twice = [&damaged[..], &file[80..]].concat();
    assert_eq!(
        blocks(&found_content(&twice))[..3],
        blocks(&found_content(&file))
    );
}

#[test]
fn blocks_are_found_whose_index_and_neighbour_are_lost() {
    let file = fresh();
    let whole = found_content(&file);
    let [first, second] = [0, 1].map(|number| block_places(&file)[number].clone());
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

/// A file with one segment, which is in no other file and larger than the others.
fn other() -> Vec<u8> {
    single(&[part("a", 0, 9, 1, 1)], &[9; 3000])
}

#[test]
fn both_of_two_joined_files_are_found() {
    let files = [fresh(), other(), appended()];
    for (first, second) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
        let (first, second) = (&files[first], &files[second]);
        for between in [&b""[..], b"\n"] {
            let joined = [first, between, second].concat();
            let mut expected = [
                blocks(&found_content(first)),
                blocks(&found_content(second)),
            ]
            .concat();
            let mut found = blocks(&found_content(&joined));
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            let recovery = recovery(&joined);
            assert!(!recovery.is_outdated());
            let unlisted = recovery.segments().iter().filter(|left| left.is_unlisted);
            assert!(unlisted.count() > 0);
        }
    }
}

#[test]
fn loss_in_one_of_two_joined_files_is_reported() {
    let files = [fresh(), other()];
    for (first, second) in [(0, 1), (1, 0)] {
        let joined = [&files[first][..], &files[second]].concat();
        for (file, start) in [(first, 0), (second, files[first].len())] {
            let entry = segment_entry(&files[file], 0);
            let segment = at(entry.offset)..at(entry.offset + entry.bytes);
            let lost = [segment, ends(&files[file])[0].clone()];
            for lost in lost {
                let mut bytes = joined.clone();
                bytes[start + lost.start..start + lost.end].fill(0);
                let recovery = recovery(&bytes);
                let is_listed =
                    |left: &FoundSegment| left.entry.is_some() && left.blocks().len() == 0;
                let is_seen = recovery.segments().iter().any(is_listed);
                assert!(is_seen || recovery.is_outdated() && recovery.totals().is_none());
            }
        }
    }
}

#[test]
fn an_archive_inside_a_damaged_block_is_found_after_listed_segments() {
    let inner = other();
    let mut file = single(&[part("b", 0, 9, 1, 1)], &inner);
    let segment = segment_entry(&file, 0);
    let packed = memchr::memmem::find(&file, &inner).unwrap();
    file[packed] ^= 1;
    let whole_segment = at(segment.offset + segment.bytes);
    // If bytes were added after it, it is not where the directory states.
    for added in [0, 20, 9000] {
        let mut bytes = file.clone();
        bytes.splice(whole_segment..whole_segment, vec![b'P'; added]);
        let recovery = recovery(&bytes);
        let found = recovery.segments().iter();
        let found: Vec<_> = found
            .map(|left| (left.id, left.blocks().len(), left.is_unlisted))
            .collect();
        let held = (segment_entry(&inner, 0).id, 1, true);
        assert_eq!(found, [(segment.id, 0, false), held], "{added}");
    }
}

#[test]
fn what_was_written_over_a_segment_is_found() {
    let mut file = single(&[part("b", 0, 9, 1, 1)], &[7; 9000]);
    let whole = segment_entry(&file, 0);
    let over = other();
    let written = segment_entry(&over, 0);
    let segment = &over[at(written.offset)..at(written.offset + written.bytes)];
    file[at(whole.offset)..at(whole.offset) + segment.len()].copy_from_slice(segment);
    let recovery = recovery(&file);
    let found: Vec<_> = recovery.segments().iter().map(|left| left.id).collect();
    assert_eq!(found, [whole.id, written.id]);
    assert_eq!(recovery.segments()[1].blocks().len(), 1);
}

/// The ranges of the tables and ends of segments.
fn other_places(file: &[u8]) -> Vec<Range<usize>> {
    let (container, _) = open(file).unwrap();
    let entries = container.segments().iter().enumerate();
    let places = entries.flat_map(|(number, entry)| {
        let (segment, _) = container.segment(number).unwrap();
        let first = segment.index().blocks()[0].offset;
        let end = entry.end_offset()..entry.offset + entry.bytes;
        [entry.offset..entry.offset + first, end]
    });
    places.map(|place| at(place.start)..at(place.end)).collect()
}

#[test]
fn what_was_written_twice_is_found_once() {
    let file = fresh();
    let whole = blocks(&found_content(&file));
    let places = [block_places(&file), other_places(&file)].concat();
    for place in places {
        let mut bytes = file.clone();
        bytes.splice(place.end..place.end, file[place.clone()].to_vec());
        assert_eq!(blocks(&found_content(&bytes)), whole, "{place:?}");
        // The sections that refer to segments may be lost, or the ends of segments.
        let moved = |at: usize| at + if at >= place.end { place.len() } else { 0 };
        let mut blind = bytes.clone();
        for end in ends(&file) {
            blind[moved(end.start)..moved(end.end - 1)].fill(0);
        }
        assert_eq!(blocks(&found_content(&blind)), whole, "{place:?}");
        for end in other_places(&file) {
            let mut bytes = bytes.clone();
            bytes[moved(end.end - 1)] ^= 1;
            assert_eq!(blocks(&found_content(&bytes)), whole, "{place:?} {end:?}");
        }
    }
}

#[test]
fn tables_serve_all_copies() {
    let file = fresh();
    let [first, second] = [0, 1].map(|number| block_places(&file)[number].clone());
    let mut damaged = file.clone();
    for end in ends(&file) {
        damaged[end].fill(0);
    }
    // Of the other copy only a block is left, and no end and no directory refers to it.
    let mut copy = vec![0; file.len()];
    copy[first.clone()].copy_from_slice(&file[first.clone()]);
    damaged[first.start + 50] ^= 1;
    let found = found_content(&[&damaged[..], &copy].concat());
    assert!(found.iter().all(|left| left.tables.is_some()));
    assert_eq!(blocks(&found).len(), block_places(&file).len());
    // Blocks that are also in the first copy are found once.
    copy.fill(0);
    copy[second.clone()].copy_from_slice(&file[second]);
    let found = found_content(&[damaged, copy].concat());
    assert_eq!(blocks(&found).len(), block_places(&file).len() - 1);
}

#[test]
fn a_directory_refers_to_the_copy_in_its_file() {
    let file = fresh();
    let joined = [&file[..], &file].concat();
    let recovery = recovery(&joined);
    let is_after: Vec<(bool, bool)> = recovery
        .segments()
        .iter()
        .map(|left| (left.is_unlisted, left.span.start >= file.len() as u64))
        .collect();
    assert_eq!(is_after, [(false, true); 2]);
}

#[test]
fn a_damaged_slot_may_have_referred_to_a_later_state() {
    for mut file in [fresh(), appended()] {
        file[at(HEADER_BYTES)..at(FIRST_SECTION)].fill(0x55);
        assert!(!recovery(&file).is_outdated());
        file.push(0);
        let recovery = recovery(&file);
        assert!(recovery.is_outdated());
        assert_eq!(recovery.totals(), None);
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
    let file = fresh();
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
