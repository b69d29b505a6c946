//! Short descriptions of the encodings of columns.

use crate::archive::schema::column_directory::ColumnDirectory;
use crate::archive::schema::columns::{ColumnId, Values, tag_name};
use crate::archive::tables::SegmentTables;
use crate::codec::ints::Encoding;
use crate::codec::pack::PackMethod;
use crate::codec::{context_mixing, strings};
use crate::columns::FieldSide;

/// The name of a column.
pub(crate) fn column_name(id: ColumnId, tables: &SegmentTables) -> String {
    if let Some(column) = id.column() {
        return column.name.to_owned();
    }
    match tag_name(id).and_then(|number| tables.name(number)) {
        Some(name) => format!("[{}]", String::from_utf8_lossy(name)),
        None => format!("column {}", id.0),
    }
}

/// The encoding of a column of a block.
pub(crate) fn encoding(id: ColumnId, columns: &ColumnDirectory, tables: &SegmentTables) -> String {
    let bytes = columns.column(id);
    if tables.field_of(id).is_some() {
        return planned(id, tables);
    }
    match id.column().map(|column| &column.values) {
        Some(Values::Bits { coding, .. }) => (*coding).to_owned(),
        Some(Values::Strings(_) | Values::Optional(_) | Values::Prose(_)) => {
            texts(id, bytes, tables)
        }
        None if tag_name(id).is_some() => texts(id, bytes, tables),
        Some(Values::Predicted(_) | Values::Integers(_)) | None => {
            let encoding = bytes
                .first()
                .and_then(|number| Encoding::from_repr(*number));
            encoding.map_or("unknown", Encoding::name).to_owned()
        }
    }
}

/// The encoding of a column of strings without a plan.
fn texts(id: ColumnId, bytes: &[u8], tables: &SegmentTables) -> String {
    let mut words = Vec::new();
    if tables.has_dictionary(id) {
        words.push("dictionary");
    }
    if let Some(method) = strings::packed_literals(bytes).and_then(<[u8]>::first) {
        let packed = PackMethod::from_repr(*method).map(PackMethod::name);
        let mixed =
            context_mixing::ProseMethod::from_repr(*method).map(context_mixing::ProseMethod::name);
        words.push(packed.or(mixed).unwrap_or("unknown"));
    }
    words.join(", ")
}

/// The plan of a column.
fn planned(id: ColumnId, tables: &SegmentTables) -> String {
    let Some((number, own)) = tables.field_of(id) else {
        return String::new();
    };
    let name = |field: usize, side: FieldSide| {
        let columns = tables.fields().get(field).map(|field| &field.columns);
        let columns = columns.map_or(&[][..], Vec::as_slice);
        let side = match side {
            FieldSide::First => 0,
            FieldSide::Second => 1,
            FieldSide::Own => own,
        };
        let column = columns.get(side).or(columns.first());
        column.map_or_else(String::new, |column| column_name(ColumnId(*column), tables))
    };
    let field = tables.fields().get(number);
    field.map_or_else(String::new, |field| field.plan.describe(&name))
}
