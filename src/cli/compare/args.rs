//! The arguments of `pgna compare`.

use super::super::args::ReaderArgs;
use super::help;
use clap::Args;
use std::path::PathBuf;

/// Compare the move codecs on your own games
///
/// Encodes the main line of every game with every codec, one game by itself,
/// decodes it and proves that it comes back. Nothing is written.
///
/// Inputs are taken as `pgna pack` takes them: files whatever their name, of
/// folders all files, decompressed where they end in .zst, .gz, .bz2 or .xz,
/// and - for stdin. Files that end in .pgna, or begin as archives do, are read
/// as archives; not so on stdin.
#[derive(Debug, Args)]
#[command(after_help = help::EXAMPLES, after_long_help = help::LONG_HELP)]
pub(crate) struct CompareArgs {
    /// Files, archives, folders, or - for stdin
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Take only the first N games of all inputs together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: Option<u64>,
    /// Print JSON: all figures unrounded, with the counts that they come from
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}
