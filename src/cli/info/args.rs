//! The arguments of `pgna info`.

use super::super::args::ReaderArgs;
use clap::Args;
use std::path::PathBuf;

/// Tell what an archive holds
///
/// Reads the directory and the tables, and no game, unless --sizes is given.
/// Among the rest, it tells which move models reading the games takes.
///
/// With --sizes, each byte of the archive is in one row of a table, the largest
/// row first: columns by the names that the specification gives them, those of
/// tag values as [Name]; tables that serve no single column; and what finds,
/// checks and mends them. "bytes" counts blocks and tables, "in tables" what
/// is said once a segment, such as dictionaries. Beneath the marks stand their
/// parts, already counted there: clocks, evals and other numbers with the bits
/// of each, coloured squares, the layout (which marks stand where, and the
/// templates of comments, in groups), and the ends, which fill up bytes.
/// "comments" is prose, "lines" are the moves in comments. The encoding is that
/// of most bytes, "+2" says that there are two others: how integers and texts
/// are packed, or what foresees the values ("equal to [Date]", "last by
/// [White]", "map of [ECO]", "previous", "recent") and what is told otherwise
/// ("dictionary", "numbers from previous"). A dictionary that two columns share
/// counts at the first. The names and what they stand for: spec/archive.md.
#[derive(Debug, Args)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct InfoArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Read all blocks and tell where the bytes go, column by column
    #[arg(long)]
    pub(crate) sizes: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const INFO_EXAMPLES: &str = "\
Examples:
  pgna info games.pgna
  pgna info games.pgna --sizes
  pgna info games.pgna --json | jq .games";
