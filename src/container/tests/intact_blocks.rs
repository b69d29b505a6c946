//! Each intact block is found, whatever edits were made to the file.

use super::super::read_at::SectionInput;
use super::super::registry;
use super::super::scan::scan;
use super::super::section::HEAD_BYTES;
use super::super::segment_end::TAGS_OFFSET;
use super::*;
use crate::bits::ByteReader;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The sections of all intact blocks, and all places at which the tags of a group may begin.
fn marked(file: &[u8]) -> (BTreeSet<Vec<u8>>, Vec<usize>) {
    let input = SectionInput::new(Bytes(file), Limits::default()).unwrap();
    let (mut blocks, mut tags) = (BTreeSet::new(), Vec::new());
    let seen = scan(&input, |mark| {
        match mark.head.section_type {
            registry::BLOCK if mark.valid_crc.is_some() => {
                blocks.insert(file[at(mark.offset)..at(mark.end())].to_vec());
            }
            registry::TAGS => tags.push(at(mark.offset + TAGS_OFFSET)),
            _ => {}
        }
        Ok(())
    });
    seen.unwrap();
    (blocks, tags)
}

/// The sections of all intact blocks whose tags are intact too, after a mark of their segment.
fn whole_blocks(file: &[u8]) -> BTreeSet<Vec<u8>> {
    let (mut blocks, marks) = marked(file);
    blocks.retain(|section| {
        let header = BlockHeader::read(&mut ByteReader::new(&section[16..])).unwrap();
        marks.iter().any(|first| {
            let start = first + header.tags.offset as usize;
            let tags = file.get(start..start + header.tags.bytes as usize);
            file.get(first - 8..*first) == Some(&header.segment.0[..])
                && tags.is_some_and(|tags| crc32fast::hash(tags) == header.tags.crc)
        })
    });
    blocks
}

/// The sections of the blocks that recovery finds.
fn found_blocks(file: &[u8]) -> BTreeSet<Vec<u8>> {
    let Ok(recovery) = RecoveryScan::of(Bytes(file), Limits::default()) else {
        return BTreeSet::new();
    };
    let mut blocks = BTreeSet::new();
    for segment in recovery.segments() {
        for number in 0..segment.blocks().len() {
            let place = segment.block_place(number).unwrap();
            blocks.insert(file[at(place.start)..at(place.end)].to_vec());
        }
    }
    blocks
}

/// Archives, two of which have segments with the same tables, and so with the same ID.
fn archives() -> [Vec<u8>; 4] {
    let like = |packed: &[u8]| single(&[part("a", 0, 9, 1, 1)], packed);
    let files = [fresh(), appended(), like(b"moves"), like(b"other moves")];
    files.map(unprotected)
}

#[test]
fn a_block_of_equal_tables_in_the_place_of_another_is_found() {
    let [_, _, file, other_file] = archives();
    let block = |file: &[u8]| {
        let first = segment_entry(file, 0).offset;
        let section = whole_blocks(file).pop_first().unwrap();
        let place = memchr::memmem::find(file, &section).unwrap();
        assert!(place > at(first) && section.len() > at(HEAD_BYTES));
        (place, section)
    };
    let ((place, section), (_, other)) = (block(&file), block(&other_file));
    for end in [place, place + section.len()] {
        let mut bytes = file.clone();
        bytes.splice(place..end, other.iter().copied());
        assert_eq!(found_blocks(&bytes), whole_blocks(&bytes));
        assert!(
            !found_blocks(&bytes).contains(&other),
            "its tags are elsewhere"
        );
        let bytes = [&bytes[..], &other_file].concat();
        assert!(found_blocks(&bytes).contains(&other));
    }
}

/// A file whose directory lists one segment twice.
fn twice() -> Vec<u8> {
    let parts = [part("a", 0, 9, 1, 1)];
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    for copy in 0..2 {
        writer.begin_segment(&tables(&parts, b"")).unwrap();
        writer.block(shape(1, 1, 9), packed(b"moves")).unwrap();
        writer.end_segment(sources(copy, 1)).unwrap();
    }
    let (mut file, slot) = writer
        .finish(vec![source("a", 9, 1, 1), source("b", 9, 1, 1)])
        .unwrap();
    slot.write_to(&mut file);
    file
}

#[test]
fn a_copy_has_the_blocks_and_the_end_of_the_other() {
    let file = unprotected(twice());
    for number in [0, 1] {
        let segment = segment_entry(&file, number);
        let mut bytes = file.clone();
        bytes[at(segment.offset)..at(segment.offset + segment.bytes)].fill(0);
        let recovery = RecoveryScan::of(Bytes(&bytes[..]), Limits::default()).unwrap();
        let found: Vec<usize> = recovery
            .segments()
            .iter()
            .map(|left| left.blocks().len())
            .collect();
        assert_eq!(found, [1, 1]);
    }
}

/// An edit of a file: its kind, its place, its length, and the place it copies from.
type Edit = (u8, prop::sample::Index, usize, prop::sample::Index);

fn edit(file: &mut Vec<u8>, (kind, at, len, from): &Edit) {
    let at = at.index(file.len());
    let end = file.len().min(at + len);
    let from = from.index(file.len());
    let copy = file[from..file.len().min(from + len)].to_vec();
    match kind {
        0 => drop(file.drain(at..end)),
        1 => file[at..end].fill(0),
        2 => file[at] ^= 1,
        3 => drop(file.splice(at..at, copy)),
        _ => drop(file.splice(at..end, copy)),
    }
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn every_whole_block_is_found(
        chosen in prop::collection::vec(0..4usize, 1..3),
        edits in prop::collection::vec(
            (0..5u8, any::<prop::sample::Index>(), 1..600usize, any::<prop::sample::Index>()),
            0..6,
        ),
    ) {
        let archives = archives();
        let mut file: Vec<u8> = chosen.iter().flat_map(|chosen| archives[*chosen].clone()).collect();
        for change in &edits {
            if !file.is_empty() {
                edit(&mut file, change);
            }
        }
        // A version that is not supported is refused.
        if RecoveryScan::of(Bytes(&file[..]), Limits::default()).is_ok() {
            // Tags are also found if only their mark is damaged.
            let found = found_blocks(&file);
            prop_assert!(found.is_superset(&whole_blocks(&file)));
            prop_assert!(found.is_subset(&marked(&file).0));
        }
    }
}
