//! `pgna test`.

use super::common::Common;
use super::common::ReaderArgs;
use super::errors::{Exit, Failure, exit_of, print_message};
use super::figures::{count, size};
use super::open::open;
use super::output::Output;
use super::progress::Progress;
use crate::{Archive, Loss, Warning};
use clap::Args as ClapArgs;
use std::path::Path;
use std::path::PathBuf;

/// Verify the integrity of archives
///
/// Decodes every block and compares the digest of every file with the one that was
/// stored when it was packed. Prints one line an archive; damage is listed on
/// stderr, with the games that it affects. Damage that was repaired without loss
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
    let archive = open(path, &args.reader)?;
    let exit = match args.quick {
        true => check_archive(path, &archive, common),
        false => test_archive(path, &archive, common),
    };
    if exit == Exit::Done && !common.quiet {
        let mut output = Output::new();
        output.line(&format!(
            "{}: {}: {} from {}, {}",
            path.display(),
            if args.quick { "checksums OK" } else { "OK" },
            count(archive.games(), "game"),
            count(archive.sources().len() as u64, "source"),
            size(archive.totals().raw_bytes),
        ))?;
        output.finish()?;
    }
    Ok(exit)
}

/// Verifies an archive and reports damage.
pub(crate) fn test_archive(path: &Path, archive: &Archive, common: &Common) -> Exit {
    let progress = Progress::new("testing", Some(archive.totals().raw_bytes), common);
    let losses = archive.verify(|bytes| progress.add(bytes));
    progress.finish();
    for source in archive.sources().iter().filter(|_| losses.is_empty()) {
        progress.verbose(&format!("{}: proven", source.name));
    }
    report(path, archive, &losses)
}

/// Checks the checksums of an archive and reports damage.
fn check_archive(path: &Path, archive: &Archive, common: &Common) -> Exit {
    let bytes = archive.committed_bytes();
    let progress = Progress::new("checking", Some(bytes), common);
    let losses = archive.verify_checksums(|bytes| progress.add(bytes));
    progress.finish();
    report(path, archive, &losses)
}

fn report(path: &Path, archive: &Archive, losses: &[Loss]) -> Exit {
    for loss in losses {
        print_message(&describe(path, loss));
    }
    let is_harmed = report_repaired(path, archive);
    match losses.first() {
        Some(loss) => exit_of(&loss.error),
        None if is_harmed => Exit::Damaged,
        None => Exit::Done,
    }
}

/// Reports damage without loss; returns whether there is any.
fn report_repaired(path: &Path, archive: &Archive) -> bool {
    let warnings = archive.warnings();
    for warning in &warnings {
        let meaning = match warning {
            Warning::AnotherArchive { .. } => "`pgna recover` saves both",
            Warning::ForeignBytes { .. } => "`pgna recover` saves what they hold of an archive",
            _ => "nothing is lost",
        };
        print_message(&format!("{}: {warning}; {meaning}", path.display()));
    }
    // An unfinished append is not damage.
    let is_damage = |warning: &Warning| !matches!(warning, Warning::UnfinishedAppend { .. });
    warnings.iter().any(is_damage)
}

fn describe(path: &Path, loss: &Loss) -> String {
    let lost = if loss.games.is_empty() {
        String::new()
    } else if loss.games.end - loss.games.start == 1 {
        format!("; it costs game {}", loss.games.start)
    } else {
        let last = loss.games.end - 1;
        format!("; it costs games {} to {last}", loss.games.start)
    };
    format!("{}: {}{lost}", path.display(), loss.error.with_cause())
}
