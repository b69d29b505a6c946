//! `pgna merge`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, size};
use super::interrupt::Guard;
use super::open::{open, warn};
use super::progress::Progress;
use super::target::OutputTarget;
use super::test::test_new_archive;
use crate::{Error, ErrorClass, Merger, NewFile};
use clap::Args as ClapArgs;
use std::fs;
use std::path::{Path, PathBuf};

/// Merge archives into one
///
/// Nothing is packed again: the contents of the archives are copied as they are, and
/// each checksum is checked, so merging is as fast as copying files. All sources are
/// stored, in the order of the archives, each with its digest; one whose name is taken
/// gets a number, as in `games (2).pgn`. Archives of few games take less space if their
/// files are packed together instead.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MergeArgs {
    /// The archives
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
    /// The archive to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace that file if it exists
    ///
    /// An input is never overwritten.
    #[arg(short, long)]
    force: bool,
    /// Read everything back and verify it before the file gets its name
    #[arg(long)]
    test: bool,
    #[command(flatten)]
    reader: ReaderArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna merge 2023.pgna 2024.pgna -o both.pgna
  pgna merge month*.pgna -o year.pgna --test";

/// Merges the archives.
pub(crate) fn run(args: &MergeArgs, common: &Common) -> Result<Exit, Failure> {
    let target = &args.output;
    if target == Path::new("-") {
        return Err(Failure::usage(
            "-: a merge goes to a file; name one with -o",
        ));
    }
    match OutputTarget::archive_at(target, args.force, &args.archives)? {
        OutputTarget::File(_) => {}
        OutputTarget::Stream(_) | OutputTarget::Stdout => {
            let message = format!(
                "{}: is not a regular file; name one with -o",
                target.display()
            );
            return Err(Failure::usage(message));
        }
    }
    merge(args, common)?;
    let archive = open(target, &args.reader)?;
    if !common.quiet {
        let totals = archive.totals();
        let proof = match args.test {
            true => ", read back and verified",
            false => "",
        };
        print_message(&format!(
            "{}: {} from {} in {}, {}{proof}",
            target.display(),
            count(totals.games, "game"),
            count(totals.sources.into(), "source"),
            count(totals.segments.into(), "segment"),
            size(archive.committed_bytes()),
        ));
    }
    Ok(Exit::Done)
}

fn merge(args: &MergeArgs, common: &Common) -> Result<(), Failure> {
    let target = &args.output;
    let file = NewFile::create(target).map_err(|error| Failure::io(target, &error))?;
    let _guard = Guard::new(file.temporary_path());
    let written = |error: &Error| Failure::archive(target, error);
    let mut merger = Merger::new(file).map_err(|error| written(&error))?;
    let sizes = args.archives.iter().map(fs::metadata);
    let total = sizes.map(|file| file.map_or(0, |file| file.len())).sum();
    let progress = Progress::new("merging", Some(total), common);
    for path in &args.archives {
        progress.verbose(&path.display().to_string());
        let archive = open(path, &args.reader)?;
        let added = merger.add(&archive, |bytes| progress.add(bytes));
        added.map_err(|error| failure(path, target, &error))?;
        warn(path, &archive.warnings(), common);
    }
    progress.finish();
    let file = merger.finish_file().map_err(|error| written(&error))?;
    if args.test {
        test_new_archive(&file, &args.reader, common)?;
    }
    let committed = file.commit(args.force);
    committed.map_err(|error| Failure::io(target, &error))
}

/// Damage is that of the input; a system error can concern either file.
fn failure(input: &Path, target: &Path, error: &Error) -> Failure {
    match (error.class(), Failure::archive(input, error)) {
        (ErrorClass::Io | ErrorClass::Misuse, Failure::Message(exit, message)) => {
            let message = format!("{message} (copying it to {})", target.display());
            Failure::Message(exit, message)
        }
        (_, failure) => failure,
    }
}
