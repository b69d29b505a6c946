//! After an error a writer refuses all further calls, and no archive appears.

use super::{archive, options, source};
use crate::places;
use crate::unprotected::unprotected;
use pgna::{Appender, Archive, Error, ErrorClass, FileWriter, Limits, Merger, NewFile, Writer};
use std::error::Error as _;
use std::io::{self, Read};

/// A source that fails after some bytes.
fn failing() -> impl Read {
    struct Unreadable;
    impl Read for Unreadable {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    (&b"1. e4 e5 "[..]).chain(Unreadable)
}

#[track_caller]
fn assert_refused<T>(result: Result<T, Error>) {
    let error = result.err().expect("an earlier call has failed");
    assert_eq!(error.class(), ErrorClass::Misuse);
    assert!(error.to_string().contains("an earlier call"), "{error}");
}

#[test]
fn a_failed_writer_finishes_no_archive() {
    let writer = || Writer::new(Vec::new(), options()).unwrap();
    let mut failed = writer();
    let error = failed.add_source("a.pgn", failing()).unwrap_err();
    assert_eq!(error.to_string(), "reading a.pgn");
    assert_eq!(error.source().unwrap().to_string(), "the disk is gone");
    assert_refused(failed.add_source("b.pgn", &b"1. d4 *\n"[..]));
    assert_refused(failed.finish());

    let mut failed = writer();
    let unsafe_name = failed.add_source("../a.pgn", &b"1. d4 *\n"[..]);
    assert_eq!(unsafe_name.unwrap_err().class(), ErrorClass::Misuse);
    assert_refused(failed.finish());
}

#[test]
fn a_failed_file_writer_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.pgna");
    let mut writer = FileWriter::create(&path, options()).unwrap();
    assert!(writer.add_source("a.pgn", failing()).is_err());
    assert_refused(writer.add_source("b.pgn", &b"1. d4 *\n"[..]));
    assert_refused(writer.finish(false));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_failed_appender_leaves_the_archive_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path(), "a.pgna", &[source("one.pgn", 40)]);
    let before = std::fs::read(&path).unwrap();
    let mut appender = Appender::open(&path, options(), Limits::default()).unwrap();
    let (name, text) = source("two.pgn", 90);
    appender.add_source(&name, &text[..]).unwrap();
    assert!(appender.add_source("three.pgn", failing()).is_err());
    assert_refused(appender.finish());
    assert!(std::fs::read(&path).unwrap() == before);
}

#[test]
fn a_failed_merger_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = archive(folder.path(), "a.pgna", &[source("one.pgn", 40)]);
    let mut bytes = unprotected(std::fs::read(&path).unwrap());
    let whole = Archive::new(bytes.clone()).unwrap();
    // In the second segment, after the first was copied.
    let place = places::blocks_of(&bytes, 1)[0];
    bytes[place] ^= 1;
    let damaged = Archive::new(bytes).unwrap();

    let target = folder.path().join("merged.pgna");
    let mut merger = Merger::new(NewFile::create(&target).unwrap()).unwrap();
    assert!(merger.add(&damaged, |_| {}).is_err());
    assert_refused(merger.add(&whole, |_| {}));
    assert_refused(merger.finish(false));
    assert!(!target.exists());
}
