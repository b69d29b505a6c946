use super::super::error::{ErrorClass, FilePart};
use super::super::registry::SectionType;
use super::*;

const PLACE: FilePlace = FilePlace {
    part: FilePart::SegmentEnd,
    offset: 100,
};

const EXTENT: TablesExtent = TablesExtent {
    list_bytes: 9,
    head_bytes: 7,
    head_crc: 0x2a2b,
};

fn shape(games: u32, records: u32, raw_bytes: u32) -> BlockCounts {
    BlockCounts {
        games,
        records,
        raw_bytes,
    }
}

fn head(letters: &[u8; 4], flags: u8) -> SectionHead {
    SectionHead {
        section_type: SectionType(*letters),
        flags,
        payload_bytes: 7,
    }
}

/// Appends a block with as many bytes of tags, 25 more of payload, and checksums that follow from
/// that.
fn push(index: &mut BlockIndex, shape: BlockCounts, bytes: u32) -> Result<(), Damage> {
    let header = index.next_header(shape, bytes, bytes + 0x0a00)?;
    index.push_block(&header, bytes + 25, bytes + 0x0b00)
}

/// Two groups of two blocks and one.
fn sample() -> BlockIndex {
    let mut index = BlockIndex::new(SegmentId(*b"IDENTITY"), EXTENT).unwrap();
    push(&mut index, shape(2, 3, 40), 5).unwrap();
    push(&mut index, shape(0, 1, 10), 6).unwrap();
    index.end_group().unwrap();
    push(&mut index, shape(4, 4, 99), 7).unwrap();
    index.end_group().unwrap();
    index.push_section(head(b"indx", 0), 0x1a1b).unwrap();
    index
}

#[test]
fn golden_bytes() {
    let mut index = BlockIndex::new(SegmentId(*b"IDENTITY"), EXTENT).unwrap();
    push(&mut index, shape(2, 3, 40), 5).unwrap();
    index.end_group().unwrap();
    index.push_section(head(b"indx", 0), 0x1a1b).unwrap();
    let expected = [
        b'I', b'D', b'E', b'N', b'T', b'I', b'T', b'Y', // segment ID
        0x2b, 0x2a, 0, 0,  // CRC-32 of the head of the tables
        9,  // size of the list of tables
        7,  // size of its head
        1,  // blocks
        1,  // groups
        1,  // other sections
        1,  // blocks of the group
        2,  // games
        1,  // other records
        40, // raw bytes
        5,  // bytes of the tags
        0x05, 0x0a, 0, 0,  // CRC-32 of the tags
        30, // bytes of the payload
        0x05, 0x0b, 0, 0, // CRC-32 of the block
        b'i', b'n', b'd', b'x', // type of the section
        0,    // flags
        7,    // payload bytes
        0x1b, 0x1a, 0, 0, // CRC-32 of the section
    ];
    assert_eq!(index.encode(), expected);
    assert_eq!(index.end_bytes(), expected.len() as u64 + 20);
}

#[test]
fn an_index_round_trips() {
    let index = sample();
    assert_eq!(
        BlockIndex::parse(&index.encode(), u64::MAX, PLACE).unwrap(),
        index
    );
    let [first, second, third] = index.blocks() else {
        panic!("three blocks");
    };
    let [group, other] = index.tags() else {
        panic!("two groups");
    };
    assert_eq!((group.blocks, other.first_block, other.blocks), (2, 2, 1));
    assert_eq!(first.offset - group.offset, 20 + 8 + 5 + 6);
    assert_eq!(first.tags_offset - group.offset, 16 + 8);
    assert_eq!(second.tags_offset - first.tags_offset, 5);
    assert_eq!(second.offset - first.offset, 20 + 25 + 5);
    assert_eq!(other.offset - second.offset, 20 + 25 + 6);
    assert_eq!(third.tags_offset - other.offset, 16 + 8);
    assert_eq!(third.raw_offset, 50);
    assert_eq!(third.first_game, 2);
    assert_eq!(index.sections()[0].offset - third.offset, 20 + 25 + 7);
    assert_eq!(
        (index.games(), index.records(), index.raw_bytes()),
        (6, 8, 149)
    );
}

