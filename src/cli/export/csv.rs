//! CSV. Lists are JSON in one cell.

use super::as_text::json_cells;
use super::format::TableWriter;
use super::sink::Sink;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use std::io::{BufWriter, Write};
use std::sync::Arc;

/// A CSV file.
pub(super) struct CsvFile(arrow_csv::Writer<BufWriter<Sink>>);

impl CsvFile {
    pub(super) fn new(sink: Sink, schema: &Arc<Schema>) -> Result<Self, ArrowError> {
        let mut writer = arrow_csv::WriterBuilder::new().build(BufWriter::new(sink));
        // The header, which a table without rows has too.
        writer.write(&cells(&RecordBatch::new_empty(Arc::clone(schema)))?)?;
        Ok(CsvFile(writer))
    }
}

impl TableWriter for CsvFile {
    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), ArrowError> {
        for batch in batches {
            self.0.write(&cells(batch)?)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ArrowError> {
        Ok(self.0.into_inner().flush()?)
    }
}

/// A batch with columns that fit in cells.
fn cells(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns());
    let columns = columns.map(|(field, array)| match field.data_type() {
        DataType::List(_) => json_column(field, array),
        _ => Ok((Arc::clone(field), Arc::clone(array))),
    });
    let columns: Vec<(FieldRef, ArrayRef)> = columns.collect::<Result<_, ArrowError>>()?;
    let (fields, arrays): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}

fn json_column(field: &FieldRef, array: &ArrayRef) -> Result<(FieldRef, ArrayRef), ArrowError> {
    let cells = json_cells(field, array)?;
    let field = Field::new(field.name(), DataType::Utf8, field.is_nullable());
    Ok((Arc::new(field), Arc::new(cells)))
}
