//! The columns that are read, of which the first are written.

use super::super::errors::Failure;
use super::as_text::{decoded, with_text_of_games};
use super::partition;
use crate::TextEncoding;
use crate::arrow::ArrowColumns;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Schema};
use std::sync::Arc;

const NUMBER: &str = "number";

/// The columns of an export.
pub(super) struct ExportColumns {
    /// Those that are read.
    pub(super) all: ArrowColumns,
    /// Those that are written.
    pub(super) schema: Arc<Schema>,
    /// The encoding of text that is not UTF-8, if games are written as text.
    encoding: Option<TextEncoding>,
    number: usize,
    /// The columns of dates that a partition depends on.
    dates: Vec<usize>,
}

/// Rows of an export.
pub(super) struct ExportRows {
    /// What is written.
    pub(super) batch: RecordBatch,
    /// The dates that a partition depends on, as texts.
    pub(super) dates: Vec<ArrayRef>,
}

impl ExportColumns {
    /// The columns to write, with those that progress and partitions need. `encoding` is that of text
    /// that is not UTF-8, for formats in which the texts of games are text.
    pub(super) fn new(
        shown: &ArrowColumns,
        has_partitions: bool,
        encoding: Option<TextEncoding>,
    ) -> Result<Self, Failure> {
        let schema = shown.schema();
        let fields = schema.fields().iter();
        let mut names: Vec<&str> = fields.map(|field| &field.name()[..]).collect();
        let mut place_of = |name| match names.iter().position(|of| *of == name) {
            Some(at) => at,
            None => {
                names.push(name);
                names.len() - 1
            }
        };
        let number = place_of(NUMBER);
        let dates = partition::COLUMNS.iter().filter(|_| has_partitions);
        let dates = dates.map(|name| place_of(name)).collect();
        let all = ArrowColumns::by_name(names);
        Ok(ExportColumns {
            all: all.map_err(|error| Failure::usage(error.to_string()))?,
            schema: match encoding {
                Some(_) => Arc::new(with_text_of_games(&schema)),
                None => schema,
            },
            encoding,
            number,
            dates,
        })
    }

    /// The number of the last game of a batch.
    pub(super) fn last_number(&self, batch: &RecordBatch) -> u64 {
        let numbers = batch.column(self.number).as_primitive::<Int64Type>();
        let last = numbers.values().last().copied().unwrap_or(0);
        u64::try_from(last).unwrap_or(0)
    }

    /// The rows of a batch.
    pub(super) fn rows(&self, batch: &RecordBatch) -> Result<ExportRows, ArrowError> {
        let shown: Vec<usize> = (0..self.schema.fields().len()).collect();
        let dates = self.dates.iter().map(|at| Arc::clone(batch.column(*at)));
        let shown = batch.project(&shown)?;
        Ok(ExportRows {
            batch: match self.encoding {
                Some(encoding) => decoded(&shown, &self.schema, encoding)?,
                None => shown,
            },
            dates: dates.collect(),
        })
    }
}
