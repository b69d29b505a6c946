//! `pgna sort`.

use super::args::{Common, ReaderArgs};
use super::errors::{Exit, Failure, say};
use super::open::{open, warn};
use super::progress::Progress;
use super::saving::{Saver, SavingArgs, tell_left_out};
use crate::archive::Spool;
use crate::query::{SortBy, SortKey};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Write the games of an archive in another order
///
/// Each game is written with the very bytes that it has, and where two games meet that
/// did not, a blank line parts them. The games are written to a temporary file beside
/// the new one first, which takes as much room as they do as PGN.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SortArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    archive: PathBuf,
    /// By what: names of tags, or `plies`; with - before it the greatest first
    ///
    /// Where games are equal by the first key, the next decides; where they are equal by
    /// all, they stay in their order. Games without the value (also ? and -) come last,
    /// whichever way.
    ///
    /// Tags whose name ends with Date hold dates; what is not known of a date comes
    /// before what is: 2010.??.??, 2010.01.??, 2010.01.01. Where Date tells nothing,
    /// UTCDate does. In other tags numbers come first, rounds number by number (2, 10.2,
    /// 10.10), then text, in upper or lower case.
    #[arg(
        short,
        long,
        value_name = "KEY,...",
        required = true,
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    by: Vec<SortKey>,
    #[command(flatten)]
    reader: ReaderArgs,
    #[command(flatten)]
    saving: SavingArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna sort games.pgna --by Date,Round -o by-date.pgna
  pgna sort games.pgna --by -WhiteElo,-BlackElo -o strongest-first.pgn
  pgna sort games.pgna --by plies -c | less";

/// Sorts the games.
pub(crate) fn run(args: &SortArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = open(&args.archive, &args.reader)?;
    let saver = Saver::new(&args.archive, &args.saving, common)?;
    let unreadable = |error| Failure::archive(&args.archive, &error);
    for key in &args.by {
        if let SortBy::Tag(name) = &key.by
            && !archive.has_tag_values(name).map_err(unreadable)?
        {
            say(&format!("no game has a tag {name}"));
        }
    }
    let order = archive.sorted(&args.by).map_err(unreadable)?;
    let bytes = archive.totals().raw_bytes;
    let progress = Progress::new("reading", Some(bytes), common);
    let spool = Spool::of(&archive, &saver.folder(), |done| progress.set(done));
    progress.finish();
    let spool = spool.map_err(unreadable)?;
    saver.save(spool.parts(order), Some(spool.bytes()))?;
    tell_left_out(&args.archive, spool.text_left_out(), common);
    warn(&args.archive, &archive.warnings(), common);
    Ok(Exit::Done)
}
