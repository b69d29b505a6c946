//! Where the rows of an export go: one table, or a folder of them.

use super::super::errors::Failure;
use super::super::figures::{count, size};
use super::super::target::OutputTarget;
use super::columns::ExportRows;
use super::folder::TableFolder;
use super::format::Format;
use super::group::Group;
use super::table::Table;
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use std::sync::Arc;

/// Where rows go.
pub(super) enum Tables {
    /// To one table.
    One(Box<OneTable>),
    /// To a folder of tables.
    Folder(Box<TableFolder>),
}

impl Tables {
    /// Appends rows.
    pub(super) fn write(&mut self, rows: ExportRows) -> Result<(), Failure> {
        match self {
            Tables::One(table) => table.write(rows.batch),
            Tables::Folder(folder) => folder.write(&rows),
        }
    }

    /// Completes the tables. Returns what was written, as a message; `None` for stdout.
    pub(super) fn finish(self, games: u64) -> Result<Option<String>, Failure> {
        match self {
            Tables::One(table) => table.finish(games),
            Tables::Folder(folder) => folder.finish(games).map(Some),
        }
    }
}

/// One table.
pub(super) struct OneTable {
    table: Table,
    group: Group,
    /// Whether rows wait until a group of them is complete.
    has_groups: bool,
    is_forced: bool,
}

impl OneTable {
    pub(super) fn new(
        target: &OutputTarget,
        is_forced: bool,
        format: Format,
        schema: &Arc<Schema>,
    ) -> Result<Self, Failure> {
        Ok(OneTable {
            table: Table::at(target, format, schema)?,
            group: Group::default(),
            has_groups: format == Format::Parquet,
            is_forced,
        })
    }

    fn write(&mut self, batch: RecordBatch) -> Result<(), Failure> {
        self.group.push(batch);
        match !self.has_groups || self.group.is_full() {
            true => self.write_group(),
            false => Ok(()),
        }
    }

    fn write_group(&mut self) -> Result<(), Failure> {
        let group = std::mem::take(&mut self.group);
        match group.batches.is_empty() {
            true => Ok(()),
            false => self.table.write(&group.batches),
        }
    }

    fn finish(mut self, games: u64) -> Result<Option<String>, Failure> {
        self.write_group()?;
        let Some((file, _guard)) = self.table.finish()? else {
            return Ok(None);
        };
        let path = file.target().to_owned();
        let failed = |error| Failure::io(&path, &error);
        let bytes = file.file().metadata().map_err(failed)?.len();
        file.commit(self.is_forced).map_err(failed)?;
        let games = count(games, "game");
        let path = path.display();
        Ok(Some(format!("{path}: {games}, {}", size(bytes))))
    }
}
