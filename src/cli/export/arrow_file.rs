//! Files and streams of Arrow. They are not compressed, so that readers can map them.

use super::format::TableWriter;
use super::sink::Sink;
use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, Schema};
use std::io::BufWriter;

/// An Arrow file.
pub(super) struct ArrowFile(FileWriter<BufWriter<Sink>>);

/// An Arrow stream.
pub(super) struct ArrowStream(StreamWriter<BufWriter<Sink>>);

impl ArrowFile {
    pub(super) fn new(sink: Sink, schema: &Schema) -> Result<Self, ArrowError> {
        FileWriter::try_new_buffered(sink, schema).map(ArrowFile)
    }
}

impl ArrowStream {
    pub(super) fn new(sink: Sink, schema: &Schema) -> Result<Self, ArrowError> {
        StreamWriter::try_new_buffered(sink, schema).map(ArrowStream)
    }
}

impl TableWriter for ArrowFile {
    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), ArrowError> {
        batches.iter().try_for_each(|batch| self.0.write(batch))
    }

    fn finish(mut self: Box<Self>) -> Result<(), ArrowError> {
        self.0.finish()?;
        self.0.flush()
    }
}

impl TableWriter for ArrowStream {
    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), ArrowError> {
        batches.iter().try_for_each(|batch| self.0.write(batch))
    }

    fn finish(mut self: Box<Self>) -> Result<(), ArrowError> {
        self.0.finish()?;
        self.0.flush()
    }
}
