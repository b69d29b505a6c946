//! A table that is being written to a file, device or stdout.

use super::super::errors::Failure;
use super::super::interrupt::Guard;
use super::super::target::OutputTarget;
use super::format::{Format, TableWriter};
use super::sink::{Sink, SinkError};
use crate::NewFile;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table that is being written.
pub(super) struct Table {
    path: PathBuf,
    writer: Box<dyn TableWriter>,
    error: SinkError,
    file: Option<(NewFile, Guard)>,
}

impl Table {
    /// Begins a table at a target.
    pub(super) fn at(
        target: &OutputTarget,
        format: Format,
        schema: &Arc<Schema>,
    ) -> Result<Table, Failure> {
        match target {
            OutputTarget::File(path) => {
                let failed = |error| Failure::io(path, &error);
                let file = NewFile::create(path).map_err(failed)?;
                let guard = Guard::new(file.temporary_path());
                let sink = Sink::new(file.file().try_clone().map_err(failed)?);
                Table::new(path, sink, format, schema, Some((file, guard)))
            }
            OutputTarget::Stream(path) => {
                let file = File::options().write(true).open(path);
                let file = file.map_err(|error| Failure::io(path, &error))?;
                Table::new(path, Sink::new(file), format, schema, None)
            }
            OutputTarget::Stdout => {
                if format.is_binary() && io::stdout().is_terminal() {
                    let why = "the format is binary; it is not written to a terminal: name a file with -o";
                    return Err(Failure::usage(why));
                }
                Table::new(target.display(), Sink::stdout(), format, schema, None)
            }
        }
    }

    /// Begins a table in a file, which messages call `path`.
    pub(super) fn in_file(
        file: File,
        path: &Path,
        format: Format,
        schema: &Arc<Schema>,
    ) -> Result<Table, Failure> {
        Table::new(path, Sink::new(file), format, schema, None)
    }

    /// The path of the table.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn new(
        path: &Path,
        sink: Sink,
        format: Format,
        schema: &Arc<Schema>,
        file: Option<(NewFile, Guard)>,
    ) -> Result<Table, Failure> {
        let error = sink.error();
        let writer = format.writer(sink, schema);
        Ok(Table {
            writer: writer.map_err(|cause| failure(path, &error, &cause))?,
            path: path.to_owned(),
            error,
            file,
        })
    }

    /// Appends rows, in Parquet as one row group.
    pub(super) fn write(&mut self, batches: &[RecordBatch]) -> Result<(), Failure> {
        let written = self.writer.write(batches);
        written.map_err(|cause| failure(&self.path, &self.error, &cause))
    }

    /// Completes the table. Returns its file, if it has to be renamed.
    pub(super) fn finish(self) -> Result<Option<(NewFile, Guard)>, Failure> {
        let finished = self.writer.finish();
        finished.map_err(|cause| failure(&self.path, &self.error, &cause))?;
        Ok(self.file)
    }
}

/// The failure of a table: the error of its sink, or else its own.
fn failure(path: &Path, sink: &SinkError, cause: &ArrowError) -> Failure {
    match sink.take() {
        Some(error) => Failure::io(path, &error),
        None => Failure::limit(path, cause),
    }
}
