//! `pgna dedupe`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::count;
use super::open::warn;
use super::output::Output;
use super::progress::Progress;
use super::saving::{Saver, SavingArgs, report_omitted_text};
use super::texts::TextArgs;
use crate::{Archive, Duplicate, DuplicateCriteria};
use clap::Args as ClapArgs;
use serde_json::json;
use std::path::PathBuf;

/// Write the games of an archive without duplicates
///
/// Games are duplicates if they start from the same position and have the same moves in
/// their main line. The fullest one stays: the one with more comments, glyphs and
/// variations; then with more tags; then with more text; then the first. Prints a line
/// for each game that is dropped: its number, a tab, and the number of the game that is
/// retained in its place.
///
/// Games without moves, and games with an illegal move, are duplicates only if their
/// whole text is equal. Retained games are written byte for byte.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct DedupeArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Only games of the same two players are duplicates
    ///
    /// Names are compared by their letters and digits, in upper or lower case: "Tal, M."
    /// equals "tal m", but not "Tal".
    #[arg(long)]
    players: bool,
    /// Also drop a game if another begins with all its moves; the longest stays
    ///
    /// This also drops a game of one move if any other begins with it; consider
    /// --players.
    #[arg(long)]
    prefix: bool,
    /// Write nothing, only report what would be dropped
    #[arg(short = 'n', long, conflicts_with_all = ["output", "stdout", "force"])]
    dry_run: bool,
    /// Print JSON, one object a line
    #[arg(long, conflicts_with = "stdout")]
    json: bool,
    #[command(flatten)]
    reader: ReaderArgs,
    #[command(flatten)]
    texts: TextArgs,
    #[command(flatten)]
    saving: SavingArgs,
}

const USAGE: &str = "\
pgna dedupe [OPTIONS] <ARCHIVE> -o <FILE>
       pgna dedupe [OPTIONS] <ARCHIVE> -c
       pgna dedupe [OPTIONS] <ARCHIVE> -n";

const EXAMPLES: &str = "\
Examples:
  pgna dedupe games.pgna -n                     what would be dropped?
  pgna dedupe games.pgna -o clean.pgna > dropped.txt
  pgna dedupe games.pgna --players --prefix -o clean.pgna";

/// Writes the archive without duplicates.
pub(crate) fn run(args: &DedupeArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = args.texts.open(&args.archive, &args.reader)?;
    let saver = match args.dry_run {
        true => None,
        false if args.saving.is_empty() => {
            let why = "name the file to write with -o, or ask with -n what would be dropped";
            return Err(Failure::usage(why));
        }
        false => Some(Saver::new(&args.archive, &args.saving, common)?),
    };
    let duplicates = find(args, &archive, common)?;
    if let Some(saver) = &saver {
        write(args, &archive, saver, &duplicates, common)?;
    }
    // If the games go to stdout, the report does not.
    let prints = saver.is_none_or(|saver| !saver.is_to_stdout());
    if prints {
        print(args, &duplicates)?;
    }
    if !common.quiet {
        let of = count(archive.games(), "game");
        let dropped = count(duplicates.len() as u64, "duplicate");
        print_message(&format!("{}: {dropped} among {of}", args.archive.display()));
    }
    warn(&args.archive, &archive.warnings(), common);
    Ok(Exit::Done)
}

fn find(args: &DedupeArgs, archive: &Archive, common: &Common) -> Result<Vec<Duplicate>, Failure> {
    let criteria = DuplicateCriteria {
        by_players: args.players,
        by_beginning: args.prefix,
    };
    // The search reports games, but the progress bar counts text.
    let text = archive.totals().raw_bytes;
    let all = u128::from(archive.games().max(1)) * u128::from(criteria.passes());
    let progress = Progress::new("comparing", Some(text), common);
    let duplicates = archive.duplicates(criteria, |games| {
        let share = u128::from(text) * u128::from(games) / all;
        progress.set(u64::try_from(share).unwrap_or(text));
    });
    progress.finish();
    duplicates.map_err(|error| {
        let failure = Failure::archive(&args.archive, &error);
        match args.dry_run {
            true => failure,
            false => failure.with_nothing_written(),
        }
    })
}

fn write(
    args: &DedupeArgs,
    archive: &Archive,
    saver: &Saver<'_>,
    duplicates: &[Duplicate],
    common: &Common,
) -> Result<(), Failure> {
    let is_dropped = |game| duplicates.binary_search_by_key(&game, |pair| pair.dropped);
    let mut parts = archive.parts(|game| is_dropped(game).is_err());
    saver.save(parts.by_ref(), Some(archive.totals().raw_bytes))?;
    report_omitted_text(&args.archive, parts.text_left_out(), common);
    Ok(())
}

fn print(args: &DedupeArgs, duplicates: &[Duplicate]) -> Result<(), Failure> {
    let mut output = Output::new();
    for Duplicate { dropped, retained } in duplicates {
        match args.json {
            true => output.json(&json!({ "dropped": dropped, "retained": retained }))?,
            false => output.line(&format!("{dropped}\t{retained}"))?,
        }
    }
    output.finish()
}
