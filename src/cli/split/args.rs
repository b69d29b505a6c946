//! The arguments of `split`.

use super::super::args::ReaderArgs;
use super::super::sizes::size;
use super::super::writing::WritingArgs;
use clap::{ArgGroup, Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// Cut an archive into files
///
/// Each game goes to one file, with the very bytes that it has; no game is cut. All files
/// are written under temporary names first, and take their own when all are complete.
///
/// With --games and --size, files are called as the archive is, with a number; with --by,
/// as the value of the tag, as far as names of files allow.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("how").required(true).args(["games", "size", "by"]))]
pub(crate) struct SplitArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(super) archive: PathBuf,
    /// So many games a file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) games: Option<u64>,
    /// At most so much text a file, unless a single game is longer: 500k, 10M, 1G
    ///
    /// k is 1,024 bytes, M 1,024 k, G 1,024 M. Blank lines that have to be added do not
    /// count.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) size: Option<u64>,
    /// One file for each value of this tag; `year` is the year of Date
    ///
    /// Games without it, or with nothing, ? or - for it, go to a file of their own,
    /// "no TAG". Takes as much room for a temporary
    /// file as the games do as PGN.
    #[arg(long, value_name = "TAG")]
    pub(super) by: Option<String>,
    /// The folder to write to; it is made if it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: PathBuf,
    /// What the files are to be: pgn or pgna
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
    #[command(flatten, next_help_heading = "Options of archives that are written")]
    pub(super) writing: WritingArgs,
}

/// What the files are to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FileForm {
    /// Text.
    Pgn,
    /// Archives.
    Pgna,
}

impl FileForm {
    /// What names of files end with.
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
