//! Compacted archives contain the same games and sources in fewer segments.

use super::{Sources, options, source, texts};
use crate::unpacked::unpack;
use crate::unprotected::unprotected;
use crate::{places, samples};
use pgna::{
    Archive, Bytes, ErrorClass, Indexes, Limits, Merger, NewFile, PackOptions, Recovery, Writer,
};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

/// An archive of sources that were packed each on its own and merged, which is what appends
/// give.
fn merged(sources: &[(String, Vec<u8>)], options: &PackOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    let mut merger = Merger::new(NewFile::create(&path).unwrap()).unwrap();
    for (name, text) in sources {
        let mut writer = Writer::new(Vec::new(), options.clone()).unwrap();
        writer.add_source(name, &text[..]).unwrap();
        let one = Archive::new(writer.finish().unwrap().0).unwrap();
        merger.add(&one, |_| ()).unwrap();
    }
    merger.finish(false).unwrap();
    fs::read(path).unwrap()
}

fn compact_to(path: &Path, archive: &Archive, options: &PackOptions) -> Result<(), pgna::Error> {
    let (mut last, all) = (0, archive.totals().raw_bytes);
    let file = NewFile::create(path).unwrap();
    let (file, _) = archive.compact(file, options.clone(), |done| {
        assert!((last..=all).contains(&done));
        last = done;
    })?;
    file.commit(true).unwrap();
    assert_eq!(last, all);
    Ok(())
}

fn compact(bytes: &[u8], options: &PackOptions) -> Vec<u8> {
    compact_archive(&Archive::new(bytes).unwrap(), options)
}

fn compact_archive(archive: &Archive, options: &PackOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("compact.pgna");
    compact_to(&path, archive, options).unwrap();
    fs::read(path).unwrap()
}

/// Checks that two archives have the same content.
fn assert_same(before: &[u8], after: &[u8]) {
    let (old, new) = (Archive::new(before).unwrap(), Archive::new(after).unwrap());
    assert!(new.verify(|_| ()).is_empty() && new.warnings().is_empty());
    assert_eq!(new.sources(), old.sources());
    assert_eq!(new.totals().records, old.totals().records);
    let texts =
        |archive: &Archive| -> Vec<Vec<u8>> { archive.texts().map(Result::unwrap).collect() };
    assert!(texts(&new) == texts(&old));
    assert_eq!(unpack(after).unwrap(), unpack(before).unwrap());
}

/// The bytes of each segment.
fn segments(bytes: &[u8]) -> Vec<Vec<u8>> {
    let archive = Archive::new(bytes).unwrap();
    let entries = archive.container().segments().iter();
    let ranges = entries.map(|entry| entry.offset as usize..(entry.offset + entry.bytes) as usize);
    ranges.map(|range| bytes[range].to_vec()).collect()
}

fn small_parts() -> Sources {
    (0..12)
        .map(|part| source(&format!("{part}.pgn"), 3))
        .collect()
}

#[test]
fn small_parts_are_joined() {
    let whole = merged(&small_parts(), &options());
    let all = PackOptions::default();
    let before = Archive::new(&whole[..]).unwrap();
    let compaction = before.compaction(all.segment_bytes).unwrap();
    assert_eq!((compaction.segments, compaction.into), (12, 1));
    assert_eq!(compaction.raw_bytes, before.totals().raw_bytes);
    let joined = compact(&whole, &all);
    assert_same(&whole, &joined);
    assert_eq!(segments(&joined).len(), 1);
    let gain = (whole.len() - joined.len()) as u64;
    assert!(compaction.estimated_gain > 0 && compaction.estimated_gain <= gain);
    assert!(
        joined == compact(&whole, &all),
        "the bytes are the same each time"
    );
    // There is nothing left to join.
    let after = Archive::new(&joined[..]).unwrap();
    assert_eq!(after.compaction(all.segment_bytes).unwrap().into, 0);
    assert!(compact(&joined, &all) == joined);
}

