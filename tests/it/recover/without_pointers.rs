//! Recovery needs none of the parts that point to the blocks: header, slots, footers, directory.

use super::*;
use pgna::{ErrorClass, RecoveryNote};

const DIRECTORY: usize = 3;

#[test]
fn any_subset_of_the_pointing_parts_can_be_lost() {
    let whole = unprotected(archive());
    let blocks = blocks_of(&whole).len() as u64;
    for lost in 0..1usize << 5 {
        let mut bytes = whole.clone();
        let is_lost = |number: usize| lost >> number & 1 == 1;
        for (number, range) in pointing_parts(&whole).into_iter().enumerate() {
            if is_lost(number) {
                bytes[range].fill(0xa5);
            }
        }
        let (recovery, sources) = recover(&bytes);
        assert_eq!(recovery.losses, [], "{lost:05b}");
        assert_eq!(recovery.blocks, blocks, "{lost:05b}");
        let has_directory = !is_lost(DIRECTORY);
        assert_eq!(
            recovery.sources.iter().all(|source| source.is_proven),
            has_directory
        );
        assert_eq!(sources, super::sources(), "{lost:05b}");
        // The directory proves that no block is missing. The parity after it shows that no later
        // state follows.
        let notes = match has_directory {
            false => vec![RecoveryNote::NoDirectory, RecoveryNote::UnknownExtent],
            true => vec![],
        };
        assert_eq!(recovery.notes, notes, "{lost:05b}");
        assert_eq!(recovery.is_complete(), has_directory);
    }
}

#[test]
fn a_whole_archive_is_recovered_completely() {
    let (recovery, sources) = recover(&archive());
    assert!(recovery.is_complete() && recovery.notes.is_empty());
    assert_eq!(sources, super::sources());
    assert_eq!(recovery.games, 122);
    let games: Vec<u64> = recovery.sources.iter().map(|source| source.games).collect();
    assert_eq!(games, [90, 0, 25, 7]);
}

#[test]
fn lost_or_added_bytes_cost_only_what_they_hit() {
    let whole = archive();
    let blocks = blocks_of(&whole);
    let hit = &blocks[5];
    let at = hit.place.start + 40;
    for bytes in [
        [&whole[..at], &whole[at + 3..]].concat(),
        [&whole[..at], b"\r\n\r\n", &whole[at..]].concat(),
    ] {
        let (recovery, _) = recover(&bytes);
        let games: Vec<_> = recovery.losses.iter().map(|loss| &loss.games).collect();
        assert_eq!(games, [&Some(hit.games.clone())]);
        assert_eq!(recovery.blocks, blocks.len() as u64 - 1);
    }
    // Garbage at the start and between segments.
    let tables = tables_of(&whole, 1);
    for at in [0, 7, FRONT_BYTES, tables.start] {
        let bytes = [&whole[..at], b"garbage", &whole[at..]].concat();
        let (recovery, sources) = recover(&bytes);
        assert_eq!((recovery.losses, sources), (vec![], super::sources()));
    }
}

#[test]
fn an_empty_archive_is_recovered() {
    let (recovery, sources) = recover(&pack(&[]));
    assert!(recovery.is_complete() && sources.is_empty());
    let (recovery, sources) = recover(&pack(&[("x.pgn".to_owned(), String::new())]));
    assert!(recovery.is_complete());
    assert_eq!(sources, [("x.pgn".to_owned(), String::new())]);
}

#[test]
fn other_versions_and_other_files_are_refused() {
    let class = |bytes: &[u8]| {
        let error = Recovery::open(Bytes(bytes.to_vec()), Limits::default()).unwrap_err();
        error.class()
    };
    let mut other = archive();
    other[10] = 17;
    let crc = crc32fast::hash(&other[..12]);
    other[12..16].copy_from_slice(&crc.to_le_bytes());
    assert_eq!(class(&other), ErrorClass::Version);
    // A header with a wrong checksum is ignored.
    other[12] ^= 1;
    assert!(Recovery::open(Bytes(other), Limits::default()).is_ok());
    for no_archive in [&b""[..], b"1. e4 e5", &[0; 3000], &[0xfb; 70_000]] {
        assert_eq!(class(no_archive), ErrorClass::Signature);
    }
    assert_eq!(class(&archive()[..FRONT_BYTES]), ErrorClass::Damaged);
}
