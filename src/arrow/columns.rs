//! The names and types of columns.

use crate::data::{GameColumn, TagKind};
use arrow_schema::DataType::{Binary, Date32, Int16, Int32, Int64, UInt8, UInt16, UInt32, Utf8};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// Columns of record batches: which column of a game each one has, its name and its Arrow type.
///
/// | column | type | default |
/// |---|---|---|
/// | `Event`, `Site`, `White`, `Black`, `Result`, `WhiteTitle`, `BlackTitle` | `Utf8` | yes |
/// | `WhiteElo`, `BlackElo`, `WhiteRatingDiff`, `BlackRatingDiff` | `Int16` | yes |
/// | `UTCDate` | `Date32` | yes |
/// | `UTCTime` | `Time32(Second)` | yes |
/// | `ECO`, `Opening`, `Termination`, `TimeControl`, `movetext` | `Utf8` | yes |
/// | `Date` | `Date32` | yes |
/// | `number`: that of the game in the archive, from 1 | `Int64`, not null | yes |
/// | `source`: the name of the file | `Utf8` | yes |
/// | `ply_count` | `Int32` | yes |
/// | `start`: the FEN, or null for the standard start position | `Utf8` | yes |
/// | `moves`: plies as of [`Ply::to_bits`](crate::Ply::to_bits) | `List<UInt16>` | |
/// | `moves_san`, `moves_uci` | `List<Utf8>` | |
/// | `fens`: of the positions of the main line, one more than moves | `List<Utf8>` | |
/// | `clocks`: milliseconds | `List<Int32>` with nulls | |
/// | `evals`: centipawns as of [`GameColumn::Evals`](crate::GameColumn::Evals) | `List<Int32>` with nulls | |
/// | `comments` | `List<Struct{line: UInt32, ply: UInt32, text: Utf8}>` | |
/// | `nags` | `List<Struct{line: UInt32, ply: UInt32, nag: UInt8}>` | |
/// | `variations` | `List<Struct{parent: UInt32, ply: UInt32, moves: List<UInt16>}>` | |
/// | `found_at`: plies before the position that a query has found | `Int32` | |
/// | `pgn`: the exact text of the game | `Binary` | |
///
/// The first 18 are the columns of the Parquet files of Lichess, in their order and with their
/// types. Every other name that begins with a capital letter and has only ASCII letters, digits
/// and underscores is that of a tag, as `Utf8`. After the name of a tag that is not `Utf8` in the
/// table, `_text` gives its text: `Date_text`. After the name of any tag, `_bytes` gives its exact
/// value as `Binary`: `White_bytes`.
///
/// A column is null where a game does not have the tag. Numbers are null where the tag has another
/// value or one that exceeds the range of the type; dates are null where a part is unknown. In
/// columns of `Utf8`, what is not UTF-8 is read in the [encoding](crate::Archive::with_encoding) of
/// the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrowColumns {
    columns: Vec<GameColumn>,
    schema: SchemaRef,
}

/// A name that cannot be that of a column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnNameError {
    /// There is no column with this name.
    #[error("{0:?} is no column: names of tags begin with a capital letter")]
    Unknown(String),
    /// The name occurs more than once.
    #[error("the column {0:?} is named twice")]
    Repeated(String),
}

