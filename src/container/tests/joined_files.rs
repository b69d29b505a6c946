//! The remains of files that were joined, copied or written over are found.

use super::recovery::*;
use super::*;
use std::ops::Range;

/// A file with one segment, which is in no other file and larger than the others.
fn other() -> Vec<u8> {
    unprotected(single(&[part("a", 0, 9, 1, 1)], &[9; 3000]))
}

#[test]
fn both_of_two_joined_files_are_found() {
    let files = [unprotected(fresh()), other(), unprotected(appended())];
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
    let files = [unprotected(fresh()), other()];
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
                assert!(is_seen || recovery.is_outdated());
            }
        }
    }
}

#[test]
fn an_archive_inside_a_damaged_block_is_found_after_listed_segments() {
    let inner = other();
    let mut file = unprotected(single(&[part("b", 0, 9, 1, 1)], &inner));
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
    let mut file = unprotected(single(&[part("b", 0, 9, 1, 1)], &[7; 9000]));
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

/// The ranges of the sections of blocks.
fn block_sections(file: &[u8]) -> Vec<Range<usize>> {
    let places = block_places(file).into_iter();
    places.map(|[_, section]| section).collect()
}

/// The ranges of the tables, tags and ends of segments.
fn other_places(file: &[u8]) -> Vec<Range<usize>> {
    let (container, _) = open(file).unwrap();
    let entries = container.segments().iter().enumerate();
    let places = entries.flat_map(|(number, entry)| {
        let segment = container.segment(number).unwrap();
        let tags = segment.index().tags()[0];
        let start = entry.offset + tags.offset;
        let end = entry.end_offset()..entry.offset + entry.bytes;
        [entry.offset..start, start..start + tags.bytes, end]
    });
    places.map(|place| at(place.start)..at(place.end)).collect()
}

#[test]
fn what_was_written_twice_is_found_once() {
    let file = unprotected(fresh());
    let whole = blocks(&found_content(&file));
    let places = [block_sections(&file), other_places(&file)].concat();
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
    let file = unprotected(fresh());
    let [first, second] = [0, 1].map(|number| block_sections(&file)[number].clone());
    let mut damaged = file.clone();
    for end in ends(&file) {
        damaged[end].fill(0);
    }
    // Of the other copy only a block is left, and no end and no directory refers to it.
    let mut copy = vec![0; file.len()];
    copy[first.clone()].copy_from_slice(&file[first.clone()]);
    damaged[first.start + 30] ^= 1;
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
    let file = unprotected(fresh());
    let joined = [&file[..], &file].concat();
    let recovery = recovery(&joined);
    let is_after: Vec<(bool, bool)> = recovery
        .segments()
        .iter()
        .map(|left| (left.is_unlisted, left.span.start >= file.len() as u64))
        .collect();
    assert_eq!(is_after, [(false, true); 2]);
}
