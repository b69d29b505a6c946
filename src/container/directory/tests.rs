use super::super::error::FilePart;
use super::*;
use crate::container::parity::ParitySpan;

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

fn model(first: u8) -> ModelEntry {
    ModelEntry {
        digest: [first; 32],
        offset: 480 + 300 * u64::from(first - 7),
        bytes: 300,
    }
}

fn sample() -> Directory {
    let mut directory = Directory::default();
    directory.push_segment(segment(80, 0, 1)).unwrap();
    directory.push_segment(segment(280, 0, 2)).unwrap();
    directory.push_model(model(7)).unwrap();
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
        1, // segments
        0, // parity sections
        0, // models
        1, // sources
        b'I', b'D', b'E', b'N', b'T', b'I', b'T', b'Y', // segment ID
        0x0b, 0x0a, 0, 0, // CRC-32 of the segment's end
        0, // bytes since the previous segment
        200, 1,  // bytes
        64, // bytes of the segment's end
        2,  // games
        1,  // other records
        40, // raw bytes
        0,  // first source, since the last one of the previous segment
        1,  // source parts
        0,  // first day
        255, 255, 255, 255, 15, // last day
        0,  // malformed dates: not known
        0,  // bytes of a cell of names: nothing is known
        0,  // file offset of names
    ];
    // Bytes, games, other records, length of the name.
    let source = [&[7; 32][..], &[40, 2, 1, 1], b"a"].concat();
    let expected = [&segment[..], &source].concat();
    assert_eq!(directory.encode(), expected);
}

#[test]
fn parity_sections_must_be_in_order_and_possible() {
    let span = |start, offset, bytes| ParitySpan {
        start,
        offset,
        bytes,
    };
    let checked = |spans: &[ParitySpan]| ParitySpan::check_all(spans).is_ok();
    let (first, second) = (span(80, 300, 100), span(400, 500, 60));
    assert!(checked(&[first, second]));
    assert!(!checked(&[second, first]));
    assert!(!checked(&[first, span(399, 500, 60)]));
    for impossible in [
        span(79, 300, 100),
        span(80, 79, 100),
        span(80, 300, 30),
        span(80, 300, u64::MAX),
    ] {
        assert!(!checked(&[impossible]), "{impossible:?}");
    }
    let mut directory = sample();
    directory.push_parity(first);
    directory.push_parity(second);
    let parsed = Directory::parse(&directory.encode(), PLACE).unwrap();
    assert_eq!(parsed.parity(), [first, second]);
}

#[test]
fn a_model_is_possible_and_listed_once() {
    let mut directory = sample();
    assert_eq!(directory.model(&[7; 32]), Some(&model(7)));
    assert!(directory.push_model(model(7)).is_err());
    for impossible in [
        ModelEntry {
            offset: 79,
            ..model(8)
        },
        ModelEntry {
            bytes: 51,
            ..model(8)
        },
        ModelEntry {
            bytes: u64::MAX,
            ..model(8)
        },
        ModelEntry {
            offset: 779,
            ..model(8)
        },
    ] {
        assert!(directory.push_model(impossible).is_err());
    }
    directory.push_model(model(8)).unwrap();
    let at = |n: u16| {
        let mut digest = [0; 32];
        digest[..2].copy_from_slice(&n.to_le_bytes());
        ModelEntry {
            digest,
            offset: 10_000 + 300 * u64::from(n),
            bytes: 300,
        }
    };
    let mut full = directory.clone();
    (300..300 + 4094).for_each(|n| full.push_model(at(n)).unwrap());
    assert!(full.push_model(at(9000)).is_err(), "4,096 models");
    let parsed = Directory::parse(&directory.encode(), PLACE).unwrap();
    assert_eq!(parsed.models(), [model(7), model(8)]);
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
    lying.splice(..4, [255, 255, 255, 255, 15, 0, 0, 1]);
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
        |entry| entry.end_bytes = 36,
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
