//! `pgna sort`.

use super::common::{Common, ReaderArgs};
use super::empty_results::{is_unknown, no_game_has};
use super::errors::{Exit, Failure, print_message};
use super::malformed_dates::report_malformed_dates;
use super::open::warn;
use super::progress::Progress;
use super::saving::{Saver, SavingArgs, report_omitted_text};
use super::texts::TextArgs;
use crate::{Archive, SortKey, SortKeyError, Spool};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Write the games of an archive in another order
///
/// Each game is written byte for byte; between games that were not adjacent before, a
/// blank line is added if it is missing. The games are first written to a temporary file
/// next to the new one, of the size of the games as PGN.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SortArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// Sort keys: tags and the fields of `pgna fields`; with a leading -, descending
    ///
    /// Games with equal first keys are sorted by the next; games with all keys equal stay
    /// in their order. Games without the value (also ? and -), with a malformed date or with
    /// a rating that is no number come last in either direction.
    ///
    /// Tags whose name ends with Date are dates; unknown parts of a date come before
    /// known ones: 2010.??.??, 2010.01.??, 2010.01.01. If Date is unknown, UTCDate is
    /// used. In other tags numbers come first, rounds number by number (2, 10.2, 10.10),
    /// then text, without regard to
    /// case and accents. Of a field with several values in a game, such as elo, the greatest
    /// counts.
    #[arg(
        short,
        long,
        value_name = "KEY,...",
        required = true,
        value_delimiter = ',',
        value_parser = sort_key,
        allow_hyphen_values = true
    )]
    by: Vec<SortKey>,
    #[command(flatten)]
    reader: ReaderArgs,
    #[command(flatten)]
    texts: TextArgs,
    #[command(flatten)]
    saving: SavingArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna sort games.pgna --by Date,Round -o by-date.pgna
  pgna sort games.pgna --by -WhiteElo,-BlackElo -o strongest-first.pgn
  pgna sort games.pgna --by -elo.mean,plies -c | less";

/// Sorts the games.
pub(crate) fn run(args: &SortArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = args.texts.open(&args.archive, &args.reader, common)?;
    let saver = Saver::new(&args.archive, &args.saving, common)?;
    let unreadable = |error| Failure::archive(&args.archive, &error).with_nothing_written();
    report_unknown_keys(args, &archive)?;
    if !common.quiet {
        report_malformed_dates(&archive, args.by.iter().map(|key| &key.by));
    }
    let order = archive.sorted(&args.by).map_err(unreadable)?;
    let bytes = archive.totals().raw_bytes;
    let progress = Progress::new("reading", Some(bytes), common);
    let spool = Spool::of(&archive, &saver.folder(), |done| progress.set(done));
    progress.finish();
    let spool = spool.map_err(unreadable)?;
    saver.save(spool.parts(order), Some(spool.bytes()))?;
    report_omitted_text(&args.archive, spool.text_left_out(), common);
    warn(&args.archive, &archive.warnings(), common);
    Ok(Exit::Done)
}

/// A sort key; blanks around it are ignored.
fn sort_key(text: &str) -> Result<SortKey, SortKeyError> {
    text.trim().parse()
}

/// Reports the keys that no game has.
///
/// # Errors
/// No game has any of the keys.
fn report_unknown_keys(args: &SortArgs, archive: &Archive) -> Result<(), Failure> {
    let fields = args.by.iter().map(|key| &key.by);
    let unknown: Vec<_> = fields.filter(|field| is_unknown(archive, field)).collect();
    if unknown.len() == args.by.len() {
        let path = args.archive.display();
        let unknown = unknown.into_iter().map(|field| no_game_has(archive, field));
        let what = unknown.collect::<Vec<_>>().join("; ");
        return Err(Failure::usage(format!(
            "{path}: {what}; nothing was written"
        )));
    }
    for field in unknown {
        print_message(&no_game_has(archive, field));
    }
    Ok(())
}
