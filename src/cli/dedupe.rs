//! `pgna dedupe`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::count;
use super::open::warn;
use super::output::Output;
use super::progress::Progress;
use super::saving::{Saver, SavingArgs, report_omitted_text};
use super::terminal::printable;
use super::texts::TextArgs;
use crate::{Archive, Duplicate, DuplicateCriteria, Error, Field};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Write the games of an archive without duplicates
///
/// Games are the same if they start from the same position, have the same moves in their main line
/// and the same players, and if their dates and results do not contradict each other: what one of
/// them does not know contradicts nothing. Games of fewer than 20 plies must have equal tags. The
/// fullest game stays: the one with more comments, glyphs and variations; then with more tags; then
/// with more text; then the first.
///
/// Prints a line for each game that is dropped: its number, that of the game that stays in its
/// place, and why, separated by tabs.
///
/// Names are compared by their letters and digits, without regard to case and accents: "Tal, M."
/// equals "tal m", but "Tal" only with --aliases. Games without moves, and games with an illegal
/// move, are duplicates only if their whole text is equal. Games that stay are written byte for
/// byte.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct DedupeArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Compare start position and moves alone
    ///
    /// Then games of other players are duplicates if they have the same moves.
    #[arg(long)]
    moves_only: bool,
    /// Also drop a game if another of the same players begins with all its moves
    ///
    /// The longest stays. Games of fewer than 20 plies stay, unless --moves-only is given.
    #[arg(long)]
    prefix: bool,
    /// Write the dropped games to this file, an archive if its name ends with .pgna
    #[arg(long, value_name = "FILE")]
    dropped: Option<PathBuf>,
    /// Write nothing, only report what would be dropped
    #[arg(short = 'n', long, conflicts_with_all = ["output", "stdout", "force", "dropped"])]
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
  pgna dedupe games.pgna -o clean.pgna --dropped dropped.pgn > dropped.txt
  pgna dedupe games.pgna --aliases spelling.ssp --prefix -o clean.pgna";

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
    let saving = &args.saving;
    let of_dropped = args
        .dropped
        .as_deref()
        .map(|path| Saver::to_path(&args.archive, path, saving.force, &saving.writing, common));
    let of_dropped = of_dropped.transpose()?;
    let duplicates = find(args, &archive, common)?;
    let is_dropped = |game| {
        duplicates
            .binary_search_by_key(&game, |pair| pair.dropped)
            .is_ok()
    };
    if let Some(saver) = &of_dropped {
        write(args, &archive, saver, is_dropped, common)?;
    }
    if let Some(saver) = &saver {
        write(args, &archive, saver, |game| !is_dropped(game), common)?;
    }
    // If the games go to stdout, the report does not.
    let prints = saver.is_none_or(|saver| !saver.is_to_stdout());
    if prints {
        print(args, &archive, &duplicates)?;
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
        by_beginning: args.prefix,
        ..match args.moves_only {
            true => DuplicateCriteria::of_moves(),
            false => DuplicateCriteria::default(),
        }
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
    is_written: impl Fn(u64) -> bool + Sync,
    common: &Common,
) -> Result<(), Failure> {
    let mut parts = archive.parts(is_written);
    saver.save(parts.by_ref(), Some(archive.totals().raw_bytes))?;
    report_omitted_text(&args.archive, parts.text_left_out(), common);
    Ok(())
}

/// The fields that a report shows of each game.
const SHOWN: [&str; 5] = ["White", "Black", "Date", "Result", "plies"];

/// The values of those fields, empty if a game has none.
struct Summary([String; 5]);

impl Summary {
    fn of(archive: &Archive, game: u64) -> Result<Summary, Error> {
        let fields: Vec<Field> = SHOWN.iter().filter_map(|name| name.parse().ok()).collect();
        let mut values = archive.game_values(game, &fields)?.into_iter();
        Ok(Summary(SHOWN.map(|_| {
            let value = values.next().and_then(|values| values.into_iter().next());
            value.map(|value| value.to_string()).unwrap_or_default()
        })))
    }

    /// Why a game is dropped for another: the values, those of both where they differ.
    fn compared_with(&self, other: &Summary) -> String {
        let pairs = SHOWN.iter().zip(self.0.iter().zip(&other.0));
        let values = pairs.map(|(name, (own, other))| match own == other {
            true => format!("{name} {own}"),
            false => format!("{name} {own} | {other}"),
        });
        values.collect::<Vec<_>>().join("; ")
    }

    fn json(&self) -> Value {
        let pairs = SHOWN.iter().zip(&self.0);
        let values = pairs.map(|(name, value)| (name.to_lowercase(), value.as_str().into()));
        Value::Object(values.collect())
    }
}

fn print(args: &DedupeArgs, archive: &Archive, duplicates: &[Duplicate]) -> Result<(), Failure> {
    let mut output = Output::new();
    let unreadable = |error| Failure::archive(&args.archive, &error);
    for Duplicate { dropped, retained } in duplicates {
        let summary = |game: &u64| Summary::of(archive, *game).map_err(unreadable);
        let (own, other) = (summary(dropped)?, summary(retained)?);
        match args.json {
            true => output.json(&json!({
                "dropped": dropped,
                "retained": retained,
                "of_dropped": own.json(),
                "of_retained": other.json(),
            }))?,
            false => {
                let why: String = printable(&own.compared_with(&other)).collect();
                output.line(&format!("{dropped}\t{retained}\t{why}"))?;
            }
        }
    }
    output.finish()
}
