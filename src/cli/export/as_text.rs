//! Columns in the forms that text has.

use crate::TextEncoding;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_json::writer::{EncoderOptions, make_encoder};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use std::sync::Arc;

/// The column of the texts of games.
const PGN: &str = "pgn";

/// The schema in which the texts of games are text. Other bytes stay: writers of text give them as
/// hexadecimal digits.
pub(super) fn with_text_of_games(schema: &Schema) -> Schema {
    let fields = schema
        .fields()
        .iter()
        .map(|field| match is_of_games(field) {
            true => {
                let field = Field::new(field.name(), DataType::Utf8, field.is_nullable());
                Arc::new(field)
            }
            false => Arc::clone(field),
        });
    Schema::new(fields.collect::<Vec<FieldRef>>())
}

/// A batch in that schema. Text that is not UTF-8 is read in the encoding.
pub(super) fn decoded(
    batch: &RecordBatch,
    schema: &Arc<Schema>,
    encoding: TextEncoding,
) -> Result<RecordBatch, ArrowError> {
    let batch_schema = batch.schema();
    let columns = batch_schema.fields().iter().zip(batch.columns());
    let arrays = columns.map(|(field, array)| match is_of_games(field) {
        true => {
            let texts = array.as_binary::<i32>().iter();
            let texts = texts.map(|text| text.map(|text| encoding.decode(text)));
            Arc::new(texts.collect::<StringArray>())
        }
        false => Arc::clone(array),
    });
    RecordBatch::try_new(Arc::clone(schema), arrays.collect())
}

fn is_of_games(field: &FieldRef) -> bool {
    field.name() == PGN
}

/// The values of a column, each as JSON.
pub(super) fn json_cells(field: &FieldRef, array: &ArrayRef) -> Result<StringArray, ArrowError> {
    let options = EncoderOptions::default().with_explicit_nulls(true);
    let mut encoder = make_encoder(field, array, &options)?;
    let cells = (0..array.len()).map(|row| {
        if encoder.is_null(row) {
            return None;
        }
        let mut cell = Vec::new();
        encoder.encode(row, &mut cell);
        Some(String::from_utf8_lossy(&cell).into_owned())
    });
    Ok(cells.collect())
}
