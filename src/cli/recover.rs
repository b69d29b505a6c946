//! `pgna recover`.

use super::common::Common;
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, grouped, size};
use super::interrupt::Guard;
use super::limits::LimitArgs;
use super::open::refuse_url;
use super::output::Output;
use super::progress::Progress;
use super::target::{EXISTS, is_same_file, refuse_missing_folder, refuse_pgn_name};
use super::writing::IndexChoice;
use crate::{Indexes, LostRange, NewFile, RecoveredSource, Recovery, RecoveryReport};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Save the intact parts of a damaged archive
///
/// Searches the whole file for blocks by their marks, so the archive needs no header,
/// footer or directory; mends what parity can mend; and copies every intact
/// block to a new archive, after it was decoded. Segments that are whole stay as they
/// are; indexes of others are built again, of the same kind. Losses are listed on stderr:
/// the file, the range of its bytes, the games. The damaged archive is only read.
///
/// The exit status is 0 if everything is known to have been saved, 3 if something is or
/// may be lost, and 4, without a new archive, if nothing could be saved.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RecoverArgs {
    /// The damaged archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// The archive to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace that file if it exists
    ///
    /// The damaged archive is never overwritten.
    #[arg(short, long)]
    force: bool,
    /// Print what was saved and lost as JSON
    ///
    /// Ranges exclude their end. Game numbers are those of the damaged archive, from 1,
    /// and null if unknown.
    #[arg(long)]
    json: bool,
    /// The indexes of the new archive: openings, full or none
    ///
    /// The default is those that the damaged archive had.
    #[arg(long, value_name = "INDEXES", hide_possible_values = true)]
    index: Option<IndexChoice>,
    #[command(flatten)]
    limits: LimitArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna recover bad.pgna -o good.pgna
  pgna recover bad.pgna -o good.pgna --json | jq '.losses[].games'
  ddrescue /dev/sdb1 disk.img && pgna recover disk.img -o good.pgna";

/// Recovers an archive.
pub(crate) fn run(args: &RecoverArgs, common: &Common) -> Result<Exit, Failure> {
    check_target(args)?;
    let path = &args.archive;
    let failed = |error| Failure::in_recovery(path, &error);
    let rescue = Recovery::open(open(path)?, args.limits.limits()).map_err(failed)?;
    let file = match is_same_file(path, &NewFile::path_for(&args.output)) {
        // It is the temporary file of an earlier run with the same output, and would be
        // removed.
        true => NewFile::create_with_random_temporary(&args.output),
        false => NewFile::create(&args.output),
    };
    let file = file.map_err(|error| Failure::io(&args.output, &error))?;
    let _guard = Guard::new(file.temporary_path());
    let progress = Progress::new("recovering", Some(rescue.text_bytes()), common);
    let indexes = args.index.map(Indexes::from);
    let recovered = rescue.recover(file, indexes, args.force, |bytes| progress.add(bytes));
    progress.finish();
    let recovery = recovered.map_err(|error| Failure::in_recovery(&args.output, &error))?;
    report_losses(path, &recovery, common);
    if args.json {
        print(&recovery)?;
    }
    if recovery.is_nothing() {
        let message = format!(
            "{}: no block can be saved; nothing was written",
            path.display()
        );
        return Err(Failure::Message(Exit::Damaged, message));
    }
    if !common.quiet {
        print_message(&summary(&args.output, &recovery));
    }
    Ok(match recovery.is_complete() {
        true => Exit::Done,
        false => Exit::Loss,
    })
}

fn print(recovery: &RecoveryReport) -> Result<(), Failure> {
    let mut output = Output::new();
    output.json(&report(recovery))?;
    output.finish()
}

/// Refuses to overwrite a file without `--force`, and the damaged archive in any case.
fn check_target(args: &RecoverArgs) -> Result<(), Failure> {
    let refuse = |why: &str| Err(Failure::usage(format!("{}: {why}", args.output.display())));
    if is_same_file(&args.archive, &args.output) {
        return refuse("is the damaged archive itself; choose another name with -o");
    }
    refuse_pgn_name(&args.output)?;
    refuse_missing_folder(&args.output)?;
    match fs::metadata(&args.output) {
        Ok(metadata) if !metadata.is_file() => {
            refuse("is not a regular file; name a new archive with -o")
        }
        Ok(_) if !args.force => refuse(EXISTS),
        _ => Ok(()),
    }
}

