//! Fault injection at every disk call of an append: the file opens in its old or its new state, and
//! the next append succeeds.

use super::faults::{Disk, Fault};
use super::{Sources, options, source};
use crate::unpacked::unpack;
use pgna::{Appender, Archive, Error, ErrorClass, Limits, Writer};
use std::sync::Arc;

/// Appends sources to the archive on the disk.
fn append(disk: &Disk, sources: &Sources) -> Result<(), Error> {
    let archive = Archive::open(disk.clone(), Limits::default())?;
    let mut appender = Appender::begin(&archive, Arc::new(disk.clone()), options())?;
    for (name, text) in sources {
        appender.add_source(name, &text[..])?;
    }
    appender.finish()?;
    Ok(())
}

fn packed(sources: &Sources, has_slot: bool) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options()).unwrap();
    for (name, text) in sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    let (mut archive, slot, _) = writer.finish_with_slot().unwrap();
    if has_slot {
        slot.write_to(&mut archive);
    }
    archive
}

/// The initial files of the trials.
fn initial_files(old: &Sources) -> Vec<(&'static str, Vec<u8>)> {
    let file = packed(old, true);
    let mut unfinished = file.clone();
    unfinished.extend([0; 5000]);
    // A second state, whose slot was torn.
    let torn = Disk::new(&file, None);
    append(&torn, &vec![]).unwrap();
    let mut torn = torn.bytes();
    torn[48 + 31] ^= 0xff;
    let again = Disk::new(&file, None);
    append(&again, &vec![]).unwrap();
    vec![
        ("a file", file),
        ("a stream", packed(old, false)),
        ("an unfinished append", unfinished),
        ("a torn slot", torn),
        ("a second state", again.bytes()),
    ]
}

#[test]
fn an_archive_is_old_or_new_after_any_fault() {
    let old = vec![source("a.pgn", 12)];
    let more = vec![source("b.pgn", 25), source("c.pgn", 1)];
    let new = [old.clone(), more.clone()].concat();
    let mut trials = 0;
    for (what, first_file) in initial_files(&old) {
        let clean = Disk::new(&first_file, None);
        append(&clean, &more).unwrap();
        assert_eq!(unpack(&clean.bytes()).unwrap(), new);
        for call in 0..clean.calls() {
            for fault in faults() {
                let disk = Disk::new(&first_file, Some((call, fault)));
                let trial = format!("{what}, call {call}: {fault:?}");
                let outcome = append(&disk, &more);
                trials += 1;
                check(&disk, &old, &new, outcome, &trial);
                if fault == Fault::Fails {
                    let again = Disk::new(&disk.bytes(), None);
                    let opens_as_old = unpack(&again.bytes()).unwrap() == old;
                    if opens_as_old {
                        append(&again, &more).unwrap();
                        assert!(again.bytes() == clean.bytes(), "{trial}");
                    }
                }
            }
        }
    }
    assert!(trials > 300, "{trials}");
}

fn faults() -> Vec<Fault> {
    let mut faults = vec![
        Fault::Fails,
        Fault::FailsHalfway,
        Fault::Full,
        Fault::Killed,
        Fault::KilledHalfway,
    ];
    let arrived = [
        0,
        !0,
        0x5555_5555_5555_5555,
        0xaaaa_aaaa_aaaa_aaaa,
        1,
        2,
        4,
        6,
    ];
    faults.extend(arrived.map(Fault::PowerLost));
    faults
}

/// Asserts that the file opens in its old or new state, and in the new one if the append succeeded.
/// An error of a program that was not stopped must be an I/O error.
fn check(disk: &Disk, old: &Sources, new: &Sources, outcome: Result<(), Error>, trial: &str) {
    let found = unpack(&disk.bytes()).unwrap_or_else(|error| panic!("{trial}: {error}"));
    assert!(found == *old || found == *new, "{trial}");
    match outcome {
        Ok(()) => assert!(found == *new, "{trial}"),
        Err(error) if disk.survived() => {
            assert_eq!(error.class(), ErrorClass::Io, "{trial}: {error}");
        }
        Err(_) => {}
    }
    // Another append succeeds in any case.
    let next = Disk::new(&disk.bytes(), None);
    let last = vec![source("z.pgn", 2)];
    append(&next, &last).unwrap_or_else(|error| panic!("{trial}: {error}"));
    assert!(
        unpack(&next.bytes()).unwrap() == [found, last].concat(),
        "{trial}"
    );
}
