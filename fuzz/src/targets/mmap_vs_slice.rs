//! A slice, a mapped file and a file that is read give the same results for a possibly damaged
//! archive, errors included.

use crate::archives::{Edits, NAME, pack, small_limits, unpack};
use pgna::{Archive, Bytes, Error};
use std::io::Write as _;

pub(super) fn check(input: &[u8]) {
    let Some((mode, rest)) = input.split_first() else {
        return;
    };
    let (edits, rest) = Edits::take(rest);
    let mut archive = match mode % 2 {
        0 => rest.to_vec(),
        _ => pack(&[(NAME, rest)], 1 << 20),
    };
    edits.apply(&mut archive);
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(&archive).expect("a temporary file");

    let slice = said(Archive::open(Bytes(archive.clone()), small_limits()));
    let mapped = said(Archive::map(file.path(), small_limits()));
    let read = said(Archive::open_file(file.path(), small_limits()));
    // Some systems cannot map an empty file and report another error.
    assert!(slice == mapped || archive.is_empty(), "{slice} / {mapped}");
    assert_eq!(slice, read);
}

/// All results of reading an archive, as text.
fn said(archive: Result<Archive, Error>) -> String {
    match archive {
        Err(error) => format!("{error:?}"),
        Ok(archive) => {
            let texts: Vec<_> = archive.texts().take(64).collect();
            let unpacked = unpack(&archive);
            format!("{:?} {texts:?} {unpacked:?}", archive.warnings())
        }
    }
}
