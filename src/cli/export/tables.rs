//! The tables of an export: one, or a folder of them.

use super::super::errors::Failure;
use super::super::figures::{count, size};
use super::super::interrupt::Guard;
use super::super::target::OutputTarget;
use super::columns::ExportRows;
use super::format::Format;
use super::partition::{PartitionKey, divide};
use super::table::Table;
use crate::{ClosedFile, NewFile};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A row group ends when it has this many games, as many as DuckDB's and enough for each of its
/// threads; or this many bytes.
const GROUP_ROWS: usize = 122_880;
const GROUP_BYTES: usize = 128 << 20;

/// The rows of all partitions that wait for their files take at most this many bytes.
const WAITING_BYTES: usize = 256 << 20;

/// Systems allow few open files.
const MAX_OPEN_FILES: usize = 64;

/// Rows that wait to be written together.
#[derive(Default)]
struct Group {
    batches: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl Group {
    fn push(&mut self, batch: RecordBatch) {
        self.rows += batch.num_rows();
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
    }

    fn is_full(&self) -> bool {
        self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES
    }
}

/// Where rows go.
pub(super) enum Tables {
    /// To one table.
    One(Box<OneTable>),
    /// To a folder of tables.
    Folder(TableFolder),
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

/// A folder of tables, one or more for each partition.
pub(super) struct TableFolder {
    folder: PathBuf,
    format: Format,
    schema: Arc<Schema>,
    keys: Vec<PartitionKey>,
    /// Rows by partition.
    waiting: BTreeMap<PathBuf, Group>,
    waiting_bytes: usize,
    /// Files that more rows can be written to, the last one written to last.
    open: Vec<(PathBuf, Table)>,
    /// The number of files of each partition.
    counts: BTreeMap<PathBuf, u64>,
    complete: Vec<CompleteFile>,
}

/// A complete file that waits for the others.
struct CompleteFile {
    file: ClosedFile,
    bytes: u64,
    _guard: Guard,
}

impl TableFolder {
    /// # Errors
    /// The folder is a file, or has files in it, which would be read as part of the export.
    pub(super) fn new(
        folder: &Path,
        keys: Vec<PartitionKey>,
        format: Format,
        schema: Arc<Schema>,
    ) -> Result<Self, Failure> {
        if has_files(folder).map_err(|error| Failure::io(folder, &error))? {
            let why = "has files already; name a new folder with -o";
            return Err(Failure::usage(format!("{}: {why}", folder.display())));
        }
        Ok(TableFolder {
            folder: folder.to_owned(),
            format,
            schema,
            keys,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            open: Vec::new(),
            counts: BTreeMap::new(),
            complete: Vec::new(),
        })
    }

    fn write(&mut self, rows: &ExportRows) -> Result<(), Failure> {
        let parts = divide(rows, &self.keys);
        let parts = parts.map_err(|error| Failure::usage(error.to_string()))?;
        for (partition, rows) in parts {
            self.waiting_bytes += rows.get_array_memory_size();
            self.waiting.entry(partition).or_default().push(rows);
        }
        while self.waiting_bytes > WAITING_BYTES {
            let largest = self.waiting.iter().max_by_key(|(_, group)| group.bytes);
            let Some(partition) = largest.map(|(partition, _)| partition.clone()) else {
                break;
            };
            self.write_group(partition)?;
        }
        Ok(())
    }

    /// Writes the rows of a partition that wait.
    fn write_group(&mut self, partition: PathBuf) -> Result<(), Failure> {
        let Some(group) = self.waiting.remove(&partition) else {
            return Ok(());
        };
        self.waiting_bytes = self.waiting_bytes.saturating_sub(group.bytes);
        let mut table = match self.open.iter().position(|(of, _)| *of == partition) {
            Some(at) => self.open.remove(at).1,
            None => self.begin_file(&partition)?,
        };
        table.write(&group.batches)?;
        self.open.push((partition, table));
        if self.open.len() > MAX_OPEN_FILES {
            let (_, oldest) = self.open.remove(0);
            self.complete(oldest)?;
        }
        Ok(())
    }

    /// Begins a file of a partition.
    fn begin_file(&mut self, partition: &Path) -> Result<Table, Failure> {
        let number = self.counts.entry(partition.to_owned()).or_insert(0);
        let name = format!("part-{number}.{}", self.format.extension());
        *number += 1;
        let folder = self.folder.join(partition);
        fs::create_dir_all(&folder).map_err(|error| Failure::io(&folder, &error))?;
        let path = folder.join(name);
        let file = NewFile::create(&path).map_err(|error| Failure::io(&path, &error))?;
        Table::in_file(file, &path, self.format, &self.schema)
    }

    fn complete(&mut self, table: Table) -> Result<(), Failure> {
        if let Some((file, guard)) = table.finish()? {
            let path = file.target().to_owned();
            let failed = |error| Failure::io(&path, &error);
            self.complete.push(CompleteFile {
                bytes: file.file().metadata().map_err(failed)?.len(),
                file: file.close().map_err(failed)?,
                _guard: guard,
            });
        }
        Ok(())
    }

    /// Completes all files and gives them their names.
    fn finish(mut self, games: u64) -> Result<String, Failure> {
        while let Some(partition) = self.waiting.keys().next().cloned() {
            self.write_group(partition)?;
        }
        for (_, table) in std::mem::take(&mut self.open) {
            self.complete(table)?;
        }
        let files = self.complete.len() as u64;
        let bytes = self.complete.iter().map(|complete| complete.bytes).sum();
        for complete in self.complete {
            let path = complete.file.target().to_owned();
            let committed = complete.file.commit(false);
            committed.map_err(|error| Failure::io(&path, &error))?;
        }
        let folder = self.folder.display();
        let (games, files) = (count(games, "game"), count(files, "file"));
        Ok(format!("{folder}: {games} in {files}, {}", size(bytes)))
    }
}

/// Whether there are files in a folder or in folders in it.
fn has_files(folder: &Path) -> std::io::Result<bool> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if !entry.file_type()?.is_dir() || has_files(&entry.path())? {
            return Ok(true);
        }
    }
    Ok(false)
}
