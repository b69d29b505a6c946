//! The formats of tables.

use super::arrow_file::{ArrowFile, ArrowStream};
use super::csv::CsvFile;
use super::epd::EpdFile;
use super::ndjson::NdjsonFile;
use super::parquet::ParquetFile;
use super::sink::Sink;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use clap::ValueEnum;
use std::path::Path;
use std::sync::Arc;

/// A format of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Parquet.
    Parquet,
    /// The file format of Arrow; its stream format on stdout, which cannot be read out of order.
    Arrow,
    /// CSV.
    Csv,
    /// JSON, one object a line.
    Ndjson,
    /// Positions of games.
    Epd,
}

/// A table that is being written.
pub(super) trait TableWriter {
    /// Appends rows, in Parquet as one row group.
    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), ArrowError>;

    /// Writes what comes after the last row, and flushes the sink.
    fn finish(self: Box<Self>) -> Result<(), ArrowError>;
}

impl Format {
    /// The format that the extension of a file names.
    pub(super) fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match &extension[..] {
            "parquet" | "pq" => Format::Parquet,
            "arrow" | "feather" | "ipc" => Format::Arrow,
            "csv" => Format::Csv,
            "ndjson" | "jsonl" => Format::Ndjson,
            "epd" => Format::Epd,
            _ => return None,
        })
    }

    /// The extension of files.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Csv => "csv",
            Format::Ndjson => "ndjson",
            Format::Epd => "epd",
        }
    }

    /// Whether a terminal cannot show it.
    pub(super) fn is_binary(self) -> bool {
        matches!(self, Format::Parquet | Format::Arrow)
    }

    /// Whether the texts of games are text in it, not bytes.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Format::Csv | Format::Ndjson)
    }

    /// Begins a table with these columns.
    pub(super) fn writer(
        self,
        sink: Sink,
        schema: &Arc<Schema>,
    ) -> Result<Box<dyn TableWriter>, ArrowError> {
        Ok(match self {
            Format::Parquet => Box::new(ParquetFile::new(sink, schema)?),
            Format::Arrow if sink.is_stdout() => Box::new(ArrowStream::new(sink, schema)?),
            Format::Arrow => Box::new(ArrowFile::new(sink, schema)?),
            Format::Csv => Box::new(CsvFile::new(sink, schema)?),
            Format::Ndjson => Box::new(NdjsonFile::new(sink)),
            Format::Epd => Box::new(EpdFile::new(sink)),
        })
    }
}
