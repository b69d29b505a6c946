//! Appended sources and existing sources round-trip.

use super::{archive, options, source};
use crate::samples;
use crate::unpacked::{unpack, unpack_all};
use pgna::{
    Appender, Archive, BuiltinModel, Codec, ErrorClass, FileWriter, Indexes, Limits, Merger,
    NewFile, PackOptions, Warning, Writer,
};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

fn open(path: &Path) -> Archive {
    Archive::open_file(path, Limits::default()).unwrap()
}

fn append(path: &Path, name: &str, text: &[u8]) {
    let mut appender = Appender::open(path, options(), Limits::default()).unwrap();
    appender.add_source(name, text).unwrap();
    appender.finish().unwrap();
}

#[test]
fn repeated_appends_add_sources() {
    let folder = tempfile::tempdir().unwrap();
    let mut sources = vec![source("a.pgn", 30), source("b.pgn", 1)];
    let path = archive(folder.path(), "x.pgna", &sources);
    for (number, games) in (2u64..).zip([5, 0, 40]) {
        let before = fs::read(&path).unwrap();
        let more = source(&format!("{number}.pgn"), games);
        append(&path, &more.0, &more.1);
        sources.push(more);
        let after = fs::read(&path).unwrap();
        // Only the commit slots change.
        assert!(after[80..].starts_with(&before[80..]));
        let archive = open(&path);
        assert_eq!(unpack_all(&archive).unwrap(), sources);
        assert_eq!(archive.container().commit_slot().generation, number);
        assert!(archive.warnings().is_empty());
        assert!(archive.verify(|_| ()).is_empty());
    }
    // Numbering of games continues.
    assert_eq!(open(&path).games(), 30 + 1 + 5 + 40);
    assert!(
        open(&path)
            .text(76)
            .unwrap()
            .starts_with(b"[Event \"4.pgn\"]\n[White \"W39\"]")
    );
}

/// The other tests of this module pack without the model, which takes seconds.
#[test]
fn archives_with_the_model_are_appended_to_and_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.pgna");
    let options = PackOptions {
        codecs: Codec::ALL.to_vec(),
        model: BuiltinModel::Fast.into(),
        ..options()
    };
    let sources: Vec<_> = samples::starts().into_iter().take(3).collect();
    let mut writer = FileWriter::create(&path, options.clone()).unwrap();
    let (name, text) = &sources[0];
    writer.add_source(name, &text[..]).unwrap();
    writer.finish(false).unwrap();
    for (name, text) in &sources[1..] {
        let mut appender = Appender::open(&path, options.clone(), Limits::default()).unwrap();
        appender.add_source(name, &text[..]).unwrap();
        appender.finish().unwrap();
    }
    let archive = open(&path);
    assert_eq!(unpack_all(&archive).unwrap(), sources);
    let models = archive.models().unwrap();
    let models: Vec<_> = models.iter().map(|model| model.level()).collect();
    assert_eq!(models, [Some("fast")]);

    let merged = folder.path().join("merged.pgna");
    let mut merger = Merger::new(NewFile::create(&merged).unwrap()).unwrap();
    merger.add(&archive, |_| ()).unwrap();
    merger.finish(true).unwrap();
    let merged = open(&merged);
    assert_eq!(unpack_all(&merged).unwrap(), sources);
    for number in 1..=archive.games() {
        assert_eq!(merged.game(number).unwrap(), archive.game(number).unwrap());
    }
}

#[test]
fn names_in_use_get_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(
        folder.path(),
        "x.pgna",
        &[source("a.pgn", 1), source("f/b.pgn", 1)],
    );
    let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
    for name in ["A.pgn", "a.pgn", "f", "f/b.pgn"] {
        appender.add_source(name, &b"1. e4 *"[..]).unwrap();
    }
    appender.finish().unwrap();
    let archive = open(&path);
    let names: Vec<&str> = archive
        .sources()
        .iter()
        .map(|source| source.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "a.pgn",
            "f/b.pgn",
            "A (2).pgn",
            "a (3).pgn",
            "f (2)",
            "f/b (2).pgn"
        ]
    );
}

#[test]
fn appended_segments_equal_packed_segments() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (source("a.pgn", 60), source("b.pgn", 60));
    let path = archive(folder.path(), "x.pgna", &[first]);
    append(&path, &second.0, &second.1);
    let alone = archive(folder.path(), "y.pgna", &[second]);
    let (appended, alone) = (open(&path), open(&alone));
    let bytes = |archive: &Archive, file: &str, skip: usize| {
        let file = fs::read(folder.path().join(file)).unwrap();
        let segments = archive.container().segments().iter().skip(skip);
        let range = |from: u64, len: u64| from as usize..(from + len) as usize;
        segments
            .map(|entry| file[range(entry.offset, entry.bytes)].to_vec())
            .collect::<Vec<_>>()
    };
    let before = appended.container().segments().len() - alone.container().segments().len();
    assert!(before > 1);
    assert_eq!(
        bytes(&appended, "x.pgna", before),
        bytes(&alone, "y.pgna", 0)
    );
}

