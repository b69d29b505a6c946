//! Archives of several states: recovery uses the newest and reports what it lacks of it.

use super::{FRONT_BYTES, games, options, pack, recover};
use pgna::{Appender, Archive, Limits, RecoveryNote};
use std::fs;

type Sources = Vec<(String, String)>;

/// An archive of two states, the size of the first state, and the sources of both.
fn appended() -> (Vec<u8>, usize, [Sources; 2]) {
    let first = vec![("a.pgn".to_owned(), games("Anna", 0..40))];
    let second = ("b.pgn".to_owned(), games("Boris", 0..40));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    let before = pack(&first);
    fs::write(&path, &before).unwrap();
    let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
    let text = second.1.as_bytes();
    appender.add_source(&second.0, text).unwrap();
    appender.finish().unwrap();
    let both = vec![first[0].clone(), second];
    (fs::read(&path).unwrap(), before.len(), [first, both])
}

#[test]
fn a_cut_that_costs_the_newest_state_is_reported() {
    let (bytes, old, [first, both]) = appended();
    let (recovery, sources) = recover(&bytes);
    assert!(recovery.is_complete() && sources == both);
    // Cut after the first state, and within the second.
    for len in [old, old + 1, old + (bytes.len() - old) / 2] {
        let (recovery, sources) = recover(&bytes[..len]);
        assert!(!recovery.is_complete(), "cut at {len}");
        assert!(
            recovery.notes.contains(&RecoveryNote::Outdated),
            "cut at {len}"
        );
        assert_eq!(sources[0], first[0], "cut at {len}");
    }
}

#[test]
fn the_newest_directory_is_used_at_any_offset() {
    let (bytes, old, [_, both]) = appended();
    let rotated = [&bytes[old..], &bytes[FRONT_BYTES..old]].concat();
    for rotated in [[&bytes[..FRONT_BYTES], &rotated].concat(), rotated] {
        assert!(Archive::new(&rotated[..]).is_err());
        let (recovery, sources) = recover(&rotated);
        assert_eq!(sources, both);
        assert!(recovery.sources.iter().all(|source| source.is_proven));
    }
}