impl ArrowColumns {
    /// The columns with these names, in this order.
    ///
    /// # Errors
    /// A name is not that of a column, or occurs more than once.
    pub fn by_name(
        names: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, ColumnNameError> {
        let mut seen = HashSet::new();
        let columns = names.into_iter().map(|name| {
            let name = name.as_ref();
            if !seen.insert(name.to_owned()) {
                return Err(ColumnNameError::Repeated(name.to_owned()));
            }
            by_name(name).ok_or_else(|| ColumnNameError::Unknown(name.to_owned()))
        });
        Ok(ArrowColumns::of(columns.collect::<Result<_, _>>()?))
    }

    /// All columns but those of tags that are not in the table.
    pub fn all() -> Self {
        ArrowColumns::of(TABLE.clone())
    }

    /// The schema of all batches with these columns.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The columns of games, in the order of the schema.
    pub(super) fn game_columns(&self) -> &[GameColumn] {
        &self.columns
    }

    fn of(columns: Vec<NamedColumn>) -> Self {
        let fields: Fields = columns.iter().map(NamedColumn::field).collect();
        ArrowColumns {
            columns: columns.into_iter().map(|named| named.column).collect(),
            schema: Arc::new(Schema::new(fields)),
        }
    }
}

impl Default for ArrowColumns {
    /// Those that the table marks as default.
    fn default() -> Self {
        let columns = TABLE.iter().filter(|named| named.is_default);
        ArrowColumns::of(columns.cloned().collect())
    }
}

/// A column of games with its name and type.
#[derive(Debug, Clone)]
struct NamedColumn {
    name: String,
    column: GameColumn,
    data_type: DataType,
    is_default: bool,
}

impl NamedColumn {
    fn field(&self) -> Field {
        let is_nullable = self.column != GameColumn::Number;
        Field::new(&self.name, self.data_type.clone(), is_nullable)
    }

    fn is_tag(&self) -> bool {
        matches!(self.column, GameColumn::Tag { .. })
    }
}

/// The columns with fixed names.
static TABLE: LazyLock<Vec<NamedColumn>> = LazyLock::new(|| {
    let comment = [("line", UInt32), ("ply", UInt32), ("text", Utf8)];
    let nag = [("line", UInt32), ("ply", UInt32), ("nag", UInt8)];
    let variation = [("parent", UInt32), ("ply", UInt32), ("moves", list(UInt16))];
    vec![
        text_tag("Event"),
        text_tag("Site"),
        text_tag("White"),
        text_tag("Black"),
        text_tag("Result"),
        text_tag("WhiteTitle"),
        text_tag("BlackTitle"),
        tag("WhiteElo", TagKind::Integer, Int16),
        tag("BlackElo", TagKind::Integer, Int16),
        tag("WhiteRatingDiff", TagKind::Integer, Int16),
        tag("BlackRatingDiff", TagKind::Integer, Int16),
        tag("UTCDate", TagKind::Date, Date32),
        tag("UTCTime", TagKind::Time, DataType::Time32(TimeUnit::Second)),
        text_tag("ECO"),
        text_tag("Opening"),
        text_tag("Termination"),
        text_tag("TimeControl"),
        default("movetext", GameColumn::Movetext, Utf8),
        tag("Date", TagKind::Date, Date32),
        default("number", GameColumn::Number, Int64),
        default("source", GameColumn::Source, Utf8),
        default("ply_count", GameColumn::PlyCount, Int32),
        default("start", GameColumn::Start, Utf8),
        on_request("moves", GameColumn::Moves, list(UInt16)),
        on_request("moves_san", GameColumn::San, list(Utf8)),
        on_request("moves_uci", GameColumn::Uci, list(Utf8)),
        on_request("fens", GameColumn::Fens, list(Utf8)),
        on_request("clocks", GameColumn::Clocks, list(Int32)),
        on_request("evals", GameColumn::Evals, list(Int32)),
        on_request("comments", GameColumn::Comments, list(structure(comment))),
        on_request("nags", GameColumn::Nags, list(structure(nag))),
        on_request(
            "variations",
            GameColumn::Variations,
            list(structure(variation)),
        ),
        on_request("found_at", GameColumn::FoundAt, Int32),
        on_request("pgn", GameColumn::Text, Binary),
    ]
});

fn on_request(name: &str, column: GameColumn, data_type: DataType) -> NamedColumn {
    NamedColumn {
        name: name.to_owned(),
        column,
        data_type,
        is_default: false,
    }
}

fn default(name: &str, column: GameColumn, data_type: DataType) -> NamedColumn {
    NamedColumn {
        is_default: true,
        ..on_request(name, column, data_type)
    }
}

fn tag(name: &str, kind: TagKind, data_type: DataType) -> NamedColumn {
    default(name, GameColumn::tag_as(name, kind), data_type)
}

fn text_tag(name: &str) -> NamedColumn {
    tag(name, TagKind::Text, Utf8)
}

/// Nested values are nullable, as in lists and structures that other programs make: types that
/// differ in that are different types.
fn list(item: DataType) -> DataType {
    DataType::List(Arc::new(Field::new_list_field(item, true)))
}

fn structure(fields: [(&str, DataType); 3]) -> DataType {
    let fields = fields.map(|(name, data_type)| Field::new(name, data_type, true));
    DataType::Struct(Fields::from_iter(fields))
}

fn in_table(name: &str) -> Option<&'static NamedColumn> {
    TABLE.iter().find(|named| named.name == name)
}

