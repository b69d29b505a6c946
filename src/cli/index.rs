//! `pgna index`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, ratio, size};
use super::interrupt::Guard;
use super::open::{open, warn};
use super::progress::Progress;
use super::target::{EXISTS, is_same_file, refuse_missing_folder, refuse_pgn_name};
use super::writing::IndexChoice;
use crate::{ArchiveLock, NewFile};
use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

/// Add indexes, with which `find` answers without reading all games
///
/// The games are copied as they are, and the archive is replaced when the new one is
/// complete.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct IndexArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// The indexes that the archive will have: openings, full or none
    ///
    /// openings finds positions of lines that several games share, for about 3 bytes a
    /// game; full finds all positions and material, for about 26 more.
    #[arg(
        long,
        value_name = "INDEXES",
        default_value = "full",
        hide_possible_values = true
    )]
    index: IndexChoice,
    /// Write the archive to this file instead
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace that file if it exists
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    reader: ReaderArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna index games.pgna                  index all positions
  pgna index games.pgna --index none     back to the smallest archive";

/// Writes the archive with other indexes.
pub(crate) fn run(args: &IndexArgs, common: &Common) -> Result<Exit, Failure> {
    // Without the lock, a concurrent append would be lost.
    let replaced = args.output.as_ref();
    let is_replaced = replaced.is_none_or(|output| is_same_file(output, &args.archive));
    let _lock = is_replaced.then(|| lock(&args.archive)).transpose()?;
    let archive = open(&args.archive, &args.reader)?;
    let target = args.output.as_ref().unwrap_or(&args.archive);
    let failed = |error: &std::io::Error| Failure::io(target, error);
    check_target(args)?;
    let before =
        std::fs::metadata(&args.archive).map_err(|error| Failure::io(&args.archive, &error))?;
    // If the target is a link, the file that it points to is replaced.
    let place = target.canonicalize().unwrap_or_else(|_| target.clone());
    let file = NewFile::create(&place).map_err(|error| failed(&error))?;
    let permissions = file.file().set_permissions(before.permissions());
    permissions.map_err(|error| failed(&error))?;
    let _guard = Guard::new(file.temporary_path());
    let progress = Progress::new("indexing", Some(archive.totals().raw_bytes), common);
    let replace = args.output.is_none() || args.force;
    let written = archive.reindex(file, args.index.into(), replace, |bytes| {
        progress.add(bytes)
    });
    progress.finish();
    written.map_err(|error| Failure::archive(&args.archive, &error).with_nothing_written())?;
    warn(&args.archive, &archive.warnings(), common);
    let after = std::fs::metadata(target).map_err(|error| failed(&error))?;
    if !common.quiet {
        print_message(&format!(
            "{}: {}, {} -> {} ({:.1} B/game)",
            target.display(),
            count(archive.games(), "game"),
            size(before.len()),
            size(after.len()),
            ratio(after.len(), archive.games().max(1)),
        ));
    }
    Ok(Exit::Done)
}

/// Refuses an output that cannot be written to.
fn check_target(args: &IndexArgs) -> Result<(), Failure> {
    let Some(output) = &args.output else {
        return Ok(());
    };
    refuse_pgn_name(output)?;
    refuse_missing_folder(output)?;
    match !args.force && output.exists() {
        true => Err(Failure::usage(format!("{}: {EXISTS}", output.display()))),
        false => Ok(()),
    }
}

fn lock(archive: &Path) -> Result<ArchiveLock, Failure> {
    ArchiveLock::new(archive).map_err(|error| Failure::archive(archive, &error))
}