/// Opens the damaged archive. It is not mapped, because a read error of the disk would
/// end the program. A file that cannot be read at all ends the recovery; the help
/// suggests an image of the disk.
fn open(path: &Path) -> Result<File, Failure> {
    refuse_url(path)?;
    let unreadable = |error| Failure::io(path, &error);
    // The file is checked before it is opened, because opening a pipe waits for its
    // writer.
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        let message = format!(
            "{}: is not a regular file, which is needed for recovery",
            path.display()
        );
        return Err(Failure::usage(message));
    }
    File::open(path).map_err(unreadable)
}

/// Reports what is lost or in doubt.
fn report_losses(path: &Path, recovery: &RecoveryReport, common: &Common) {
    let path = path.display();
    for loss in &recovery.losses {
        print_message(&format!("{path}: lost: {}", describe(loss)));
    }
    for note in &recovery.notes {
        if note.is_doubt() || !common.quiet {
            print_message(&format!("{path}: {note}"));
        }
    }
}

fn describe(loss: &LostRange) -> String {
    let Range { start, end } = loss.bytes;
    let place = match &loss.source {
        Some(name) => format!("{name}, bytes {start} to {}", end.saturating_sub(1)),
        None => format!("{} of a file whose name is lost", count(loss.len(), "byte")),
    };
    let games = match (&loss.games, loss.game_count) {
        (_, Some(0)) => String::new(),
        (Some(games), _) if games.end - games.start == 1 => format!(" (game {})", games.start),
        (Some(games), _) => format!(" (games {} to {})", games.start, games.end - 1),
        (None, Some(games)) => format!(" ({})", count(games, "game")),
        (None, None) => String::new(),
    };
    format!("{place}{games}: {}", loss.reason)
}

fn summary(output: &Path, recovery: &RecoveryReport) -> String {
    let proven = recovery.sources.iter().filter(|source| source.is_proven);
    let files = recovery.sources.len() as u64;
    let mut out = format!(
        "{}: {} saved, {} from {}, {}, {} of {} verified",
        output.display(),
        count(recovery.blocks, "block"),
        count(recovery.games, "game"),
        count(files, "file"),
        size(recovery.bytes),
        proven.count(),
        count(files, "file"),
    );
    if !recovery.losses.is_empty() {
        out.push_str(&format!(
            "; lost: {}, {}",
            count(recovery.lost_games(), "game"),
            size(recovery.lost_bytes())
        ));
    }
    out.push_str(&format!(
        "; {} copied",
        count(recovery.segments_copied, "segment")
    ));
    if recovery.segments_rebuilt > 0 {
        out.push_str(&format!(
            ", {} rebuilt from intact blocks",
            grouped(recovery.segments_rebuilt)
        ));
    }
    if recovery.indexes_built > 0 {
        out.push_str(&format!(
            ", the indexes of {} built again",
            grouped(recovery.indexes_built)
        ));
    }
    out
}

fn report(recovery: &RecoveryReport) -> Value {
    let notes = recovery.notes.iter().map(ToString::to_string);
    json!({
        "complete": recovery.is_complete(),
        "blocks": recovery.blocks,
        "segments_copied": recovery.segments_copied,
        "segments_rebuilt": recovery.segments_rebuilt,
        "indexes_built": recovery.indexes_built,
        "games": recovery.games,
        "bytes": recovery.bytes,
        "lost_games": recovery.lost_games(),
        "lost_bytes": recovery.lost_bytes(),
        "sources": recovery.sources.iter().map(source_json).collect::<Vec<_>>(),
        "losses": recovery.losses.iter().map(loss_json).collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
    })
}

fn source_json(source: &RecoveredSource) -> Value {
    json!({
        "name": source.name,
        "bytes": source.bytes,
        "games": source.games,
        "proven": source.is_proven,
    })
}

fn loss_json(loss: &LostRange) -> Value {
    json!({
        "source": loss.source,
        "bytes": { "start": loss.bytes.start, "end": loss.bytes.end },
        "games": loss.games.as_ref().map(|games| json!({ "start": games.start, "end": games.end })),
        "game_count": loss.game_count,
        "reason": loss.reason.to_string(),
    })
}
