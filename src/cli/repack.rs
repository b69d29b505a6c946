//! `pgna repack`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, grouped, size};
use super::interrupt::Guard;
use super::open::{open, warn};
use super::progress::Progress;
use super::replacing::{Replacement, ReplacementArgs};
use super::writing::{INDEX_LIKE_HELP, LEVEL_LIKE_HELP, WritingArgs};
use clap::Args as ClapArgs;

/// Pack an archive again, with another level, codec or indexes
///
/// Gives the archive that packing the original files would give, without unpacking them:
/// the same files with the same names, each verified by its digest. Sizes of segments and
/// blocks are those of the options, not those of the archive. What appends have added is
/// packed with the rest; `pgna compact` does that alone, and copies large segments.
///
/// The archive is replaced when the new one is complete; with -o it stays. An archive with
/// damaged games is not packed again: `pgna recover` saves what can be read. The text of a
/// recovered archive may be divided into other games than before, which is reported.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = EXAMPLES,
    mut_arg("index", |arg| arg.long_help(INDEX_LIKE_HELP)),
    mut_arg("level", |arg| arg.long_help(LEVEL_LIKE_HELP))
)]
pub(crate) struct RepackArgs {
    #[command(flatten)]
    replacement: ReplacementArgs,
    /// Read the new archive back and verify it before it gets its name
    #[arg(long)]
    test: bool,
    #[command(flatten)]
    reader: ReaderArgs,
    #[command(flatten, next_help_heading = "Options of the new archive")]
    writing: WritingArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna repack twic.pgna --level max -o twic-max.pgna --test
  pgna repack twic.pgna --level fast -o quick.pgna    larger, and faster to read
  pgna repack twic.pgna                               in place, in this release's format";

/// Packs the archive again.
pub(crate) fn run(args: &RepackArgs, common: &Common) -> Result<Exit, Failure> {
    let path = &args.replacement.archive;
    let replacement = Replacement::new(&args.replacement)?;
    let archive = open(path, &args.reader)?;
    let options = args.writing.options_like(&archive, path)?;
    let (file, before) = replacement.new_file(&archive)?;
    let _guard = Guard::new(file.temporary_path());
    let progress = Progress::new("repacking", Some(archive.totals().raw_bytes), common);
    let shown = progress.clone();
    let written = archive.repack(file, options, move |bytes| shown.set(bytes));
    progress.finish();
    let (file, report) =
        written.map_err(|error| Failure::archive(path, &error).with_nothing_written())?;
    warn(path, &archive.warnings(), common);
    let (after, proof) = replacement.commit(file, args.test, &args.reader, common)?;
    let target = replacement.target();
    if report.games != archive.games() {
        print_message(&format!(
            "warning: {}: the text is {}, which were {}; numbers of games differ",
            target.display(),
            count(report.games, "game"),
            grouped(archive.games()),
        ));
    }
    if !common.quiet {
        print_message(&format!(
            "{}: {} from {}, {} -> {}{proof}",
            target.display(),
            count(report.games, "game"),
            count(archive.totals().sources.into(), "source"),
            size(before),
            size(after),
        ));
    }
    Ok(Replacement::exit(&archive))
}
