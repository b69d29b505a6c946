//! The arguments of `split`.

use super::super::common::ReaderArgs;
use super::super::fields::field;
use super::super::sizes::{positive, size};
use super::super::texts::TextArgs;
use super::super::writing::WritingArgs;
use crate::Field;
use clap::{ArgGroup, Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// Split an archive into files
///
/// Games are written byte for byte; no game is split. All files are written
/// under temporary names first, and renamed when all are complete.
///
/// With --games and --size, files are named after the archive, with a number; with
/// --by, after the value of the tag, as far as file names allow.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("how").required(true).args(["games", "size", "by"]))]
pub(crate) struct SplitArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(super) archive: PathBuf,
    /// Games per file
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(super) games: Option<u64>,
    /// Maximum text per file, unless a single game is longer: 500k, 10M, 1G
    ///
    /// k is 1,024 bytes, M 1,024 k, G 1,024 M. Blank lines that have to be added do not
    /// count.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) size: Option<u64>,
    /// One file for each value of this tag or field: ECO, year, speed, player
    ///
    /// `pgna fields` lists the fields. A game with several values, such as the two of
    /// `player`, goes to the file of each. Games without a value, or with an empty one, ? or -, go
    /// to a file of their own, "no FIELD". Needs space for a temporary file of the size of the
    /// games as PGN.
    #[arg(long, value_name = "FIELD", value_parser = field)]
    pub(super) by: Option<Field>,
    /// The folder to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// The format of the files: pgn or pgna
    #[arg(
        long = "as",
        value_name = "FORM",
        default_value = "pgn",
        hide_possible_values = true
    )]
    pub(super) form: FileForm,
    /// Replace files that exist
    ///
    /// The archive that is read is never overwritten.
    #[arg(short, long)]
    pub(super) force: bool,
    /// Refuse to write more files than this
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(super) max_files: u64,
    #[command(flatten)]
    pub(super) reader: ReaderArgs,
    #[command(flatten)]
    pub(super) texts: TextArgs,
    #[command(flatten, next_help_heading = "Options of archives that are written")]
    pub(super) writing: WritingArgs,
}

/// The format of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FileForm {
    /// Text.
    Pgn,
    /// Archives.
    Pgna,
}

impl FileForm {
    /// The extension of file names.
    pub(super) fn extension(self) -> &'static str {
        match self {
            FileForm::Pgn => ".pgn",
            FileForm::Pgna => ".pgna",
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  pgna split games.pgna --games 100000 -o parts
  pgna split games.pgna --size 50M -o parts --as pgna
  pgna split games.pgna --by ECO -o openings
  pgna split games.pgna --by year -o years";