#[test]
fn games_are_found_past_blocks_without_games() {
    let index = sample();
    let found: Vec<_> = (0..8).map(|game| index.block_of_game(game)).collect();
    let two = Some(2);
    assert_eq!(found, [Some(0), Some(0), two, two, two, two, None, None]);
}

#[test]
fn every_cut_and_every_extra_byte_is_refused() {
    let whole = sample().encode();
    for len in 0..whole.len() {
        assert!(
            BlockIndex::parse(&whole[..len], u64::MAX, PLACE).is_err(),
            "{len}"
        );
    }
    assert!(BlockIndex::parse(&[&whole[..], &[0]].concat(), u64::MAX, PLACE).is_err());
}

#[test]
fn wrong_counts_allocate_no_memory() {
    let mut bytes = sample().encode();
    for count in 14..18 {
        bytes.splice(count..=count, [255, 255, 255, 255, 15]);
        assert!(BlockIndex::parse(&bytes, u64::MAX, PLACE).is_err());
        bytes = sample().encode();
    }
    assert!(BlockIndex::parse(&bytes, 3 * 39, PLACE).is_ok());
    assert!(BlockIndex::parse(&bytes, 3 * 39 - 1, PLACE).is_err());
}

#[test]
fn impossible_counts_are_refused() {
    let mut index = sample();
    assert!(push(&mut index, shape(1, 1, 1), 1).is_err(), "late");
    assert!(index.end_group().is_err(), "empty");
    let mut index = BlockIndex::new(SegmentId([0; 8]), TablesExtent::default()).unwrap();
    for impossible in [shape(0, 0, 1), shape(2, 1, 5), shape(0, 5, 4)] {
        assert!(push(&mut index, impossible, 1).is_err());
    }
    assert!(push(&mut index, shape(1, 1, 1), 0).is_err(), "no tags");
    push(&mut index, shape(u32::MAX, u32::MAX, u32::MAX), 1).unwrap();
    assert!(push(&mut index, shape(1, 1, 1), 1).is_err(), "sum");
    assert!(index.push_section(head(b"indx", 0), 0).is_err(), "open");
    index.end_group().unwrap();
    let huge = SectionHead {
        payload_bytes: u64::MAX - 30,
        ..head(b"indx", 0)
    };
    assert!(index.push_section(huge, 0).is_err());
    assert!(index.push_section(head(b"BLOK", 1), 0).is_err());
    for (list_bytes, head_bytes) in [(u64::MAX, 0), (9, 10)] {
        let extent = TablesExtent {
            list_bytes,
            head_bytes,
            head_crc: 0,
        };
        assert!(BlockIndex::new(SegmentId([0; 8]), extent).is_err());
    }
}

#[test]
fn types_beyond_ascii_are_refused() {
    let mut index = sample();
    for letters in [b"\x80ndx", b"ind\xff"] {
        assert!(index.push_section(head(letters, 0), 0).is_err());
    }
    let mut bytes = index.encode();
    let place = bytes
        .windows(4)
        .position(|window| window == b"indx")
        .unwrap();
    assert!(BlockIndex::parse(&bytes, u64::MAX, PLACE).is_ok());
    bytes[place] |= 0x80;
    assert!(BlockIndex::parse(&bytes, u64::MAX, PLACE).is_err());
}

#[test]
fn unknown_critical_sections_and_large_parts_are_refused() {
    let limits = Limits::default();
    let mut index = sample();
    assert!(index.check_limits(1000, &limits, PLACE).is_ok());
    let small = Limits {
        block_raw_bytes: 98,
        ..Limits::default()
    };
    let class = |error: ContainerError| error.class();
    let refused = index.check_limits(1000, &small, PLACE).map_err(class);
    assert_eq!(refused, Err(ErrorClass::Limit));
    index.push_section(head(b"newX", CRITICAL), 0).unwrap();
    let error = index.check_limits(1000, &limits, PLACE).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Version);
    assert!(error.to_string().starts_with("section newX at byte 1"));
}
