//! JSON, one object a line.

use super::format::TableWriter;
use super::sink::Sink;
use arrow_array::RecordBatch;
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use arrow_schema::ArrowError;
use std::io::{BufWriter, Write};

/// A file of JSON objects. Nulls are written, so that every line has the same keys.
pub(super) struct NdjsonFile(arrow_json::Writer<BufWriter<Sink>, LineDelimited>);

impl NdjsonFile {
    pub(super) fn new(sink: Sink) -> Self {
        let builder = WriterBuilder::new().with_explicit_nulls(true);
        NdjsonFile(builder.build(BufWriter::new(sink)))
    }
}

impl TableWriter for NdjsonFile {
    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), ArrowError> {
        for batch in batches {
            self.0.write(batch)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), ArrowError> {
        self.0.finish()?;
        Ok(self.0.get_mut().flush()?)
    }
}
