//! The arguments of `pack`.

use super::super::writing::WritingArgs;
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Pack PGN files into an archive
///
/// Files are packed whatever their names. Folders are packed with all their files,
/// in the byte order of their names; links are not followed. Files that end in
/// .zst, .gz, .bz2 or .xz are decompressed and stored under their name without that
/// suffix. `-` is stdin, which is never decompressed and is stored as stdin.pgn.
///
/// A folder's files are stored with the folder's name: x/a.pgn. Of a file that is named
/// itself, only the name is stored, not its folder; a name that is taken gets a number,
/// as in `games (2).pgn`.
///
/// Any bytes can be packed: text that is not a game, or not a legal one, is stored
/// verbatim.
#[derive(Debug, ClapArgs)]
#[command(after_help = PACK_EXAMPLES)]
pub(crate) struct PackArgs {
    /// Files, folders, or - for stdin
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The archive to write
    ///
    /// By default named after the only input: games.pgn, games.pgn.zst and a folder
    /// games/ all give games.pgna. Stdin goes to stdout.
    #[arg(short, long, value_name = "FILE", conflicts_with = "stdout")]
    pub(crate) output: Option<PathBuf>,
    /// Write the archive to stdout
    #[arg(short = 'c', long)]
    pub(crate) stdout: bool,
    /// Replace the archive if it exists; write to stdout even if it is a terminal
    ///
    /// An input is never overwritten.
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Keep the inputs. Has no effect: inputs are never removed
    #[arg(short, long)]
    pub(crate) keep: bool,
    /// Read everything back and verify it before the file gets its name
    #[arg(long, display_order = 25, conflicts_with = "stdout")]
    pub(crate) test: bool,
    /// Exit with 3 if some games had to be stored verbatim, in whole or in part
    ///
    /// Nothing is lost in such games: they only take more space.
    #[arg(long, display_order = 26)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

const PACK_EXAMPLES: &str = "\
Examples:
  pgna pack games.pgn                       make games.pgna
  pgna pack big.pgn.zst                     make big.pgna, which holds big.pgn
  pgna pack twic*.pgn -o twic.pgna          many files in one archive
  pgna pack collection/ --test              a folder, read back and verified
  curl https://example.org/games.pgn | pgna pack - -o games.pgna";
