//! A file that changes while it is open.

use super::judge::{Outcome, Tally};
use super::samples::halves;
use anyhow::{Result, ensure};
use pgna::{Archive, Limits, NewFile, Source};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of changes of the file.
const CHANGES: u64 = 10_000;

/// Reads games while the file is overwritten in place and replaced by new
/// files.
pub(crate) fn replaced() -> Result<Tally> {
    let [first, second, _] = halves()?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.pgna");
    let both = [content(&first)?, content(&second)?];
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        fs::write(&path, &first)?;
        let readers = [Archive::map, Archive::open_file].map(|open| {
            let (path, both, is_done) = (&path, &both, &is_done);
            scope.spawn(move || read(path, open, both, is_done))
        });
        let written = write(&path, [&first, &second]);
        is_done.store(true, Ordering::Relaxed);
        let mut tally = Tally::default();
        for reader in readers {
            let read = reader
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            ensure!(read.same > 0, "a reader never read a game");
            ensure!(read.detected > 0, "a reader never met a write");
            tally += read;
        }
        written.map(|()| tally)
    })
}

/// The sources of an archive, and the texts of its games.
type Content = (Vec<Source>, Vec<Vec<u8>>);

fn content(archive: &[u8]) -> Result<Content> {
    let archive = Archive::new(archive)?;
    let texts = archive.texts().map(|text| Ok(text?));
    Ok((archive.sources().to_vec(), texts.collect::<Result<_>>()?))
}

/// Writes both in turn, always at the size of the longer.
fn write(path: &Path, archives: [&[u8]; 2]) -> Result<()> {
    let longest = archives
        .iter()
        .map(|archive| archive.len())
        .max()
        .unwrap_or(0);
    let write_over = |archive: &[u8]| -> Result<()> {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(longest as u64)?;
        Ok(file.write_all_at(archive, 0)?)
    };
    for (number, archive) in (0..CHANGES).zip(archives.iter().cycle()) {
        if number % 10 > 0 {
            write_over(archive)?;
            continue;
        }
        let new = NewFile::create(path)?;
        new.file().write_all(archive)?;
        new.file().set_len(longest as u64)?;
        new.commit(true)?;
    }
    Ok(())
}

type Open = fn(&Path, Limits) -> Result<Archive, pgna::Error>;

/// Reads games until `is_done`.
fn read(path: &Path, open: Open, both: &[Content; 2], is_done: &AtomicBool) -> Tally {
    let mut tally = Tally::default();
    while !is_done.load(Ordering::Relaxed) {
        let Ok(archive) = open(path, Limits::default()) else {
            tally += Tally::of(Outcome::Refused);
            continue;
        };
        // The games must be those of the archive that was opened, not of the
        // other.
        let Some((_, texts)) = both
            .iter()
            .find(|(sources, _)| sources == archive.sources())
        else {
            tally += Tally::of(Outcome::Silent);
            continue;
        };
        for number in 1..=archive.games().min(200) {
            tally += Tally::of(match archive.text(number) {
                Err(_) => Outcome::Detected,
                Ok(text) if texts.get(at(number)) == Some(&text) => Outcome::Same,
                Ok(_) => Outcome::Silent,
            });
        }
    }
    tally
}

/// The index of the text of a game.
fn at(number: u64) -> usize {
    usize::try_from(number - 1).unwrap_or(usize::MAX)
}

/// Truncates the file to any length while it is open without a mapping.
pub(crate) fn truncated() -> Result<Tally> {
    let [_, _, archive] = halves()?;
    let (_, texts) = content(&archive)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.pgna");
    let mut tally = Tally::default();
    for change in 0..CHANGES {
        fs::write(&path, &archive)?;
        let open = Archive::open_file(&path, Limits::default())?;
        let len = archive.len() as u64 * (change + 1) / (CHANGES + 1);
        OpenOptions::new().write(true).open(&path)?.set_len(len)?;
        let number = 1 + change * 7919 % open.games();
        tally += Tally::of(match open.text(number) {
            Err(_) => Outcome::Detected,
            Ok(text) if texts.get(at(number)) == Some(&text) => Outcome::Same,
            Ok(_) => Outcome::Silent,
        });
    }
    ensure!(tally.same > 0, "no game was read");
    ensure!(tally.detected > 0, "no cut was met");
    Ok(tally)
}