/// The column with a name; `None` if there is none.
fn by_name(name: &str) -> Option<NamedColumn> {
    if let Some(named) = in_table(name) {
        return Some(named.clone());
    }
    let is_typed = |tag: &&str| {
        let named = in_table(tag).filter(|named| named.is_tag());
        named.is_some_and(|named| named.data_type != Utf8)
    };
    let (tag, data_type) = match (name.strip_suffix("_text"), name.strip_suffix("_bytes")) {
        (Some(tag), _) if is_typed(&tag) => (tag, Utf8),
        (_, Some(tag)) => (tag, Binary),
        _ => (name, Utf8),
    };
    let is_tag = is_tag_name(tag);
    is_tag.then(|| on_request(name, GameColumn::tag(tag), data_type))
}

/// Whether a name is that of a tag. Names in lower case are those of other columns, also of future
/// ones.
fn is_tag_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str) -> (GameColumn, DataType) {
        let named = by_name(name).unwrap();
        assert_eq!(named.name, name);
        (named.column, named.data_type)
    }

    #[test]
    fn names_of_tags_have_suffixes() {
        let tag = GameColumn::tag;
        assert_eq!(column("Round"), (tag("Round"), Utf8));
        let date = GameColumn::tag_as("Date", TagKind::Date);
        assert_eq!(column("Date"), (date, Date32));
        assert_eq!(column("Date_text"), (tag("Date"), Utf8));
        assert_eq!(column("WhiteElo_text"), (tag("WhiteElo"), Utf8));
        assert_eq!(column("Date_bytes"), (tag("Date"), Binary));
        assert_eq!(column("Annotator_bytes"), (tag("Annotator"), Binary));
        // Tags that are text have no suffix for it.
        assert_eq!(column("White_text"), (tag("White_text"), Utf8));
        assert_eq!(column("Moves"), (tag("Moves"), Utf8));
    }

    #[test]
    fn other_names_are_rejected() {
        let errors = |names: &[&str]| ArrowColumns::by_name(names).unwrap_err();
        for name in [
            "",
            "move",
            "white",
            "moves_text",
            "pgn_bytes",
            "_",
            "White Elo",
            "Été",
        ] {
            assert_eq!(
                errors(&["White", name]),
                ColumnNameError::Unknown(name.to_owned())
            );
        }
        let repeated = ColumnNameError::Repeated("White".to_owned());
        assert_eq!(errors(&["White", "moves", "White"]), repeated);
        assert_eq!(repeated.to_string(), "the column \"White\" is named twice");
    }

    #[test]
    fn each_column_of_the_table_is_found_by_its_name() {
        let names = |columns: &ArrowColumns| -> Vec<String> {
            let fields = columns.schema.fields().iter();
            fields.map(|field| field.name().clone()).collect()
        };
        let all = ArrowColumns::all();
        assert_eq!(ArrowColumns::by_name(names(&all)), Ok(all.clone()));
        let default = names(&ArrowColumns::default());
        assert_eq!(default, names(&all)[..23]);
    }

    #[test]
    fn only_the_number_is_never_null() {
        let all = ArrowColumns::all().schema();
        let never_null = all.fields().iter().filter(|field| !field.is_nullable());
        let names: Vec<&str> = never_null.map(|field| &field.name()[..]).collect();
        assert_eq!(names, ["number"]);
    }
}
