//! `pgna append`.

use super::adding::{InputAdder, verbatim_summary};
use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, size};
use super::inputs::{self, Input};
use super::limits::LimitArgs;
use super::open::{open, refuse_url, warn};
use super::target::is_same_file;
use super::test::test_archive;
use super::writing::WritingArgs;
use crate::{Appender, Archive, Indexes, PackOptions, PackReport};
use clap::Args as ClapArgs;
use std::fs;
use std::path::{Path, PathBuf};

/// Add PGN files to an archive
///
/// The archive grows in place; its contents are not packed again. If this is interrupted
/// at any time, the archive opens as it was, and the next append cuts the incomplete
/// data. The files become sources after the existing ones, in the order given; one whose
/// name is taken gets a number, as in `games (2).pgn`.
///
/// The tables of the archive are checked before, not its games, which `pgna test` reads. What is
/// damaged and was mended is reported; with tables that are lost the archive is refused.
///
/// Many small appends take more space than one archive of everything; `pgna compact` makes
/// it small again, and a line says when that is worth it.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES, mut_arg("index", |arg| arg.long_help(INDEX_HELP)))]
pub(crate) struct AppendArgs {
    /// The archive to add to
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Files, folders, or - for stdin, as for `pgna pack`
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    writing: WritingArgs,
    /// Read the whole archive back afterwards and verify it
    #[arg(long)]
    test: bool,
    #[command(flatten)]
    limits: LimitArgs,
    /// Exit with 3 if some games had to be stored verbatim, in whole or in part
    #[arg(long)]
    strict: bool,
}

const INDEX_HELP: &str = "\
The indexes of the added games: openings, full or none

With indexes `find` answers without reading all games. `pgna index` adds and removes them \
later. The default is the indexes that the archive has.";

const EXAMPLES: &str = "\
Examples:
  pgna append twic.pgna twic1567.pgn        this week's games after all others
  zstd -dc new.pgn.zst | pgna append big.pgna -";

/// Appends the inputs.
pub(crate) fn run(args: &AppendArgs, common: &Common) -> Result<Exit, Failure> {
    let path = &args.archive;
    refuse_url(path)?;
    let reader = ReaderArgs {
        no_mmap: true,
        limits: args.limits.clone(),
    };
    refuse_missing_archive(path)?;
    inputs::refuse_archives(&args.inputs)?;
    let inputs = inputs::collect(&args.inputs, common.quiet)?;
    if !common.quiet {
        inputs::report_archives(&inputs);
    }
    let mut paths = inputs.iter().filter_map(|input| input.path.as_deref());
    if paths.any(|input| is_same_file(input, path)) {
        let message = format!(
            "{}: is an input; it cannot be added to itself",
            path.display()
        );
        return Err(Failure::usage(message));
    }
    let (options, before) = options(args, &reader, common)?;
    let segment_bytes = options.segment_bytes;
    let report = append(args, options, common, &inputs)?;
    let archive = open(path, &reader)?;
    let mut summary = summary(&report, before, bytes_of(path)?, archive.games());
    if args.test {
        match test_archive(path, &archive, common) {
            Exit::Done => summary.push_str("; read back and verified"),
            exit => return Ok(exit),
        }
    }
    if !common.quiet {
        print_message(&format!("{}: {summary}", path.display()));
        hint_at_compaction(path, &archive, segment_bytes);
    }
    match args.strict && !report.verbatim.is_empty() {
        true => Ok(Exit::Loss),
        false => Ok(Exit::Done),
    }
}

fn refuse_missing_archive(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Failure::usage(format!(
            "{}: there is no such archive; `pgna pack` makes one",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// The options that the arguments specify, by default with the model and the indexes that the
/// archive has; and the size of the archive in bytes without an unfinished append. Reports damage
/// without loss.
fn options(
    args: &AppendArgs,
    reader: &ReaderArgs,
    common: &Common,
) -> Result<(PackOptions, u64), Failure> {
    // Wrong usage is reported before the archive is read.
    let mut options = args.writing.options()?;
    let archive = open(&args.archive, reader)?;
    let failed = |error| Failure::archive(&args.archive, &error).with_nothing_written();
    archive.read_structure().map_err(failed)?;
    warn(&args.archive, &archive.warnings(), common);
    if let Some(own) = args.writing.own_model(&archive, &args.archive)? {
        options = args.writing.options_of(own)?;
    }
    if args.writing.index.is_none() {
        let indexes: Option<Indexes> = archive.indexes().map_err(failed)?;
        options.indexes = indexes.unwrap_or(options.indexes);
    }
    Ok((options, archive.committed_bytes()))
}

fn append(
    args: &AppendArgs,
    options: PackOptions,
    common: &Common,
    inputs: &[Input],
) -> Result<PackReport, Failure> {
    let failure = |error| Failure::archive(&args.archive, &error);
    let mut appender =
        Appender::open(&args.archive, options, args.limits.limits()).map_err(failure)?;
    let adding = InputAdder::new("appending", inputs, common, &args.archive);
    let added = adding.add_to(&mut appender);
    let report = added.and_then(|()| appender.finish().map_err(failure));
    adding.finish();
    report
}

/// Compacting is worth it if it saves so many bytes, and one in
/// [`WORTHWHILE_PART`] bytes of the archive.
const WORTHWHILE_BYTES: u64 = 10_000;
const WORTHWHILE_PART: u64 = 10;

/// Reports that compacting is worth it.
fn hint_at_compaction(path: &Path, archive: &Archive, segment_bytes: usize) {
    // A damaged segment is reported where it is read.
    let Ok(compaction) = archive.compaction(segment_bytes) else {
        return;
    };
    let gain = compaction.estimated_gain;
    if gain >= WORTHWHILE_BYTES && gain >= archive.committed_bytes() / WORTHWHILE_PART {
        let path = path.display();
        print_message(&format!(
            "{path}: {} are small; `pgna compact {path}` would save about {}",
            count(compaction.segments, "segment"),
            size(gain),
        ));
    }
}

fn bytes_of(path: &Path) -> Result<u64, Failure> {
    let metadata = fs::metadata(path).map_err(|error| Failure::io(path, &error))?;
    Ok(metadata.len())
}

fn summary(report: &PackReport, before: u64, after: u64, games: u64) -> String {
    format!(
        "{} from {} added, {} packed to {}{}; {} in all, {}",
        count(report.games, "game"),
        count(report.sources, "source"),
        size(report.raw_bytes),
        size(after.saturating_sub(before)),
        verbatim_summary(report),
        count(games, "game"),
        size(after),
    )
}
