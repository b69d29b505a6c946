//! `pgna test`.

use super::common::Common;
use super::common::ReaderArgs;
use super::errors::{Exit, Failure, described, exit_of, is_url, print_message};
use super::figures::{count, game_range, size};
use super::open::{open_or, remedy};
use super::output::Output;
use super::progress::Progress;
use super::terminal::printable;
use crate::{Archive, Loss, NewFile, Warning, without_secrets};
use clap::Args as ClapArgs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Verify the integrity of archives
///
/// Decodes every block and compares the digest of every file with the one that was
/// stored when it was packed. Prints one line for each archive; damage is listed on
/// stderr, with the games that it affects. Damage that was mended without loss
/// also counts as damage.
#[derive(Debug, ClapArgs)]
#[command(after_help = TEST_EXAMPLES)]
pub(crate) struct TestArgs {
    /// The archives
    #[arg(required = true, value_name = "ARCHIVE")]
    pub(crate) archives: Vec<PathBuf>,
    /// Check all checksums, but decode no game: as fast as the file is read
    ///
    /// Detects what disks and transfers do to files. Without it every block is
    /// decoded and every source is verified by its digest.
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const TEST_EXAMPLES: &str = "\
Examples:
  pgna test games.pgna
  pgna test --quick games.pgna
  pgna test -q backup/*.pgna && echo all whole";

/// Tests every archive, even after a failure.
pub(crate) fn run(args: &TestArgs, common: &Common) -> Result<Exit, Failure> {
    let mut first = Exit::Done;
    for path in &args.archives {
        let exit = match test_one(path, args, common) {
            Ok(exit) => exit,
            Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
            Err(failure) => failure.report(),
        };
        if first == Exit::Done {
            first = exit;
        }
    }
    Ok(first)
}

fn test_one(path: &Path, args: &TestArgs, common: &Common) -> Result<Exit, Failure> {
    let (exit, line) = match open_or(path, &args.reader, Failure::in_test) {
        Ok(archive) => outcome(path, &archive, args, common),
        Err(Failure::Message(Exit::Damaged, message)) => {
            print_message(&message);
            (Exit::Damaged, "damaged: cannot be opened".to_owned())
        }
        Err(failure) => return Err(failure),
    };
    if !common.quiet {
        let mut output = Output::new();
        let path = path.to_string_lossy();
        let path: String = printable(&without_secrets(&path)).collect();
        output.line(&format!("{path}: {line}"))?;
        output.finish()?;
    }
    Ok(exit)
}

/// The exit status of an archive, and its line of output.
fn outcome(path: &Path, archive: &Archive, args: &TestArgs, common: &Common) -> (Exit, String) {
    let verdict = match args.quick {
        true => check(path, archive, common),
        false => verify(path, archive, common),
    };
    let line = match verdict.exit {
        Exit::Done => format!(
            "{}: {} from {}, {}",
            if args.quick { "checksums OK" } else { "OK" },
            count(archive.games(), "game"),
            count(archive.sources().len() as u64, "source"),
            size(archive.totals().raw_bytes),
        ),
        Exit::Damaged => format!("damaged{}", verdict.damage),
        _ => "could not be verified".to_owned(),
    };
    (verdict.exit, line)
}

/// Verifies an archive and reports damage.
pub(crate) fn test_archive(path: &Path, archive: &Archive, common: &Common) -> Exit {
    verify(path, archive, common).exit
}

/// Verifies a new archive before it gets its name.
///
/// # Errors
/// It does not read back. Then nothing is to be written.
pub(crate) fn test_new_archive(
    file: &NewFile,
    reader: &ReaderArgs,
    common: &Common,
) -> Result<(), Failure> {
    let target = file.target();
    // The same handle: on Windows another one cannot read what this one has locked.
    let handle = file.file().try_clone();
    let handle = handle.map_err(|error| Failure::io(target, &error))?;
    let opened = Archive::open(handle, reader.limits.limits());
    let archive =
        opened.map_err(|error| Failure::in_test(target, &error).with_nothing_written())?;
    match test_archive(target, &archive, common) {
        Exit::Done => Ok(()),
        exit => {
            let what = "the new archive does not read back; nothing was written";
            Err(Failure::Message(
                exit,
                format!("{}: {what}", target.display()),
            ))
        }
    }
}

/// The result of a test.
struct TestResult {
    exit: Exit,
    /// What the damage costs, in words that follow `damaged`.
    damage: String,
}

fn verify(path: &Path, archive: &Archive, common: &Common) -> TestResult {
    let progress = Progress::new("testing", Some(archive.totals().raw_bytes), common);
    let losses = archive.verify(|bytes| progress.add(bytes));
    progress.finish();
    for source in archive.sources().iter().filter(|_| losses.is_empty()) {
        progress.verbose(&format!("{}: verified", source.name));
    }
    report(path, archive, &losses)
}

/// Checks the checksums of an archive and reports damage.
fn check(path: &Path, archive: &Archive, common: &Common) -> TestResult {
    let bytes = archive.committed_bytes();
    let progress = Progress::new("checking", Some(bytes), common);
    let losses = archive.verify_checksums(|bytes| progress.add(bytes));
    progress.finish();
    report(path, archive, &losses)
}

fn report(path: &Path, archive: &Archive, losses: &[Loss]) -> TestResult {
    for loss in losses {
        print_message(&describe(path, loss));
    }
    let is_harmed = report_mended(path, archive);
    TestResult {
        exit: match losses.first() {
            Some(loss) => exit_of(&loss.error),
            None if is_harmed => Exit::Damaged,
            None => Exit::Done,
        },
        damage: damage(losses),
    }
}

/// The largest number of ranges of lost games in the line of an archive.
const MAX_RANGES: usize = 4;

fn damage(losses: &[Loss]) -> String {
    let lost = lost_games(losses);
    match lost.as_slice() {
        [] if losses.iter().all(is_of_index) => ": no game is lost".to_owned(),
        [] => String::new(),
        lost if lost.len() > MAX_RANGES => {
            let games = lost.iter().map(|range| range.end - range.start).sum();
            format!(": {} lost", count(games, "game"))
        }
        lost => {
            let ranges = lost
                .iter()
                .map(|range| game_range(range.start, range.end - 1));
            format!(": {} lost", ranges.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The games that are lost, in order, as ranges that do not touch.
fn lost_games(losses: &[Loss]) -> Vec<Range<u64>> {
    let lost = losses.iter().map(|loss| loss.games.clone());
    let mut lost: Vec<_> = lost.filter(|games| !games.is_empty()).collect();
    lost.sort_by_key(|games| games.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for games in lost {
        match merged.last_mut() {
            Some(last) if games.start <= last.end => last.end = last.end.max(games.end),
            _ => merged.push(games),
        }
    }
    merged
}

/// Whether only an index is damaged: the other sections hold tables or games.
fn is_of_index(loss: &Loss) -> bool {
    let is_damage = exit_of(&loss.error) == Exit::Damaged;
    is_damage && loss.games.is_empty() && loss.error.to_string().starts_with("section ")
}

/// Reports damage without loss; returns whether there is any.
fn report_mended(path: &Path, archive: &Archive) -> bool {
    let warnings = archive.warnings();
    for warning in &warnings {
        let meaning = match warning {
            Warning::AnotherArchive { .. } if is_url(path) => {
                "`pgna recover` saves both from a copy on disk"
            }
            Warning::ForeignBytes { .. } if is_url(path) => {
                "`pgna recover` saves the games in them from a copy on disk, if there are any"
            }
            Warning::AnotherArchive { .. } => "`pgna recover` saves both",
            Warning::ForeignBytes { .. } => {
                "`pgna recover` saves the games in them, if there are any"
            }
            _ => "nothing is lost",
        };
        let remedy = remedy(path, warning);
        print_message(&format!("{}: {warning}; {meaning}{remedy}", path.display()));
    }
    // An unfinished append is not damage.
    let is_damage = |warning: &Warning| !matches!(warning, Warning::UnfinishedAppend { .. });
    warnings.iter().any(is_damage)
}

fn describe(path: &Path, loss: &Loss) -> String {
    let Range { start, end } = loss.games;
    let verb = match (exit_of(&loss.error), end.saturating_sub(start)) {
        (Exit::Damaged, 1) => "is lost",
        (Exit::Damaged, _) => "are lost",
        _ => "cannot be read",
    };
    let lost = match loss.games.is_empty() {
        true if is_of_index(loss) => {
            let index = loss.error.damaged_index();
            let index = index.map_or_else(String::new, |name| format!(", in the index `{name}`"));
            let remedy = match is_url(path) {
                true => "",
                false => ": `pgna index` makes the indexes anew",
            };
            format!("{index}; no game is lost{remedy}")
        }
        true => String::new(),
        false => format!("; {} {verb}", game_range(start, end - 1)),
    };
    format!("{}: {}{lost}", path.display(), described(path, &loss.error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileWriter, PackOptions};
    use std::fs;
    use std::io::Write;

    const QUIET: Common = Common {
        quiet: true,
        verbose: false,
        threads: 1,
    };

    fn test_of(file: &NewFile) -> Result<(), Failure> {
        test_new_archive(file, &ReaderArgs::default(), &QUIET)
    }

    /// A file that gets its name only after a test still has the old content if the test fails.
    #[test]
    fn a_new_archive_is_tested_before_it_gets_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgna");
        fs::write(&path, "old").unwrap();
        for text in ["1. e4 e5 1-0\n", ""] {
            let mut writer = FileWriter::create(&path, PackOptions::default()).unwrap();
            writer.add_source("games.pgn", text.as_bytes()).unwrap();
            let (file, _) = writer.finish_file().unwrap();
            assert!(test_of(&file).is_ok());
            assert_eq!(fs::read(&path).unwrap(), b"old");
        }
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"no archive").unwrap();
        let Err(Failure::Message(Exit::Damaged, message)) = test_of(&file) else {
            panic!("it was accepted");
        };
        assert!(message.ends_with("nothing was written"), "{message}");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
