//! Columns of games as arrays. Values that are in one vector already are moved, not copied.

use crate::data::{ColumnData, Lists, TextColumn, TextLists, Variations};
use crate::text::TextEncoding;
use arrow_array::builder::{NullBufferBuilder, OffsetBufferBuilder};
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Int16Type, Int32Type, Int64Type, Time32SecondType,
};
use arrow_array::{
    ArrayRef, BinaryArray, Int32Array, ListArray, PrimitiveArray, StringArray, StructArray,
    UInt8Array, UInt16Array, UInt32Array,
};
use arrow_schema::{ArrowError, DataType, FieldRef, Fields, TimeUnit};
use std::borrow::Cow;
use std::sync::Arc;

/// A column as an array of a type. Text that is not UTF-8 is read in the encoding.
///
/// # Errors
/// The column has no values of the type, or more than an array can hold.
pub(super) fn array(
    data: ColumnData,
    data_type: &DataType,
    encoding: TextEncoding,
) -> Result<ArrayRef, ArrowError> {
    let text = |bytes| text(bytes, encoding);
    Ok(match (data, data_type) {
        (ColumnData::Integers(values), DataType::Int16) => integers::<Int16Type>(values),
        (ColumnData::Integers(values), DataType::Int32) => integers::<Int32Type>(values),
        (ColumnData::Integers(values), DataType::Int64) => integers::<Int64Type>(values),
        (ColumnData::Integers(values), DataType::Date32) => integers::<Date32Type>(values),
        (ColumnData::Integers(values), DataType::Time32(TimeUnit::Second)) => {
            integers::<Time32SecondType>(values)
        }
        (ColumnData::Dictionary(values), DataType::Binary) => Arc::new(repeated(&values)?),
        (ColumnData::Dictionary(values), DataType::Utf8) => Arc::new(text(repeated(&values)?)?),
        (ColumnData::Texts(texts), DataType::Binary) => Arc::new(bytes(texts)?),
        (ColumnData::Texts(texts), DataType::Utf8) => Arc::new(text(bytes(texts)?)?),
        (ColumnData::Plies(plies), DataType::List(item)) => {
            let ends = offsets(plies.ends())?;
            list(item, ends, Arc::new(UInt16Array::from(plies.into_values())))?
        }
        (ColumnData::Numbers(numbers), DataType::List(item)) => {
            let ends = offsets(numbers.ends())?;
            list(
                item,
                ends,
                Arc::new(Int32Array::from(numbers.into_values())),
            )?
        }
        (ColumnData::TextLists(texts), DataType::List(item)) => {
            let ends = offsets(texts.ends())?;
            list(item, ends, Arc::new(text(bytes(texts.into_texts())?)?))?
        }
        (ColumnData::Comments(comments), DataType::List(item)) => {
            let texts = text(bytes(TextLists::into_texts(comments.values))?)?;
            places(item, comments.lines, comments.plies, Arc::new(texts))?
        }
        (ColumnData::Nags(nags), DataType::List(item)) => {
            let values = UInt8Array::from(nags.values.into_values());
            places(item, nags.lines, nags.plies, Arc::new(values))?
        }
        (ColumnData::Variations(lines), DataType::List(item)) => variations(item, lines)?,
        (_, data_type) => return Err(no_values_of(data_type)),
    })
}

fn no_values_of(data_type: &DataType) -> ArrowError {
    ArrowError::SchemaError(format!("the column has no values of the type {data_type}"))
}

/// Integers; null where they exceed the range of the type.
fn integers<T: ArrowPrimitiveType>(values: Vec<Option<i64>>) -> ArrayRef
where
    T::Native: TryFrom<i64>,
{
    let values = values.into_iter();
    let values = values.map(|value| value.and_then(|value| T::Native::try_from(value).ok()));
    Arc::new(PrimitiveArray::<T>::from_iter(values))
}

