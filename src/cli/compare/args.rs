//! The arguments of `pgna compare`.

use super::super::common::ReaderArgs;
use super::super::sizes::positive;
use super::help;
use clap::Args;
use std::path::PathBuf;

/// Compare the move codecs on your own games
///
/// Encodes the main line of every game with every codec, each game by itself,
/// decodes it and verifies the result. Nothing is written.
///
/// Inputs are the same as for `pgna pack`: files whatever their names, folders with
/// all their files, decompressed if they end in .zst, .gz, .bz2 or .xz, and - for
/// stdin. Files that end in .pgna or have the signature of an archive are read as
/// archives, but not on stdin.
#[derive(Debug, Args)]
#[command(after_help = help::EXAMPLES, after_long_help = help::LONG_HELP)]
pub(crate) struct CompareArgs {
    /// Files, archives, folders, or - for stdin
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Use only the first N games of all inputs together
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) games: Option<u64>,
    /// Print JSON: all figures unrounded, with the underlying counts
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}
