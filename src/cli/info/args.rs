//! The arguments of `pgna info`.

use super::super::common::ReaderArgs;
use clap::Args;
use std::path::PathBuf;

/// Show what an archive contains
///
/// Reads only the directory and the tables, and no game, unless --sizes is given.
/// Also shows which move models are needed to read the games.
///
/// With --sizes, each byte of the archive is counted in one row of a table, the
/// largest row first: columns, by the names of the specification, with those of tag
/// values as [Name]; tables that belong to no single column; and the structures
/// that locate, check and repair them. "bytes" counts blocks and tables, "in
/// tables" what is stored once a segment, such as dictionaries. The rows below the
/// marks are parts of them, already counted there: clocks, evals and other numbers
/// with the bits of each, coloured squares, the layout (the order of the marks, and
/// the templates of comments, in groups), and the ends, which pad to bytes.
/// "comments" is prose, "lines" are the moves in comments. The encoding is that of
/// most bytes; "+2" means that there are two others: how integers and texts are
/// packed, or how values are predicted ("equal to [Date]", "last by [White]", "map
/// of [ECO]", "previous", "recent") and how exceptions are coded ("dictionary",
/// "numbers from previous"). A dictionary that two columns share is counted with
/// the first. For the names and their meaning see spec/archive.md.
#[derive(Debug, Args)]
#[allow(
    rustdoc::broken_intra_doc_links,
    reason = "names of tags in brackets, in a text that the program prints"
)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct InfoArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Read all blocks and show the size of each column
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
