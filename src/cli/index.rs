//! `pgna index`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, ratio, size};
use super::interrupt::Guard;
use super::open::{open, warn};
use super::progress::Progress;
use super::replacing::{Replacement, ReplacementArgs};
use super::writing::IndexChoice;
use clap::Args as ClapArgs;

/// Add indexes, with which `find` answers without reading all games
///
/// The games are copied as they are, and the archive is replaced when the new one is
/// complete.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    replacement: ReplacementArgs,
    /// The indexes that the archive will have: openings, full or none
    ///
    /// openings finds positions of lines that several games share, for about 3 bytes a
    /// game; full finds all positions, material and structure, for about 53 more, and the segments
    /// that have games of a player.
    #[arg(
        long,
        value_name = "INDEXES",
        default_value = "full",
        hide_possible_values = true
    )]
    index: IndexChoice,
    #[command(flatten)]
    reader: ReaderArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna index games.pgna                  index all positions
  pgna index games.pgna --index none     back to the smallest archive";

/// Writes the archive with other indexes.
pub(crate) fn run(args: &IndexArgs, common: &Common) -> Result<Exit, Failure> {
    let path = &args.replacement.archive;
    let replacement = Replacement::new(&args.replacement)?;
    let archive = open(path, &args.reader)?;
    let (file, before) = replacement.new_file(&archive)?;
    let _guard = Guard::new(file.temporary_path());
    let progress = Progress::new("indexing", Some(archive.totals().raw_bytes), common);
    let replace = replacement.replaces();
    let written = archive.reindex(file, args.index.into(), replace, |bytes| {
        progress.add(bytes)
    });
    progress.finish();
    written.map_err(|error| Failure::archive(path, &error).with_nothing_written())?;
    warn(path, &archive.warnings(), common);
    let target = replacement.target();
    let after = std::fs::metadata(target).map_err(|error| Failure::io(target, &error))?;
    if !common.quiet {
        print_message(&format!(
            "{}: {}, {} -> {} ({:.1} B/game)",
            target.display(),
            count(archive.games(), "game"),
            size(before),
            size(after.len()),
            ratio(after.len(), archive.games().max(1)),
        ));
    }
    Ok(Replacement::exit(&archive))
}
