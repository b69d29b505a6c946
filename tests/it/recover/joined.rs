//! Two archives concatenated in one file: both are recovered.

use super::*;
use pgna::{Appender, RecoveryNote};
use std::fs;
use std::sync::LazyLock;

/// An archive of `states` states, each of which adds `count` games.
fn archive_of(name: &str, count: u32, states: u32) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    let file = format!("{name}.pgn");
    fs::write(&path, pack(&[(file, games(name, 0..count))])).unwrap();
    for state in 1..states {
        let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
        let source = format!("{name} {state}.pgn");
        let text = games(name, count * state..count * (state + 1));
        appender.add_source(&source, text.as_bytes()).unwrap();
        appender.finish().unwrap();
    }
    fs::read(&path).unwrap()
}

/// The sorted texts of sources. Order and names may change, because names must be unique.
fn texts(sources: &[Vec<(String, String)>]) -> Vec<String> {
    let sources = sources.iter().flatten();
    let mut texts: Vec<String> = sources.map(|(_, text)| text.clone()).collect();
    texts.sort();
    texts
}

/// Pairs of archives of different sizes and numbers of states, in both orders.
static PAIRS: LazyLock<Vec<[Vec<u8>; 2]>> = LazyLock::new(|| {
    let mut all = vec![
        archive_of("Anna", 12, 1),
        archive_of("Boris", 200, 1),
        archive_of("Clara", 150, 2),
        archive_of("Dora", 20, 3),
    ];
    let pair = |a: &Vec<u8>, b: &Vec<u8>| [a.clone(), b.clone()];
    let mut out = Vec::new();
    while let Some(last) = all.pop() {
        for other in &all {
            out.extend([pair(&last, other), pair(other, &last)]);
        }
    }
    out
});

#[test]
fn both_of_two_joined_archives_are_recovered() {
    for [first, second] in &*PAIRS {
        let expected = texts(&[unpacked(first), unpacked(second)]);
        for between in [&b""[..], b"\n", &[0; 4096]] {
            let joined = [&first[..], between, second].concat();
            let (recovery, sources) = recover(&joined);
            assert_eq!(texts(&[sources]), expected);
            assert!(recovery.is_complete(), "{:?}", recovery.notes);
            let note = |note: &RecoveryNote| matches!(note, RecoveryNote::Unlisted { .. });
            assert!(recovery.notes.iter().any(note));
        }
    }
}

#[test]
fn loss_in_either_of_two_joined_archives_is_reported() {
    for [first, second] in &*PAIRS {
        let segments = [first, second].map(|bytes| {
            let archive = Archive::new(&bytes[..]).unwrap();
            let segment = archive.container().segments()[0].clone();
            range(segment.offset, segment.bytes)
        });
        let second_segment = segments[1].start + first.len()..segments[1].end + first.len();
        for lost in [segments[0].clone(), second_segment] {
            let mut joined = [&first[..], second].concat();
            joined[lost].fill(0);
            let (recovery, _) = recover(&joined);
            assert!(!recovery.is_complete());
        }
    }
}

/// Of one of the two archives only the first segments are left.
#[test]
fn possible_loss_by_a_cut_in_joined_archives_is_reported() {
    for [first, second] in &*PAIRS {
        let ends = |archive: &[u8]| -> Vec<usize> {
            let archive = Archive::new(archive).unwrap();
            let entries = archive.container().segments().iter();
            entries
                .map(|entry| range(entry.offset, entry.bytes).end)
                .collect()
        };
        for end in ends(second) {
            let (recovery, _) = recover(&[&first[..], &second[..end]].concat());
            assert!(!recovery.is_complete());
        }
        for end in ends(first) {
            let (recovery, _) = recover(&[&first[..end], second].concat());
            assert!(!recovery.is_complete());
        }
    }
}
