//! Columns in the forms that text has.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_json::writer::{EncoderOptions, make_encoder};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use std::sync::Arc;

/// The column of the texts of games.
const PGN: &str = "pgn";

/// A batch in which the texts of games are text, with U+FFFD for what is not UTF-8. Other bytes stay:
/// writers of text give them as hexadecimal digits.
pub(super) fn with_text_of_games(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    let is_text = |field: &FieldRef| field.name() == PGN;
    if !schema.fields().iter().any(is_text) {
        return Ok(batch.clone());
    }
    let columns = schema.fields().iter().zip(batch.columns());
    let columns = columns.map(|(field, array)| match is_text(field) {
        true => text_column(field, array),
        false => (Arc::clone(field), Arc::clone(array)),
    });
    let (fields, arrays): (Vec<_>, Vec<_>) = columns.unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}

fn text_column(field: &FieldRef, array: &ArrayRef) -> (FieldRef, ArrayRef) {
    let texts = array.as_binary::<i32>().iter();
    let texts = texts.map(|text| text.map(String::from_utf8_lossy));
    let texts: StringArray = texts.collect();
    let field = Field::new(field.name(), DataType::Utf8, field.is_nullable());
    (Arc::new(field), Arc::new(texts))
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
