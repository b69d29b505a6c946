//! Adding and removing indexes changes nothing else in an archive.

use crate::samples;
use pgna::internals::container::CommitSlot;
use pgna::internals::index::{DERIVED_TAGS, OPENINGS, PLIES};
use pgna::{Archive, Bytes, Indexes, Limits, PackOptions, PositionTest, Query, Writer};

fn texts() -> Vec<Vec<u8>> {
    [
        "annotated.pgn",
        "chess960.pgn",
        "garbage.pgn",
        "null-moves.pgn",
    ]
    .map(samples::text)
    .to_vec()
}

fn with_slot((mut bytes, slot): (Vec<u8>, CommitSlot)) -> Vec<u8> {
    slot.write_to(&mut bytes);
    bytes
}

fn pack(indexes: Indexes) -> Vec<u8> {
    let options = PackOptions {
        segment_bytes: 40_000,
        block_records: 16,
        indexes,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for text in texts() {
        writer.add_source("games.pgn", &text[..]).unwrap();
    }
    let (bytes, slot, _) = writer.finish_with_slot().unwrap();
    with_slot((bytes, slot))
}

fn open(bytes: Vec<u8>) -> Archive {
    Archive::open(Bytes(bytes), Limits::default()).unwrap()
}

#[test]
fn indexing_an_archive_equals_packing_with_indexes() {
    let all = [Indexes::None, Indexes::Openings, Indexes::Full];
    let packed = all.map(pack);
    assert!(packed[0].len() < packed[1].len() && packed[1].len() < packed[2].len());
    for from in &packed {
        let archive = open(from.clone());
        for (to, expected) in all.iter().zip(&packed) {
            let again = archive.write_indexed(Vec::new(), *to, |_| {}).unwrap();
            assert!(with_slot(again) == *expected, "{to:?}");
        }
    }
}

#[test]
fn a_damaged_index_is_ignored() {
    let whole = pack(Indexes::Full);
    let archive = open(whole.clone());
    let query = Query {
        positions: vec![PositionTest::pattern(vec!["Pe4 pe5".parse().unwrap()])],
        ..Query::default()
    };
    let hits = |archive: &Archive| {
        let mut hits = archive.query(&query).unwrap();
        let found: Vec<_> = hits.by_ref().map(Result::unwrap).collect();
        (found, hits.is_indexed())
    };
    let (expected, is_indexed) = hits(&archive);
    assert!(is_indexed && expected.len() > 3);
    let (segment, _) = archive.container().segment(0).unwrap();
    let sections = segment.index().sections();
    assert_eq!(sections[0].section_type, OPENINGS);
    assert!(sections.iter().any(|section| section.section_type == PLIES));
    for section in sections {
        let mut damaged = whole.clone();
        let at = segment.entry().offset + section.offset + section.payload_bytes / 2;
        damaged[usize::try_from(at).unwrap()] ^= 1;
        let archive = open(damaged);
        // The other sections depend on openings but not on each other, and position queries
        // do not use the tags.
        let is_indexed = section.section_type != OPENINGS;
        assert_eq!(hits(&archive), (expected.clone(), is_indexed));
        let warnings = usize::from(section.section_type != DERIVED_TAGS);
        assert_eq!(archive.warnings().len(), warnings);
    }
}
