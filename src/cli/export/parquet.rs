//! Parquet.

use super::format::TableWriter;
use super::sink::Sink;
use arrow_array::cast::AsArray;
use arrow_array::types::{Time32MillisecondType, Time32SecondType};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use std::sync::Arc;

/// Columns of texts that differ in almost every game: a dictionary of them is tried in vain.
const DISTINCT_TEXTS: [&str; 2] = ["movetext", "pgn"];

/// 8 % less than level 3 on 14,219 games of Lichess, for three times its time, which is a sixth of
/// what decoding takes.
const ZSTD_LEVEL: i32 = 9;

/// A Parquet file.
pub(super) struct ParquetFile {
    writer: ArrowWriter<Sink>,
    schema: Arc<Schema>,
}

impl ParquetFile {
    pub(super) fn new(sink: Sink, schema: &Schema) -> Result<Self, ArrowError> {
        let fields = schema.fields().iter().map(in_milliseconds);
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
            // Row groups end where `write` ends them.
            .set_max_row_group_row_count(None);
        for name in DISTINCT_TEXTS {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
        }
        let properties = properties.build();
        let writer = ArrowWriter::try_new(sink, Arc::clone(&schema), Some(properties))?;
        Ok(ParquetFile { writer, schema })
    }
}

/// Parquet has no times in seconds.
const MILLISECONDS: DataType = DataType::Time32(TimeUnit::Millisecond);

fn in_milliseconds(field: &FieldRef) -> FieldRef {
    match field.data_type() {
        DataType::Time32(TimeUnit::Second) => {
            let field = Field::clone(field).with_data_type(MILLISECONDS);
            Arc::new(field)
        }
        _ => Arc::clone(field),
    }
}

/// A column of a batch in the type that it has in the file.
fn as_stored(array: &ArrayRef) -> ArrayRef {
    match array.as_primitive_opt::<Time32SecondType>() {
        // A day has fewer milliseconds than an `i32` holds.
        Some(times) => {
            let times = times.unary::<_, Time32MillisecondType>(|time| time.saturating_mul(1000));
            Arc::new(times)
        }
        None => Arc::clone(array),
    }
}

impl TableWriter for ParquetFile {
    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), ArrowError> {
        for batch in batches {
            let columns = batch.columns().iter().map(as_stored).collect();
            let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            let schema = Arc::clone(&self.schema);
            let batch = RecordBatch::try_new_with_options(schema, columns, &options)?;
            self.writer.write(&batch)?;
        }
        Ok(self.writer.flush()?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), ArrowError> {
        self.writer.finish()?;
        Ok(self.writer.sync()?)
    }
}
