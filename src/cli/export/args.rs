//! The arguments of `export`.

use super::super::common::ReaderArgs;
use super::super::errors::Failure;
use super::super::find::args::{BoardArgs, FilterArgs, query};
use super::super::selection::games;
use super::super::sizes::positive;
use super::super::texts::TextArgs;
use super::epd;
use super::format::Format;
use super::partition::PartitionKey;
use crate::Query;
use crate::arrow::ArrowColumns;
use clap::Args as ClapArgs;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Write games as a table: Parquet, Arrow, CSV, JSON; or their positions as EPD
///
/// One row a game, in the order of the archive, with the columns that are asked for;
/// nothing else is decoded. Games that are damaged are reported and left out. The
/// output does not depend on the number of threads.
///
/// The default columns are those of the Parquet files of Lichess, with their types
/// (but times in Parquet are milliseconds, as it has no seconds):
///   Event Site White Black Result WhiteTitle BlackTitle WhiteElo BlackElo
///   WhiteRatingDiff BlackRatingDiff UTCDate UTCTime ECO Opening Termination
///   TimeControl movetext
/// and Date, number (of the game in the archive), source (its file), ply_count and
/// start (the FEN, if it is not the standard position).
///
/// Date is the tag Date alone, which files of Lichess lack; movetext is the text of the
/// moves as in the file, with comments and variations.
///
/// More columns:
///   moves_san, moves_uci  the main line: lists of texts
///   moves                 the same in 16 bits a ply: from + 64 to + 4096 promotion, with
///                         a1 = 0, b1 = 1; castling is the king's move, e1g1
///   fens                  its positions, one more than moves: lists of texts
///   clocks, evals         after each ply: milliseconds, centipawns for White (mate in
///                         n is 2,000,000,000 - n); null where there is none
///   comments              lists of (line, ply, text); line 0 is the main line
///   nags                  lists of (line, ply, nag): 1 is !, 2 is ?
///   variations            lists of (parent, ply, moves)
///   found_at              plies before the position that a position option has found
///   pgn                   the exact text of the game
///   Round, Annotator, …   any other tag by its name, as text
///   Date_text             the text of a tag that is a number, date or time
///   White_bytes           the exact bytes of a tag
///
/// A cell is null (empty in CSV) where a game has no such tag, where a number, date or
/// time is none, and where a part of a date is unknown. U+FFFD replaces what is not
/// UTF-8.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES, verbatim_doc_comment)]
pub(crate) struct ExportArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(super) archive: PathBuf,
    /// Only these games (17, 100-200, 100-)
    #[arg(value_name = "GAMES", value_parser = games)]
    pub(super) games: Option<RangeInclusive<u64>>,
    /// The format; by default that of the extension of the file
    ///
    /// parquet  Parquet, compressed by zstd (.parquet, .pq)
    /// arrow    an Arrow file, also called Feather or IPC (.arrow, .feather, .ipc); a
    ///          stream on stdout
    /// csv      CSV with a header; lists are JSON in one cell (.csv)
    /// ndjson   JSON, one object a line, all with the same keys (.ndjson, .jsonl)
    /// epd      one line for each position of the main lines, or for the first of each
    ///          game that a position option finds: the FEN without counters; hmvc, fmvn:
    ///          the counters; sm: the move played; c8: the variant; c9: the result;
    ///          id: game@ply, as `view` takes it (.epd)
    #[arg(
        long,
        alias = "format",
        value_name = "FORMAT",
        ignore_case = true,
        verbatim_doc_comment,
        hide_possible_values = true
    )]
    pub(super) to: Option<Format>,
    /// The columns, in this order: names, `default`, or `all`
    ///
    /// `--columns default,clocks,evals` adds two to the default columns.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) columns: Vec<String>,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
    #[command(flatten)]
    pub(super) board: BoardArgs,
    /// Search all games without using indexes; the result is the same
    #[arg(long)]
    pub(super) no_index: bool,
    /// Stop after N games
    #[arg(short = 'n', long, value_name = "N", value_parser = positive)]
    pub(super) limit: Option<u64>,
    /// The file to write; without it or with -, stdout
    ///
    /// With --partition, a folder.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Replace that file if it exists
    #[arg(short, long, requires = "output", conflicts_with = "partition")]
    pub(super) force: bool,
    /// Write a folder of files by year and month: year=2020/month=11/part-0.parquet
    ///
    /// The date is that of UTCDate or, if that has no year, of Date. What is unknown goes
    /// to year=__HIVE_DEFAULT_PARTITION__, as DuckDB, Polars and Spark expect. The folder
    /// must not exist, or be empty.
    #[arg(long, value_name = "KEYS", value_delimiter = ',', requires_all = ["output", "to"])]
    pub(super) partition: Vec<PartitionKey>,
    #[command(flatten)]
    pub(super) reader: ReaderArgs,
    #[command(flatten)]
    pub(super) texts: TextArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna export games.pgna -o games.parquet
  pgna export games.pgna -o games.parquet --columns White,Black,Result,moves_san
  pgna export games.pgna -w 'WhiteElo > 2700' -o top.arrow --columns all
  pgna export games.pgna --to csv --columns White,Black,Result,ply_count | head
  pgna export games.pgna --to ndjson --columns default,clocks,evals | jq .clocks
  pgna export games.pgna --to parquet --partition year,month -o games
  pgna export games.pgna --to epd --material KRPkr --flip -o endings.epd";

