//! Merged archives contain all segments and sources unchanged.

use super::{Sources, archive, source};
use crate::places;
use crate::unpacked::unpack;
use pgna::{Archive, ErrorClass, Limits, Merger, NewFile, Warning};
use std::fs;
use std::path::{Path, PathBuf};

fn open(path: &Path) -> Archive {
    Archive::open_file(path, Limits::default()).unwrap()
}

fn merge(folder: &Path, archives: &[&PathBuf]) -> Vec<u8> {
    let target = folder.join("merged.pgna");
    let mut merger = Merger::new(NewFile::create(&target).unwrap()).unwrap();
    for path in archives {
        let archive = open(path);
        let mut seen = 0;
        merger.add(&archive, |bytes| seen += bytes).unwrap();
        let segments = archive.container().segments().iter();
        assert_eq!(seen, segments.map(|entry| entry.bytes).sum::<u64>());
    }
    merger.finish(true).unwrap();
    fs::read(target).unwrap()
}

#[test]
fn segments_and_sources_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let sources: [Sources; 3] = [
        vec![source("a.pgn", 30), source("b.pgn", 2)],
        vec![],
        vec![source("c.pgn", 0), source("d.pgn", 9)],
    ];
    let names = ["1.pgna", "2.pgna", "3.pgna"];
    let paths: Vec<PathBuf> = names
        .iter()
        .zip(&sources)
        .map(|(name, sources)| archive(folder.path(), name, sources))
        .collect();
    let merged = merge(folder.path(), &paths.iter().collect::<Vec<_>>());
    assert_eq!(unpack(&merged).unwrap(), sources.concat());
    let opened = Archive::new(&merged[..]).unwrap();
    assert!(opened.verify(|_| ()).is_empty() && opened.warnings().is_empty());
    let mut copies = opened.container().segments().iter();
    for path in &paths {
        let file = fs::read(path).unwrap();
        for entry in open(path).container().segments() {
            let copy = copies.next().unwrap();
            let range = |offset: u64| offset as usize..(offset + entry.bytes) as usize;
            assert!(file[range(entry.offset)] == merged[range(copy.offset)]);
        }
    }
    assert!(copies.next().is_none());
}

#[test]
fn an_archive_can_be_merged_with_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(
        folder.path(),
        "1.pgna",
        &[source("a.pgn", 30), source("A (2).pgn", 1)],
    );
    let merged = merge(folder.path(), &[&path, &path]);
    let names: Vec<String> = unpack(&merged)
        .unwrap()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["a.pgn", "A (2).pgn", "a (3).pgn", "A (2) (2).pgn"]);
}

#[test]
fn merging_mends_tables_and_refuses_damaged_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path(), "1.pgna", &[source("a.pgn", 30)]);
    let whole = merge(folder.path(), &[&path]);
    let start = open(&path).container().segments()[0].offset;
    let mut file = fs::read(&path).unwrap();
    let blocks = places::blocks(&file);
    file[start as usize + 40] ^= 1; // in the tables
    fs::write(&path, &file).unwrap();
    assert!(merge(folder.path(), &[&path]) == whole);
    let archive = open(&path);
    let mut merger = Merger::new(NewFile::create(&folder.path().join("x")).unwrap()).unwrap();
    merger.add(&archive, |_| ()).unwrap();
    let (offset, bytes) = (start + 40, 1);
    assert_eq!(archive.warnings(), [Warning::Mended { offset, bytes }]);
    // Three sectors of a small file share their parity.
    for place in [blocks[0], *blocks.last().unwrap()] {
        file[place] ^= 1;
    }
    fs::write(&path, &file).unwrap();
    let mut merger = Merger::new(NewFile::create(&folder.path().join("y")).unwrap()).unwrap();
    let error = merger.add(&open(&path), |_| ()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Damaged);
    drop(merger);
    assert!(!folder.path().join("y").exists());
}
