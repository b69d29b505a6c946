//! A folder of tables, one or more for each partition.

use super::super::errors::Failure;
use super::super::figures::{count, size};
use super::super::interrupt::Guard;
use super::super::target::{folder_of, refuse_missing_folder};
use super::columns::ExportRows;
use super::format::Format;
use super::group::Group;
use super::partition::{PartitionKey, divide};
use super::table::Table;
use arrow_schema::Schema;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// What a folder takes of memory and of the system.
#[derive(Debug, Clone, Copy)]
pub(super) struct FolderLimits {
    /// The bytes of the rows of all partitions that wait for their files.
    pub(super) waiting_bytes: usize,
    /// The number of open files, of which systems allow few.
    pub(super) open_files: usize,
}

impl Default for FolderLimits {
    fn default() -> Self {
        FolderLimits {
            waiting_bytes: 256 << 20,
            open_files: 64,
        }
    }
}

/// A folder of tables. It is written under a temporary name, and renamed when it is complete.
pub(super) struct TableFolder {
    path: PathBuf,
    temporary: TempDir,
    _guard: Guard,
    format: Format,
    schema: Arc<Schema>,
    keys: Vec<PartitionKey>,
    limits: FolderLimits,
    /// Rows by partition.
    waiting: BTreeMap<PathBuf, Group>,
    waiting_bytes: usize,
    /// Files that more rows can be written to, the last one written to last.
    open: Vec<OpenTable>,
    /// The number of files of each partition.
    counts: BTreeMap<PathBuf, u64>,
    bytes: u64,
}

/// A file of a partition that more rows can be written to.
struct OpenTable {
    partition: PathBuf,
    table: Table,
    file: File,
}

impl TableFolder {
    /// # Errors
    /// There is something at the path that is not an empty folder: other files would be read as
    /// part of the export.
    pub(super) fn new(
        path: &Path,
        keys: Vec<PartitionKey>,
        format: Format,
        schema: Arc<Schema>,
        limits: FolderLimits,
    ) -> Result<Self, Failure> {
        let failed = |error| Failure::io(path, &error);
        if !is_free(path).map_err(failed)? {
            let why = "has files in it; name a new folder with -o";
            return Err(Failure::usage(format!("{}: {why}", path.display())));
        }
        refuse_missing_folder(path)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pgna-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The usual permissions of a new folder; the umask is applied to them.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let temporary = builder.tempdir_in(folder_of(path)).map_err(failed)?;
        Ok(TableFolder {
            path: path.to_owned(),
            _guard: Guard::new(temporary.path()),
            temporary,
            format,
            schema,
            keys,
            limits,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            open: Vec::new(),
            counts: BTreeMap::new(),
            bytes: 0,
        })
    }