/// The offsets of lists by their ends, as a builder that can be finished.
///
/// # Errors
/// There are more values than an array can hold.
fn offsets(ends: &[usize]) -> Result<OffsetBufferBuilder<i32>, ArrowError> {
    let last = ends.last().copied().unwrap_or(0);
    if i32::try_from(last).is_err() {
        return Err(ArrowError::OffsetOverflowError(last));
    }
    let mut offsets = OffsetBufferBuilder::new(ends.len());
    let mut start = 0;
    for end in ends {
        offsets.push_length(end.saturating_sub(start));
        start = *end;
    }
    Ok(offsets)
}

/// Byte strings, each a list.
fn bytes(texts: Lists<u8>) -> Result<BinaryArray, ArrowError> {
    let offsets = offsets(texts.ends())?;
    BinaryArray::try_new(offsets.into(), texts.into_values().into(), None)
}

/// Byte strings, each copied from where it is.
fn copied<'a>(
    values: impl ExactSizeIterator<Item = Option<&'a [u8]>> + Clone,
) -> Result<BinaryArray, ArrowError> {
    let mut end = 0usize;
    let ends = values.clone().map(|value| {
        end = end.saturating_add(value.map_or(0, <[u8]>::len));
        end
    });
    let offsets = offsets(&ends.collect::<Vec<_>>())?;
    let mut bytes = Vec::with_capacity(end);
    let mut nulls = NullBufferBuilder::new(values.len());
    for value in values {
        bytes.extend_from_slice(value.unwrap_or_default());
        nulls.append(value.is_some());
    }
    BinaryArray::try_new(offsets.into(), bytes.into(), nulls.finish())
}

/// The text of each game.
fn repeated(values: &TextColumn) -> Result<BinaryArray, ArrowError> {
    copied((0..values.ids.len()).map(|game| values.get(game)))
}

/// Byte strings as text.
fn text(bytes: BinaryArray, encoding: TextEncoding) -> Result<StringArray, ArrowError> {
    if let Ok(text) = StringArray::try_from_binary(bytes.clone()) {
        return Ok(text);
    }
    let texts = bytes
        .iter()
        .map(|value| value.map(|value| encoding.decode(value)));
    let texts: Vec<Option<Cow<'_, str>>> = texts.collect();
    let replaced = texts
        .iter()
        .map(|text| text.as_ref().map(|text| text.as_bytes()));
    StringArray::try_from_binary(copied(replaced)?)
}

/// Lists of values.
fn list(
    item: &FieldRef,
    offsets: OffsetBufferBuilder<i32>,
    values: ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    let array = ListArray::try_new(Arc::clone(item), offsets.into(), values, None)?;
    Ok(Arc::new(array))
}

/// Lists of values with their places: two numbers each.
fn places(
    item: &FieldRef,
    lines: Lists<u32>,
    plies: Lists<u32>,
    values: ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    let offsets = offsets(lines.ends())?;
    let lines = UInt32Array::from(lines.into_values());
    let plies = UInt32Array::from(plies.into_values());
    let columns: Vec<ArrayRef> = vec![Arc::new(lines), Arc::new(plies), values];
    let values = StructArray::try_new(fields(item)?.clone(), columns, None)?;
    list(item, offsets, Arc::new(values))
}

fn fields(item: &FieldRef) -> Result<&Fields, ArrowError> {
    match item.data_type() {
        DataType::Struct(fields) => Ok(fields),
        data_type => Err(no_values_of(data_type)),
    }
}

fn variations(item: &FieldRef, lines: Variations) -> Result<ArrayRef, ArrowError> {
    let moves = match fields(item)?.last().map(|field| field.data_type()) {
        Some(DataType::List(moves)) => moves,
        _ => return Err(no_values_of(item.data_type())),
    };
    // The ends are those in the plies of one game.
    let mut ends = Vec::with_capacity(lines.ends.values().len());
    let mut before = 0usize;
    for (of_game, end) in lines.ends.iter().zip(lines.moves.ends()) {
        let of_game = of_game.iter().map(|end| usize::try_from(*end));
        let of_game = of_game.map(|end| before.saturating_add(end.unwrap_or(usize::MAX)));
        ends.extend(of_game);
        before = *end;
    }
    let plies = UInt16Array::from(lines.moves.into_values());
    let plies = list(moves, offsets(&ends)?, Arc::new(plies))?;
    places(item, lines.parents, lines.plies, plies)
}