#[test]
fn a_stream_can_be_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (source("a.pgn", 3), source("b.pgn", 3));
    let mut writer = Writer::new(Vec::new(), options()).unwrap();
    writer.add_source(&first.0, &first.1[..]).unwrap();
    let (stream, ..) = writer.finish().unwrap();
    let path = folder.path().join("stream.pgna");
    fs::write(&path, stream).unwrap();
    append(&path, &second.0, &second.1);
    assert_eq!(unpack_all(&open(&path)).unwrap(), [first, second]);
}

#[test]
fn unfinished_appends_are_truncated() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (source("a.pgn", 3), source("b.pgn", 3));
    let path = archive(folder.path(), "x.pgna", std::slice::from_ref(&first));
    let clean = archive(folder.path(), "clean.pgna", std::slice::from_ref(&first));
    append(&clean, &second.0, &second.1);
    let mut tail = vec![7; 100_000];
    tail[..8].copy_from_slice(b"TABL\x01\xfb\x9e\xc4");
    OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap()
        .write_all(&tail)
        .unwrap();
    let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
    let unfinished =
        |warning: &Warning| matches!(warning, Warning::UnfinishedAppend { bytes: 100_000, .. });
    assert!(appender.warnings().iter().any(unfinished));
    appender.add_source(&second.0, &second.1[..]).unwrap();
    appender.finish().unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(&clean).unwrap());
    assert_eq!(unpack(&fs::read(&path).unwrap()).unwrap(), [first, second]);
}

#[test]
fn an_abandoned_append_leaves_the_file_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path(), "x.pgna", &[source("a.pgn", 3)]);
    let before = fs::read(&path).unwrap();
    let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
    let many = source("b.pgn", 200);
    appender.add_source(&many.0, &many.1[..]).unwrap();
    drop(appender);
    assert!(fs::read(&path).unwrap() == before);
    // A source that fails while it is read.
    struct Failing(u32);
    impl std::io::Read for Failing {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(std::io::ErrorKind::Other)?;
            bytes.fill(b'\n');
            Ok(bytes.len())
        }
    }
    let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
    assert!(appender.add_source("c.pgn", Failing(3)).is_err());
    drop(appender);
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn one_program_appends_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path(), "x.pgna", &[source("a.pgn", 3)]);
    let first = Appender::open(&path, options(), Limits::default()).unwrap();
    let second = Appender::open(&path, options(), Limits::default())
        .err()
        .unwrap();
    assert_eq!(second.class(), ErrorClass::Io);
    // Readers can still open the archive.
    assert_eq!(open(&path).games(), 3);
    drop(first);
    Appender::open(&path, options(), Limits::default()).unwrap();
}

#[test]
fn a_possibly_lost_state_is_not_truncated() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path(), "x.pgna", &[source("a.pgn", 3)]);
    append(&path, "b.pgn", b"1. e4 *");
    let mut file = fs::read(&path).unwrap();
    file[50] ^= 1; // in the slot of the second state
    file.push(0); // so that its footer is not at the end
    fs::write(&path, &file).unwrap();
    let error = Appender::open(&path, options(), Limits::default())
        .err()
        .unwrap();
    assert_eq!(error.class(), ErrorClass::Damaged);
    assert!(fs::read(&path).unwrap() == file);
}

#[test]
fn the_indexes_of_an_archive_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    for (name, indexes) in [
        ("none", Indexes::None),
        ("openings", Indexes::Openings),
        ("full", Indexes::Full),
    ] {
        let path = folder.path().join(name);
        let options = PackOptions {
            indexes,
            ..options()
        };
        let mut writer = FileWriter::create(&path, options.clone()).unwrap();
        writer.finish(false).unwrap();
        assert_eq!(open(&path).indexes().unwrap(), None);
        let mut appender = Appender::open(&path, options, Limits::default()).unwrap();
        appender
            .add_source("a", &b"1. e4 e5 2. Nf3 *\n\n"[..])
            .unwrap();
        appender.finish().unwrap();
        assert_eq!(open(&path).indexes().unwrap(), Some(indexes));
        writer = FileWriter::create(&folder.path().join("other"), PackOptions::default()).unwrap();
        drop(writer);
    }
}
