//! Segments of several groups of blocks.

use super::recovery::{blocks, found_content, has_all_but};
use super::*;

const TEXTS: [&[u8]; 5] = [b"first", b"second", b"third", b"fourth", b"fifth"];

/// A file with one segment of five blocks in groups of two, two and one.
fn grouped() -> Vec<u8> {
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    writer.set_group_blocks(2);
    let all = [part("a", 0, 50, 5, 5)];
    writer.begin_segment(&tables(&all, b"book")).unwrap();
    for text in TEXTS {
        writer.block(shape(1, 1, 10), packed(text)).unwrap();
    }
    writer.section(INDEX, 0, b"positions").unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    let (mut file, slot) = writer.finish(vec![source("a", 50, 5, 5)]).unwrap();
    slot.write_to(&mut file);
    file
}

#[test]
fn groups_round_trip() {
    let read = content(&grouped());
    let movetexts: Vec<_> = read
        .blocks
        .iter()
        .map(|(_, movetext)| &movetext[..])
        .collect();
    assert_eq!(movetexts, TEXTS);
    assert_eq!(read.tags, TEXTS);
    let file = grouped();
    let (container, _) = open(&file).unwrap();
    let segment = container.segment(0).unwrap();
    let groups = segment.index().tags().iter();
    let groups: Vec<_> = groups
        .map(|group| (group.first_block, group.blocks))
        .collect();
    assert_eq!(groups, [(0, 2), (2, 2), (4, 1)]);
}

#[test]
fn a_copy_has_the_same_groups() {
    let file = grouped();
    let (container, _) = open(&file).unwrap();
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    let warning = writer.copy_segment(&container, 0, sources(0, 1)).unwrap();
    assert_eq!(warning, None);
    let (mut copy, slot) = writer.finish(container.sources().to_vec()).unwrap();
    slot.write_to(&mut copy);
    assert_eq!(copy, file);
}

/// With and without the end of the segment and the directory.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_damaged_byte_costs_no_more_than_its_block() {
    let file = unprotected(grouped());
    let end = at(segment_entry(&file, 0).end_offset());
    for is_blind in [false, true] {
        for index in 0..end {
            let mut bytes = file.clone();
            bytes[index] ^= 0x55;
            if is_blind {
                bytes[end..].fill(0);
            }
            let found = found_content(&bytes);
            assert!(has_all_but(&file, &found, &(index..index + 1)), "{index}");
        }
    }
}

#[test]
fn tags_are_found_if_the_head_of_their_section_and_other_blocks_are_lost() {
    let file = unprotected(grouped());
    let (container, _) = open(&file).unwrap();
    let segment = container.segment(0).unwrap();
    let start = segment.entry().offset;
    let second = segment.index().tags()[1];
    let lost = segment.index().blocks()[2];
    for damaged in [second.offset, lost.offset] {
        let mut bytes = file.clone();
        bytes[at(start + damaged)] ^= 1;
        bytes[at(start + lost.offset) + 20] ^= 1;
        let found = blocks(&found_content(&bytes));
        let expected = [TEXTS[0], TEXTS[1], TEXTS[3], TEXTS[4]];
        assert_eq!(found, expected, "{damaged}");
    }
}

/// A source that logs what is announced.
struct Announced<'a>(&'a [u8], std::sync::Mutex<Vec<Range<u64>>>);

impl ReadAt for Announced<'_> {
    fn size(&self) -> std::io::Result<u64> {
        Bytes(self.0).size()
    }

    fn read_at(&self, offset: u64, len: usize) -> std::io::Result<Vec<u8>> {
        Bytes(self.0).read_at(offset, len)
    }

    fn will_read(&self, ranges: &[Range<u64>]) {
        self.1.lock().unwrap().extend_from_slice(ranges);
    }
}

#[test]
fn tags_are_announced_from_their_group_on() {
    let file = grouped();
    let source = Announced(&file, std::sync::Mutex::default());
    let (container, _) = Container::open(&source, Limits::default()).unwrap();
    let segment = container.segment(0).unwrap();
    let start = segment.entry().offset;
    let range = |offset: u64, bytes: u64| start + offset..start + offset + bytes;
    let groups = segment.index().tags().iter();
    let groups: Vec<_> = groups.map(|tags| range(tags.offset, tags.bytes)).collect();
    let announced = |announce: &dyn Fn()| {
        announce();
        std::mem::take(&mut *source.1.lock().unwrap())
    };
    announced(&|| {});
    for (block, first) in [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)] {
        let found = announced(&|| container.will_read_tags(&segment, block));
        assert_eq!(found, groups[first..]);
    }
    let block = segment.index().blocks()[3];
    let found = announced(&|| container.will_read_block(&segment, 3, true));
    let tags = range(block.tags_offset, block.tags.bytes.into());
    assert_eq!(found, [tags, range(block.offset, block.section_bytes())]);
}