    /// Appends rows.
    pub(super) fn write(&mut self, rows: &ExportRows) -> Result<(), Failure> {
        let parts = divide(rows, &self.keys);
        let parts = parts.map_err(|error| Failure::limit(&self.path, &error))?;
        for (partition, rows) in parts {
            self.waiting_bytes += rows.get_array_memory_size();
            self.waiting.entry(partition).or_default().push(rows);
        }
        while self.waiting_bytes > self.limits.waiting_bytes {
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
        let known = self
            .open
            .iter()
            .position(|open| open.partition == partition);
        let mut open = match known {
            Some(at) => self.open.remove(at),
            None => self.begin_file(partition)?,
        };
        open.table.write(&group.batches)?;
        self.open.push(open);
        if self.open.len() > self.limits.open_files {
            let oldest = self.open.remove(0);
            self.complete(oldest)?;
        }
        Ok(())
    }

    /// Begins a file of a partition.
    fn begin_file(&mut self, partition: PathBuf) -> Result<OpenTable, Failure> {
        let number = self.counts.entry(partition.clone()).or_insert(0);
        let name = format!("part-{number}.{}", self.format.extension());
        *number += 1;
        // Messages have the name that the file will get.
        let shown = self.path.join(&partition).join(&name);
        let failed = |error| Failure::io(&shown, &error);
        let folder = self.temporary.path().join(&partition);
        fs::create_dir_all(&folder).map_err(failed)?;
        let file = File::create_new(folder.join(&name)).map_err(failed)?;
        let sink = file.try_clone().map_err(failed)?;
        Ok(OpenTable {
            partition,
            table: Table::in_file(sink, &shown, self.format, &self.schema)?,
            file,
        })
    }

    fn complete(&mut self, open: OpenTable) -> Result<(), Failure> {
        let OpenTable { table, file, .. } = open;
        let path = table.path().to_owned();
        table.finish()?;
        let failed = |error| Failure::io(&path, &error);
        file.sync_all().map_err(failed)?;
        self.bytes += file.metadata().map_err(failed)?.len();
        Ok(())
    }

    /// Completes all files, and gives the folder its name.
    pub(super) fn finish(mut self, games: u64) -> Result<String, Failure> {
        while let Some(partition) = self.waiting.keys().next().cloned() {
            self.write_group(partition)?;
        }
        for open in std::mem::take(&mut self.open) {
            self.complete(open)?;
        }
        let path = self.path;
        let failed = |error| Failure::io(&path, &error);
        // Not all systems rename to a folder that exists.
        if path.exists() {
            fs::remove_dir(&path).map_err(failed)?;
        }
        fs::rename(self.temporary.path(), &path).map_err(failed)?;
        // Nothing is left to delete.
        let _ = self.temporary.keep();
        let files = count(self.counts.values().sum(), "file");
        let (games, bytes) = (count(games, "game"), size(self.bytes));
        Ok(format!("{}: {games} in {files}, {bytes}", path.display()))
    }
}

/// Whether there is nothing at a path but an empty folder.
fn is_free(path: &Path) -> io::Result<bool> {
    match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        entries => Ok(entries?.next().is_none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Int64Array, RecordBatch, StringArray};
    use arrow_schema::{DataType, Field};
    use std::collections::BTreeSet;

    /// Rows of the years 2000 to 2009, with their numbers.
    fn rows(schema: &Arc<Schema>, numbers: std::ops::Range<i64>) -> ExportRows {
        let years = numbers
            .clone()
            .map(|number| format!("{}.01.01", 2000 + number * 7 % 10));
        let dates = StringArray::from_iter_values(years);
        let numbers = Int64Array::from_iter_values(numbers);
        ExportRows {
            batch: RecordBatch::try_new(Arc::clone(schema), vec![Arc::new(numbers)]).unwrap(),
            dates: vec![Arc::new(dates)],
        }
    }

    #[test]
    fn within_low_limits_partitions_have_several_files() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("out");
        let schema = Arc::new(Schema::new(vec![Field::new("n", DataType::Int64, false)]));
        let limits = FolderLimits {
            waiting_bytes: 500,
            open_files: 3,
        };
        let keys = vec![PartitionKey::Year];
        let folder = TableFolder::new(&path, keys, Format::Csv, Arc::clone(&schema), limits);
        let mut folder = folder.unwrap();
        for start in (0..400).step_by(40) {
            folder.write(&rows(&schema, start..start + 40)).unwrap();
            assert!(folder.waiting_bytes <= 500 && folder.open.len() <= 3);
            assert!(!path.exists());
        }
        folder.finish(400).unwrap();
        let mut seen = BTreeSet::new();
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(&path).unwrap() {
            let entry = entry.unwrap();
            let year = entry.file_name().into_string().unwrap();
            for file in fs::read_dir(entry.path()).unwrap() {
                let file = file.unwrap();
                names.insert(file.file_name().into_string().unwrap());
                let text = fs::read_to_string(file.path()).unwrap();
                for line in text.lines().skip(1) {
                    let number: i64 = line.parse().unwrap();
                    assert_eq!(year, format!("year={}", 2000 + number * 7 % 10));
                    assert!(seen.insert(number), "{number} twice");
                }
            }
        }
        assert!(seen.into_iter().eq(0..400));
        assert!(names.contains("part-2.csv"));
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
    }
}
