//! `pgna compact`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, size};
use super::interrupt::Guard;
use super::open::{open, warn};
use super::progress::Progress;
use super::replacing::{Replacement, ReplacementArgs};
use super::writing::{INDEX_LIKE_HELP, LEVEL_LIKE_HELP, WritingArgs};
use crate::{Archive, Compaction};
use clap::Args as ClapArgs;

/// Join the small segments that appends have left
///
/// An append packs its files by themselves, so many small ones take more space than one
/// archive of everything. This packs neighbouring small segments together; segments with
/// half of --segment-size of text or more are copied. Games, their numbers, files and
/// order stay the same. The archive is replaced when the new one is complete.
///
/// If no segments can be joined, the archive is not replaced.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = EXAMPLES,
    mut_arg("index", |arg| arg.long_help(INDEX_LIKE_HELP)),
    mut_arg("level", |arg| arg.long_help(LEVEL_LIKE_HELP))
)]
pub(crate) struct CompactArgs {
    #[command(flatten)]
    replacement: ReplacementArgs,
    /// Read the new archive back and verify it before it replaces the old one
    #[arg(long)]
    test: bool,
    #[command(flatten)]
    reader: ReaderArgs,
    #[command(flatten, next_help_heading = "Options of the joined segments")]
    writing: WritingArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna compact twic.pgna                    after many appends
  pgna compact twic.pgna -o small.pgna --test";

/// Joins segments.
pub(crate) fn run(args: &CompactArgs, common: &Common) -> Result<Exit, Failure> {
    let path = &args.replacement.archive;
    let replacement = Replacement::new(&args.replacement)?;
    let archive = open(path, &args.reader)?;
    let failed = |error| Failure::archive(path, &error);
    let options = args.writing.options_like(&archive, path)?;
    let compaction = archive.compaction(options.segment_bytes).map_err(failed)?;
    if compaction.into == 0 && args.replacement.output.is_none() {
        if !common.quiet {
            let segments = count(archive.totals().segments.into(), "segment");
            let path = path.display();
            print_message(&format!("{path}: {segments}, of which none can be joined"));
        }
        warn(path, &archive.warnings(), common);
        return Ok(Exit::Done);
    }
    let (file, before) = replacement.new_file(&archive)?;
    let _guard = Guard::new(file.temporary_path());
    let progress = Progress::new("compacting", Some(archive.totals().raw_bytes), common);
    let written = archive.compact(file, options, |bytes| progress.set(bytes));
    progress.finish();
    let (file, _) =
        written.map_err(|error| Failure::archive(path, &error).with_nothing_written())?;
    warn(path, &archive.warnings(), common);
    let (after, proof) = replacement.commit(file, args.test, &args.reader, common)?;
    let target = replacement.target();
    if !common.quiet {
        let summary = summary(&compaction, &archive, before, after);
        print_message(&format!("{}: {summary}{proof}", target.display()));
    }
    Ok(Replacement::exit(&archive))
}

fn summary(compaction: &Compaction, archive: &Archive, before: u64, after: u64) -> String {
    let joined = match compaction.into {
        0 => "no segments joined".to_owned(),
        into => format!("{} joined to {into}", count(compaction.segments, "segment")),
    };
    let copied = u64::from(archive.totals().segments).saturating_sub(compaction.segments);
    format!(
        "{joined}, {copied} copied; {}, {} -> {}",
        count(archive.games(), "game"),
        size(before),
        size(after),
    )
}
