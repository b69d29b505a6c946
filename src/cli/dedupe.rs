//! `pgna dedupe`.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::fields::json_value;
use super::figures::count;
use super::malformed_dates::report_malformed_dates;
use super::open::warn;
use super::output::Output;
use super::progress::Progress;
use super::saving::{Saver, SavingArgs, report_omitted_text};
use super::target::is_same_target;
use super::terminal::printable;
use super::texts::TextArgs;
use crate::{Archive, Duplicate, DuplicateCriteria, Error, Field, FieldValue};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Write the games of an archive without duplicates
///
/// Games are the same if they start from the same position, have the same moves in their main line
/// and the same players, and if the tags that identify a game do not contradict each other: date,
/// result, Round (1 and 1.3 agree, 1.1 and 1.3 do not), Board, UTCTime, StartTime, GameId, and the
/// address of the game (a URL with a path in Link, GameUrl or Site). What one of the games does not
/// know contradicts nothing, but a malformed date contradicts every other date.
/// Games of fewer than 20 plies, and those with an unknown player ("?", "NN", no name), must have
/// equal tags.
///
/// The fullest game stays: the one with more comments, glyphs and variations; then with more tags
/// whose values are known; then with the more exact date; then with more text; then the first. A
/// game that may be the same as several games that contradict each other goes with the first of
/// them in this order.
///
/// Prints a line for each game that is dropped: its number, that of the game that stays in its
/// place, and why, separated by tabs.
///
/// Names are compared by their letters and digits, without regard to case and accents: "Tal, M."
/// equals "tal m", but "Tal" only with --aliases. Places are not compared: "London" and "London
/// ENG" agree. Games without moves, games with an illegal move, and games with words among their
/// moves that are no moves (Sf3 for Nf3), are duplicates only if their whole text is equal. Such
/// words are skipped where moves are read; pgna list and pgna pack do not report them. Games that
/// stay are written byte for byte.
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
    if is_one_file(args) {
        return Err(Failure::usage("-o and --dropped name the same file"));
    }
    let archive = args.texts.open(&args.archive, &args.reader, common)?;
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
    if !args.moves_only && !common.quiet {
        report_malformed_dates(&archive, &Field::from_str("Date").ok());
    }
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

/// Whether the games that stay and those that are dropped would go to the same file.
fn is_one_file(args: &DedupeArgs) -> bool {
    let retained = match args.saving.stdout {
        true => Some(Path::new("-")),
        false => args.saving.output.as_deref(),
    };
    match (retained, &args.dropped) {
        (Some(retained), Some(dropped)) => is_same_target(retained, dropped),
        _ => false,
    }
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
const SHOWN: [&str; 7] = ["White", "Black", "Date", "Result", "Round", "Site", "plies"];

/// What the report says of the games in it.
struct Summaries {
    fields: Vec<Field>,
    /// The values of the fields, by the number of the game.
    games: BTreeMap<u64, Vec<Vec<FieldValue>>>,
}

impl Summaries {
    /// Reads the games in their order, so that each block is decoded once.
    fn of(archive: &Archive, duplicates: &[Duplicate]) -> Result<Summaries, Error> {
        let fields: Vec<Field> = SHOWN.iter().filter_map(|name| name.parse().ok()).collect();
        let pairs = duplicates.iter();
        let numbers = pairs.flat_map(|pair| [pair.dropped, pair.retained]);
        let numbers: BTreeSet<u64> = numbers.collect();
        let games = numbers.into_iter();
        let games = games.map(|number| Ok((number, archive.game_values(number, &fields)?)));
        let games = games.collect::<Result<_, Error>>()?;
        Ok(Summaries { fields, games })
    }

    /// The values of a game, each with its field.
    fn values(&self, game: u64) -> impl Iterator<Item = (&Field, Option<&FieldValue>)> {
        let values = self.games.get(&game).map_or(&[][..], Vec::as_slice);
        let values = values.iter().map(|values| values.first());
        self.fields.iter().zip(values)
    }

    /// Why a game is dropped for another: the values, those of both where they differ.
    fn reason(&self, pair: &Duplicate) -> String {
        let shown = |value: Option<&FieldValue>| value.map(ToString::to_string).unwrap_or_default();
        let pairs = self.values(pair.dropped).zip(self.values(pair.retained));
        let values = pairs.map(|((field, own), (_, other))| match own == other {
            true => format!("{field} {}", shown(own)),
            false => format!("{field} {} | {}", shown(own), shown(other)),
        });
        values.collect::<Vec<_>>().join("; ")
    }

    fn json(&self, game: u64) -> Value {
        let values = self.values(game);
        let values = values.map(|(field, value)| {
            let name = field.to_string().to_lowercase();
            (name, value.map_or(Value::Null, json_value))
        });
        Value::Object(values.collect())
    }
}

fn print(args: &DedupeArgs, archive: &Archive, duplicates: &[Duplicate]) -> Result<(), Failure> {
    let mut output = Output::new();
    let summaries = Summaries::of(archive, duplicates);
    let summaries = summaries.map_err(|error| Failure::archive(&args.archive, &error))?;
    for pair in duplicates {
        let Duplicate { dropped, retained } = pair;
        match args.json {
            true => output.json(&json!({
                "dropped": dropped,
                "retained": retained,
                "of_dropped": summaries.json(*dropped),
                "of_retained": summaries.json(*retained),
            }))?,
            false => {
                let why: String = printable(&summaries.reason(pair)).collect();
                output.line(&format!("{dropped}\t{retained}\t{why}"))?;
            }
        }
    }
    output.finish()
}
