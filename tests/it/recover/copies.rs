//! Duplicate segments, and segments that no directory lists.

use super::*;
use crate::forged::doubled;
use pgna::RecoveryNote;

fn doubled_sources() -> Vec<(String, String)> {
    let second = sources().into_iter();
    let second = second.map(|(name, text)| (name.replace(".pgn", " (2).pgn"), text));
    sources().into_iter().chain(second).collect()
}

#[test]
fn copies_of_a_segment_are_distinguished() {
    let whole = doubled(&archive());
    let (recovery, sources) = recover(&whole);
    assert!(recovery.is_complete());
    assert_eq!(sources, doubled_sources());

    let mut bytes = whole;
    blind(&mut bytes);
    let (recovery, mut sources) = recover(&bytes);
    assert_eq!(recovery.losses, []);
    let mut expected = doubled_sources();
    expected.retain(|(_, text)| !text.is_empty());
    sources.retain(|(_, text)| !text.is_empty());
    assert_eq!(sources, expected);
}

#[test]
fn a_damaged_copy_is_replaced_by_the_other() {
    let whole = unprotected(doubled(&archive()));
    let blocks = blocks_of(&whole);
    for is_blind in [false, true] {
        let mut bytes = whole.clone();
        if is_blind {
            blind(&mut bytes);
        }
        // The tables of the first segment, and block 3.
        let tables = tables_of(&whole, 0);
        bytes[tables].fill(0);
        bytes[blocks[3].place.clone()].fill(0);
        let (recovery, _) = recover(&bytes);
        if !is_blind {
            assert_eq!(recovery.losses, []);
        }
        assert_eq!(recovery.lost_bytes(), 0, "{:?}", recovery.losses);
    }
}

#[test]
fn an_end_serves_both_copies() {
    let whole = unprotected(doubled(&archive()));
    let archive = Archive::new(&whole[..]).unwrap();
    let segments = archive.container().segments();
    for (number, entry) in segments.iter().enumerate() {
        let mut bytes = whole.clone();
        let end = range(entry.offset, entry.bytes).end;
        bytes[end - 40..end].fill(0);
        let block = blocks_of(&whole)
            .into_iter()
            .find(|block| block.segment == number);
        bytes[block.unwrap().place].fill(0);
        let (recovery, sources) = recover(&bytes);
        assert_eq!(recovery.losses, []);
        assert_eq!(sources, doubled_sources());
    }
}

#[test]
fn an_unfinished_append_is_recovered_and_reported() {
    let first = archive();
    let more = pack(&[("more.pgn".to_owned(), games("Dora", 0..20))]);
    let segments = {
        let archive = Archive::new(&more[..]).unwrap();
        let last = archive.container().segments().last().unwrap();
        FRONT_BYTES..range(last.offset, last.bytes).end
    };
    // All segments after the footer, and the last of them cut.
    for len in [segments.len(), segments.len() - 100] {
        let tail = &more[segments.clone()][..len];
        let (recovery, sources) = recover(&[&first[..], tail].concat());
        let note = |note: &RecoveryNote| matches!(note, RecoveryNote::Unlisted { .. });
        assert!(recovery.notes.iter().any(note));
        assert_eq!(sources[..4], super::sources());
        assert_eq!(sources[4].0, "more.pgn");
        assert!(games("Dora", 0..20).starts_with(&sources[4].1));
        assert!(recovery.sources[..4].iter().all(|source| source.is_proven));
    }
}

#[test]
fn an_archive_written_over_another_is_recovered_and_reported() {
    let over = pack(&[("over.pgn".to_owned(), games("Ivan", 0..2))]);
    let segment = Archive::new(&over[..]).unwrap().container().segments()[0].clone();
    let segment = &over[range(segment.offset, segment.bytes)];
    let mut bytes = archive();
    let start = blocks_of(&bytes)[2].place.start;
    bytes[start..start + segment.len()].copy_from_slice(segment);
    let (recovery, sources) = recover(&bytes);
    let note = |note: &RecoveryNote| matches!(note, RecoveryNote::Unlisted { .. });
    assert!(recovery.notes.iter().any(note));
    assert!(recovery.lost_bytes() > 0);
    assert!(sources.contains(&("over.pgn".to_owned(), games("Ivan", 0..2))));
}
