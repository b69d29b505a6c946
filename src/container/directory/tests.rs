use super::super::error::FilePart;
use super::*;

const PLACE: FilePlace = FilePlace {
    part: FilePart::Directory,
    offset: 0,
};

fn segment(offset: u64, first: u32, count: u32) -> SegmentEntry {
    SegmentEntry {
        offset,
        bytes: 200,
        end_bytes: 64,
        end_crc: 0x0a0b,
        id: SegmentId(*b"IDENTITY"),
        first_game: 0,
        games: 2,
        records: 3,
        raw_bytes: 40,
        parts: PartRange { first, count },
        summary: SummaryEntry::UNKNOWN,
    }
}

fn source(name: &str, bytes: u64) -> Source {
    Source {
        name: name.to_owned(),
        bytes,
        games: bytes / 20,
        records: bytes * 3 / 40,
        digest: [7; 32],
    }
}

fn sample() -> Directory {
    let mut directory = Directory::default();
    directory.push_segment(segment(80, 0, 1)).unwrap();
    directory.push_segment(segment(280, 0, 2)).unwrap();
    directory.push_source(source("a.pgn", 40)).unwrap();
    directory.push_source(source("b/é.pgn", 40)).unwrap();
    directory
}

fn with_segments(entries: &[SegmentEntry]) -> Result<Directory, Damage> {
    let mut directory = Directory::default();
    for entry in entries {
        directory.push_segment(entry.clone())?;
    }
    directory.push_source(source("a", 40 * entries.len() as u64))?;
    directory.check_totals().map(|()| directory)
}

#[test]
fn golden_bytes() {
    let directory = with_segments(&[segment(80, 0, 1)]).unwrap();
    let segment = [
        1, 0, 0, 0, // segments
        1, 0, 0, 0, // sources
        80, 0, 0, 0, 0, 0, 0, 0, // file offset
        200, 0, 0, 0, 0, 0, 0, 0, // bytes
        64, 0, 0, 0, 0, 0, 0, 0, // bytes of the segment's end
        40, 0, 0, 0, 0, 0, 0, 0, // raw bytes
        b'I', b'D', b'E', b'N', b'T', b'I', b'T', b'Y', // segment ID
        2, 0, 0, 0, // games
        3, 0, 0, 0, // records
        0, 0, 0, 0, // first source
        1, 0, 0, 0, // source parts
        0x0b, 0x0a, 0, 0, // CRC-32 of the segment's end
        0, 0, 0, 0, // first day
        255, 255, 255, 255, // last day
        255, 255, 255, 255, // malformed dates: not known
        255, 255, // bytes of a cell of names: nothing is known
        0, 0, 0, 0, 0, 0, 0, 0, // file offset of names
    ];
    let source = [
        40, 0, 0, 0, 0, 0, 0, 0, // bytes
        2, 0, 0, 0, 0, 0, 0, 0, // games
        3, 0, 0, 0, 0, 0, 0, 0, // records
    ];
    let name = [1, 0, b'a'];
    let expected = [&segment[..], &source, &[7; 32], &name].concat();
    assert_eq!(directory.encode(), expected);
    let sizes = FIXED_BYTES + SEGMENT_ENTRY_BYTES + NAMES_OFFSET_BYTES + SOURCE_FIXED_BYTES + 1;
    assert_eq!(expected.len() as u64, sizes);
}

#[test]
fn a_directory_round_trips() {
    let directory = sample();
    let parsed = Directory::parse(&directory.encode(), PLACE).unwrap();
    assert_eq!(parsed, directory);
    assert_eq!(parsed.segments()[1].first_game, 2);
    assert_eq!(parsed.totals().games, 4);
    assert_eq!(parsed.end(), 480);
}

#[test]
fn every_cut_and_every_extra_byte_is_refused() {
    let whole = sample().encode();
    for len in 0..whole.len() {
        assert!(Directory::parse(&whole[..len], PLACE).is_err(), "{len}");
    }
    assert!(Directory::parse(&[&whole[..], &[0]].concat(), PLACE).is_err());
    let mut lying = whole;
    lying[..8].fill(0xff);
    assert!(Directory::parse(&lying, PLACE).is_err());
}

#[test]
fn names_must_be_utf_8() {
    let mut bytes = sample().encode();
    let len = bytes.len();
    bytes[len - 5] = 0xff;
    assert!(Directory::parse(&bytes, PLACE).is_err());
}

#[test]
fn segments_must_rise_and_be_possible() {
    let good = segment(80, 0, 1);
    assert!(with_segments(&[good.clone(), segment(280, 0, 1)]).is_ok());
    assert!(with_segments(&[good.clone(), segment(279, 0, 1)]).is_err());
    assert!(with_segments(&[good.clone(), good.clone()]).is_err());
    assert!(with_segments(&[segment(79, 0, 1)]).is_err());
    assert!(with_segments(&[segment(80, 0, 0)]).is_err());
    assert!(with_segments(&[segment(80, 0, 2)]).is_err());
    assert!(with_segments(&[segment(u64::MAX - 100, 0, 1)]).is_err());
    let broken: [fn(&mut SegmentEntry); 5] = [
        |entry| entry.end_bytes = 43,
        |entry| entry.end_bytes = 200,
        |entry| entry.games = 4,
        |entry| entry.records = 41,
        |entry| (entry.games, entry.records) = (0, 0),
    ];
    for change in broken {
        let mut entry = good.clone();
        change(&mut entry);
        assert!(with_segments(&[entry.clone()]).is_err(), "{entry:?}");
    }
}

#[test]
fn sources_must_stay_in_order() {
    let mut directory = Directory::default();
    directory.push_segment(segment(80, 0, 2)).unwrap();
    assert!(directory.push_segment(segment(280, 0, 1)).is_err());
    assert!(directory.push_segment(segment(280, 1, 1)).is_ok());
}

#[test]
fn sums_must_agree() {
    let mut directory = sample();
    directory.push_source(source("empty", 0)).unwrap();
    assert!(directory.check_totals().is_ok());
    directory.push_source(source("more", 40)).unwrap();
    assert!(directory.check_totals().is_err());
    let huge = Source {
        bytes: u64::MAX,
        ..source("huge", 40)
    };
    directory.push_source(huge).unwrap();
    assert!(directory.check_totals().is_err());
}