#[test]
fn large_segments_are_copied() {
    let mut sources = small_parts();
    sources.insert(0, source("first.pgn", 40));
    sources.insert(7, source("middle.pgn", 40));
    let whole = merged(&sources, &options());
    let joined = compact(&whole, &options());
    assert_same(&whole, &joined);
    let (before, after) = (segments(&whole), segments(&joined));
    let large = |bytes: &Vec<Vec<u8>>, archive: &[u8]| -> Vec<Vec<u8>> {
        let archive = Archive::new(archive).unwrap();
        let entries = archive.container().segments().iter().zip(bytes);
        let large = entries.filter(|(entry, _)| entry.raw_bytes >= 1500);
        large.map(|(_, bytes)| bytes.clone()).collect()
    };
    let copied = large(&before, &whole);
    assert!(copied.len() >= 2 && after.len() < before.len());
    assert!(copied.iter().all(|segment| after.contains(segment)));
}

#[test]
fn joined_segments_get_the_indexes_of_the_options() {
    let full = PackOptions {
        indexes: Indexes::Full,
        ..options()
    };
    let whole = merged(&small_parts(), &full);
    for indexes in [Indexes::None, Indexes::Openings, Indexes::Full] {
        let options = PackOptions {
            indexes,
            ..PackOptions::default()
        };
        let joined = Archive::new(compact(&whole, &options)).unwrap();
        assert_eq!(joined.indexes().unwrap(), Some(indexes));
    }
}

/// An index that would exceed the limits with which the archive was opened is not written.
#[test]
fn joined_segments_are_within_the_limits_of_the_archive() {
    let full = PackOptions {
        indexes: Indexes::Full,
        segment_bytes: 100_000,
        ..options()
    };
    let names = (0..).map(|number| format!("{number}.pgn"));
    let sources: Sources = names.zip(samples::texts()).collect();
    let whole = merged(&sources, &full);
    let all = PackOptions {
        segment_bytes: 1 << 20,
        ..full
    };
    let joined = Archive::new(compact(&whole, &all)).unwrap();
    let segment = joined.container().segment(0).unwrap();
    let sections = segment.index().sections().iter();
    let largest = sections.map(|section| section.payload_bytes).max();
    let limits = Limits {
        index_bytes: largest.unwrap() - 1,
        ..Limits::default()
    };
    let before = Archive::open(Bytes(whole), limits.clone()).unwrap();
    let bytes = compact_archive(&before, &all);
    let after = Archive::open(Bytes(bytes), limits).unwrap();
    assert!(after.verify(|_| ()).is_empty() && after.warnings().is_empty());
    assert_eq!(after.totals().segments, 1);
}

#[test]
fn an_archive_with_a_gap_is_compacted() {
    let mut bytes = unprotected(merged(&[source("a.pgn", 60)], &options()));
    let archive = Archive::new(bytes.clone()).unwrap();
    let segment = archive.container().segment(0).unwrap();
    let block = segment.index().blocks()[1];
    let place = places::blocks(&bytes)[1];
    bytes[place] ^= 1;
    let damaged = Recovery::open(Bytes(bytes), Limits::default()).unwrap();
    let recovered = damaged.write_recovered(Vec::new(), None, |_| ());
    let (gap, _, report) = recovered.unwrap();
    assert_eq!(report.lost_games(), u64::from(block.shape.games));
    let joined = compact(&gap, &PackOptions::default());
    assert_same(&gap, &joined);
    assert_eq!(segments(&joined).len(), 1);
}

#[test]
fn a_damaged_archive_is_refused() {
    let mut bytes = unprotected(merged(&small_parts(), &options()));
    let archive = Archive::new(bytes.clone()).unwrap();
    let segment = archive.container().segment(3).unwrap();
    let block = segment.index().blocks()[0];
    let offset = segment.entry().offset + block.offset;
    let place = places::blocks_of(&bytes, 3)[0];
    bytes[place] ^= 1;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.pgna");
    let archive = Archive::new(bytes).unwrap();
    let error = compact_to(&path, &archive, &PackOptions::default()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Damaged);
    assert_eq!(error.offset(), Some(offset));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_archive_has_the_same_content(texts in texts(), segment_bytes in 200..6000usize) {
        let names = (0..).map(|number| format!("{number}.pgn"));
        let sources: Sources = names.zip(texts).collect();
        let whole = merged(&sources, &options());
        let options = PackOptions { segment_bytes, ..options() };
        let joined = compact(&whole, &options);
        assert_same(&whole, &joined);
        let compaction = Archive::new(&whole[..]).unwrap().compaction(segment_bytes).unwrap();
        let fewer = (compaction.segments - compaction.into) as usize;
        prop_assert_eq!(segments(&joined).len() + fewer, segments(&whole).len());
    }
}
