//! A repacked archive has the bytes of one that is packed from the original files.

use super::{Sources, options, source, texts};
use crate::places;
use crate::unprotected::unprotected;
use pgna::{Archive, ErrorClass, FileWriter, Indexes, NewFile, PackOptions};
use proptest::prelude::*;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn packed(sources: &[(String, Vec<u8>)], options: &PackOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    let mut writer = FileWriter::create(&path, options.clone()).unwrap();
    for (name, text) in sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    writer.finish(false).unwrap();
    fs::read(path).unwrap()
}

/// Packs an archive again; checks that the progress ascends to the size of the text.
fn repacked(bytes: &[u8], options: &PackOptions) -> Result<Vec<u8>, pgna::Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    let archive = Archive::new(bytes).unwrap();
    let all = archive.totals().raw_bytes;
    let last = Arc::new(AtomicU64::new(0));
    let shown = Arc::clone(&last);
    let file = NewFile::create(&path).unwrap();
    let (file, report) = archive.repack(file, options.clone(), move |done| {
        let before = shown.swap(done, Ordering::Relaxed);
        assert!((before..=all).contains(&done));
    })?;
    assert_eq!(last.load(Ordering::Relaxed), all);
    assert_eq!(report.sources, archive.sources().len() as u64);
    file.commit(false).unwrap();
    Ok(fs::read(path).unwrap())
}

/// Options that differ from [`options`] in segments, blocks and indexes.
fn others() -> PackOptions {
    PackOptions {
        segment_bytes: 1000,
        block_records: 3,
        indexes: Indexes::Full,
        ..options()
    }
}

#[test]
fn a_repacked_archive_is_that_of_the_files() {
    let mut sources: Sources = (0..5)
        .map(|part| source(&format!("{part}.pgn"), 7))
        .collect();
    sources.insert(0, ("first empty.pgn".to_owned(), Vec::new()));
    sources.insert(3, ("folder/empty.pgn".to_owned(), Vec::new()));
    sources.insert(
        4,
        ("notes.txt".to_owned(), b"no games\n\n\n at all".to_vec()),
    );
    sources.push(("last empty.pgn".to_owned(), Vec::new()));
    for sources in [&sources[..], &[], &sources[..1]] {
        for (from, to) in [(options(), others()), (others(), options())] {
            let before = packed(sources, &from);
            let after = repacked(&before, &to).unwrap();
            assert!(after == packed(sources, &to));
            assert!(repacked(&after, &from).unwrap() == before);
        }
    }
}

#[test]
fn a_damaged_archive_is_not_repacked() {
    let mut bytes = unprotected(packed(&[source("a.pgn", 80)], &options()));
    let place = places::blocks_of(&bytes, 1)[1];
    bytes[place] ^= 1;
    let error = repacked(&bytes, &options()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Damaged);
    assert!(
        error.offset().is_some() && error.games().is_some(),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_sources_are_repacked(texts in texts(), segment_bytes in 200..6000usize) {
        let names = (0..).map(|number| format!("{number}.pgn"));
        let sources: Sources = names.zip(texts).collect();
        let before = packed(&sources, &options());
        let to = PackOptions { segment_bytes, ..others() };
        prop_assert!(repacked(&before, &to).unwrap() == packed(&sources, &to));
    }
}