impl ExportArgs {
    /// The format that the arguments specify.
    pub(super) fn format(&self) -> Result<Format, Failure> {
        let path = self.output.as_deref();
        let format = self.to.or_else(|| path.and_then(Format::of_path));
        format.ok_or_else(|| {
            let why = "name the format: --to parquet, arrow, csv, ndjson or epd";
            match path.filter(|path| path.extension().is_some()) {
                Some(path) => {
                    let path = path.display();
                    Failure::usage(format!("{path}: its extension names no format; {why}"))
                }
                None => Failure::usage(why),
            }
        })
    }

    /// Whether output that is cut cannot be read.
    pub(crate) fn is_binary(&self) -> bool {
        self.format().is_ok_and(Format::is_binary)
    }

    /// The path to write to; `None` is stdout.
    pub(super) fn path(&self) -> Option<&Path> {
        let path = self.output.as_deref();
        path.filter(|path| *path != Path::new("-"))
    }

    /// The keys of partitions, each once.
    pub(super) fn partition_keys(&self) -> Result<Vec<PartitionKey>, Failure> {
        let distinct: BTreeSet<PartitionKey> = self.partition.iter().copied().collect();
        match distinct.len() < self.partition.len() {
            true => Err(Failure::usage("--partition: a key is named twice")),
            false => Ok(self.partition.clone()),
        }
    }

    /// The query that the arguments specify, if they specify one.
    pub(super) fn query(&self) -> Result<Option<Query>, Failure> {
        let query = query(&self.filter, &self.board, !self.no_index)?;
        let is_empty = query.filter.is_none() && query.positions.is_empty();
        Ok((!is_empty).then_some(query))
    }

    /// The columns of EPD.
    pub(super) fn epd_columns(&self, query: Option<&Query>) -> Result<ArrowColumns, Failure> {
        if !self.columns.is_empty() {
            return Err(Failure::usage("--columns: EPD has no columns"));
        }
        if self.board.variations {
            return Err(Failure::usage(
                "--variations: EPD has positions of main lines",
            ));
        }
        let finds_positions = query.is_some_and(|query| !query.positions.is_empty());
        let found = finds_positions.then_some(epd::FOUND_AT);
        ArrowColumns::by_name(epd::COLUMNS.into_iter().chain(found))
            .map_err(|error| Failure::usage(error.to_string()))
    }

    /// The columns that are asked for by the names of tags that the help does not name.
    pub(super) fn other_tags(&self) -> impl Iterator<Item = &str> {
        let known = ArrowColumns::all().schema();
        let names = self.columns.iter().map(|name| name.trim());
        names.filter(move |name| {
            let is_tag = name.starts_with(|first: char| first.is_ascii_uppercase());
            is_tag && !name.contains('_') && known.field_with_name(name).is_err()
        })
    }

    /// The columns that the arguments specify.
    pub(super) fn columns(&self) -> Result<ArrowColumns, Failure> {
        let names_of = |columns: ArrowColumns| -> Vec<String> {
            let schema = columns.schema();
            let fields = schema.fields().iter();
            fields.map(|field| field.name().clone()).collect()
        };
        let named = self.columns.iter().flat_map(|name| match name.trim() {
            "default" => names_of(ArrowColumns::default()),
            "all" => names_of(ArrowColumns::all()),
            name => vec![name.to_owned()],
        });
        let columns = match self.columns.is_empty() {
            true => Ok(ArrowColumns::default()),
            false => ArrowColumns::by_name(named),
        };
        columns.map_err(|error| Failure::usage(format!("--columns: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Command;

    #[test]
    fn the_help_names_every_column() {
        let help = ExportArgs::augment_args(Command::new("export")).render_long_help();
        let help = help.to_string();
        let words: Vec<&str> = help
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        for field in ArrowColumns::all().schema().fields() {
            assert!(words.contains(&&field.name()[..]), "{}", field.name());
        }
    }
}
