//! `pgna export`: games as a table in the format of another program.
//!
//! | module | contents |
//! |---|---|
//! | `args` | the arguments |
//! | `columns` | what is read, and what of it is written |
//! | `tables` | where the rows go: one table, or a folder of them |
//! | `folder`, `partition` | a folder of tables, by year and month |
//! | `table`, `sink`, `group` | a table that is being written, and rows that wait for it |
//! | `format` | the formats; each has a file: `parquet`, `arrow_file`, `csv`, `ndjson`, `epd` |
//! | `as_text` | columns in the forms that text has |

mod args;
mod arrow_file;
mod as_text;
mod columns;
mod csv;
mod epd;
mod folder;
mod format;
mod group;
mod ndjson;
mod parquet;
mod partition;
mod sink;
mod table;
mod tables;

pub(crate) use args::ExportArgs;

use super::common::Common;
use super::empty_results::{report_doubts, report_impossible_pieces, report_unknown_tags};
use super::errors::{Exit, Failure, print_message};
use super::missed::MissedGames;
use super::open::warn;
use super::progress::Progress;
use super::selection::no_games;
use super::target::OutputTarget;
use crate::arrow::ArrowScan;
use crate::{Archive, Field, Filter, Loss, Query};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use columns::ExportColumns;
use folder::{FolderLimits, TableFolder};
use format::Format;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use tables::{OneTable, Tables};

/// Exports games.
pub(crate) fn run(args: &ExportArgs, common: &Common) -> Result<Exit, Failure> {
    let format = args.format()?;
    let query = args.query()?;
    let columns = match format {
        Format::Epd => args.epd_columns(query.as_ref())?,
        _ => args.columns()?,
    };
    let columns = ExportColumns::new(
        &columns,
        !args.partition.is_empty(),
        format.is_text().then(|| args.texts.encoding()),
    )?;
    let archive = args.texts.open(&args.archive, &args.reader, common)?;
    let games = args.games.clone().unwrap_or(1..=u64::MAX);
    if let Some(missing) = no_games(&games, archive.games()).filter(|_| args.games.is_some()) {
        let path = args.archive.display();
        return Err(Failure::Message(
            Exit::NothingFound,
            format!("{path}: {missing}"),
        ));
    }
    let of_filter = query.iter().flat_map(|query| &query.filter);
    report_unknown_tags(&archive, of_filter.flat_map(Filter::fields), common);
    let others: Vec<Field> = args.other_tags().map(Field::tag).collect();
    report_unknown_tags(&archive, &others, common);
    if let Some(query) = &query {
        report_impossible_pieces(query, common);
    }
    let tables = tables(args, format, &columns)?;
    let scan = ArrowScan::new(&archive, &columns.all).games(games);
    let scan = match &query {
        Some(query) => scan.matching(query.clone()),
        None => scan,
    };
    let (sender, losses) = mpsc::channel();
    // No one receives only after the export has failed.
    let scan = scan.skip_losses(move |loss| drop(sender.send(loss)));
    let mut export = Export {
        path: &args.archive,
        columns,
        tables,
        missed: MissedGames::new(&args.archive),
        losses,
        games: 0,
    };
    export.write(scan, &archive, args.limit.unwrap_or(u64::MAX), common)?;
    let exit = export.finish(query.as_ref(), common)?;
    warn(&args.archive, &archive.warnings(), common);
    Ok(exit)
}

struct Export<'a> {
    path: &'a Path,
    columns: ExportColumns,
    tables: Tables,
    missed: MissedGames<'a>,
    losses: Receiver<Loss>,
    games: u64,
}

impl Export<'_> {
    fn write(
        &mut self,
        scan: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
        archive: &Archive,
        limit: u64,
        common: &Common,
    ) -> Result<(), Failure> {
        let text = archive.totals().raw_bytes;
        let progress = Progress::new("exporting", Some(text), common);
        for batch in scan {
            self.report_losses();
            let batch = batch.map_err(|error| Failure::limit(self.path, &error))?;
            let left = usize::try_from(limit - self.games).unwrap_or(usize::MAX);
            let batch = batch.slice(0, batch.num_rows().min(left));
            self.games += batch.num_rows() as u64;
            let last = self.columns.last_number(&batch);
            let rows = self.columns.rows(&batch);
            let rows = rows.map_err(|error| Failure::limit(self.path, &error))?;
            self.tables.write(rows)?;
            if self.games >= limit {
                break;
            }
            let share = u128::from(text) * u128::from(last) / u128::from(archive.games().max(1));
            progress.set(u64::try_from(share).unwrap_or(text));
        }
        self.report_losses();
        progress.finish();
        Ok(())
    }

    fn report_losses(&mut self) {
        for loss in self.losses.try_iter() {
            let last = loss.games.end.saturating_sub(1);
            self.missed.report(loss.games.start, last, &loss.error);
        }
    }

    fn finish(self, query: Option<&Query>, common: &Common) -> Result<Exit, Failure> {
        let written = self.tables.finish(self.games)?;
        if let Some(what) = written.filter(|_| !common.quiet) {
            print_message(&what);
        }
        let exit = match (self.games, query) {
            (0, Some(query)) => {
                report_doubts(query.filter.as_ref(), common);
                Exit::NothingFound
            }
            _ => Exit::Done,
        };
        Ok(self.missed.exit(exit))
    }
}

fn tables(args: &ExportArgs, format: Format, columns: &ExportColumns) -> Result<Tables, Failure> {
    let schema = &columns.schema;
    if !args.partition.is_empty() {
        let Some(folder) = args.path() else {
            let why = "--partition writes a folder, not to stdout: name it with -o";
            return Err(Failure::usage(why));
        };
        let keys = args.partition_keys()?;
        let limits = FolderLimits::default();
        let folder = TableFolder::new(folder, keys, format, Arc::clone(schema), limits)?;
        return Ok(Tables::Folder(Box::new(folder)));
    }
    let target = match args.path() {
        Some(path) => OutputTarget::at(path, args.force, std::slice::from_ref(&args.archive))?,
        None => OutputTarget::Stdout,
    };
    let table = OneTable::new(&target, args.force, format, schema)?;
    Ok(Tables::One(Box::new(table)))
}
