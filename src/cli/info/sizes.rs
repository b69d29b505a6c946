//! Sizes by column: the table and the JSON of `pgna info --sizes`.

use crate::VerbatimReason;
use crate::cli::figures::{count, grouped, ratio};
use crate::cli::terminal::fit;
use crate::internals::archive::{AdaptationSize, ColumnSize, MarkPart, ModelId, Sizes};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The maximum length of names; longer ones are cut.
const NAME_WIDTH: usize = 23;
/// The maximum length of encodings; longer ones are cut.
const ENCODING_WIDTH: usize = 32;

/// The column whose parts are shown.
const MARKS: &str = "marks";

/// The sizes of an archive with this many bytes and games.
pub(super) fn text(sizes: &Sizes, archive_bytes: u64, games: u64) -> String {
    let table = SizeTotals {
        archive_bytes,
        games,
    };
    let mut out = format!(
        "\n{:<24}{:>14}{:>12}{:>9}{:>7}  encoding\n",
        "column", "bytes", "in tables", "B/game", "%"
    );
    for row in rows(sizes) {
        out.push_str(&table.row(&row));
        if row.name == MARKS {
            let parts = sizes.mark_parts();
            let parts = parts.iter().filter(|part| part.bytes > 0);
            parts.for_each(|part| out.push_str(&table.row(&row_of_part(part))));
        }
    }
    out.push('\n');
    out.push_str(&column_tables(sizes));
    out.push_str(&format!(
        "{}, {} with a patch beside the layout\n",
        count(sizes.plies, "ply"),
        count(sizes.patched, "game")
    ));
    for (model, size) in &sizes.adaptations {
        out.push_str(&adaptation_text(*model, size));
    }
    for (rest, games) in &sizes.verbatim {
        let games = count(*games, "game");
        out.push_str(&format!(
            "{games} stored partly verbatim: {}\n",
            rest.describe()
        ));
    }
    out
}

pub(super) fn json(sizes: &Sizes) -> Value {
    let columns = sizes.columns.iter().map(|(name, column)| {
        let value = json!({
            "blocks_bytes": column.blocks_bytes,
            "tables_bytes": column.tables_bytes,
            "encodings": column.encodings,
        });
        (name.clone(), value)
    });
    let parts = sizes.mark_parts();
    let parts = parts.iter().map(|part| {
        let value = json!({
            "bytes": part.bytes,
            "bits": part.values.bits(),
            "count": part.values.count,
        });
        (part.name.to_owned(), value)
    });
    json!({
        "columns": columns.collect::<Map<String, Value>>(),
        "marks": parts.collect::<Map<String, Value>>(),
        "tables": sizes.tables,
        "tables_of_columns": sizes.column_tables,
        "adaptations": sizes.adaptations.iter().map(adaptation_json).collect::<Vec<Value>>(),
        "frames": sizes.frames.parts(),
        "plies": sizes.plies,
        "patched_games": sizes.patched,
        "partly_verbatim_games": verbatim_json(&sizes.verbatim),
    })
}

/// A line of the table.
struct SizeRow {
    name: String,
    bytes: u64,
    /// The number of these bytes that are in tables.
    tables: u64,
    /// The encoding.
    encoding: String,
}

impl SizeRow {
    fn of(name: &str, bytes: u64) -> SizeRow {
        SizeRow {
            name: name.to_owned(),
            bytes,
            tables: 0,
            encoding: String::new(),
        }
    }
}

/// The columns and tables, the largest first, and their sum.
fn rows(sizes: &Sizes) -> Vec<SizeRow> {
    let columns = sizes.columns.iter().map(|(name, column)| SizeRow {
        tables: column.tables_bytes,
        encoding: main_encoding(column),
        ..SizeRow::of(name, column.bytes())
    });
    let tables = sizes.tables.iter().map(|(name, bytes)| SizeRow {
        tables: *bytes,
        ..SizeRow::of(name, *bytes)
    });
    let frames = sizes.frames.parts().into_iter();
    let frames = frames.map(|(name, bytes)| SizeRow::of(name, bytes));
    let mut rows: Vec<SizeRow> = columns.chain(tables).chain(frames).collect();
    // A tag column without bytes is fully predicted and is shown; other empty
    // columns are not.
    rows.retain(|row| row.bytes > 0 || row.name.starts_with('['));
    rows.sort_by_key(|row| std::cmp::Reverse(row.bytes));
    let sum = |part: fn(&SizeRow) -> u64| rows.iter().map(part).sum();
    rows.push(SizeRow {
        tables: sum(|row| row.tables),
        ..SizeRow::of("all", sum(|row| row.bytes))
    });
    rows
}

/// The encoding of most bytes, and the number of others.
fn main_encoding(column: &ColumnSize) -> String {
    let largest = column.encodings.iter().max_by_key(|(_, bytes)| **bytes);
    let largest = largest.map_or("", |(encoding, _)| encoding.as_str());
    match column.encodings.len() {
        0 | 1 => fit(largest, ENCODING_WIDTH),
        many => {
            let others = format!(" +{}", many - 1);
            fit(largest, ENCODING_WIDTH - others.len()) + &others
        }
    }
}

/// A part of the marks, indented.
fn row_of_part(part: &MarkPart) -> SizeRow {
    let values = &part.values;
    let each = match values.count {
        0 => String::new(),
        many => {
            let bits = ratio(values.bits(), many);
            format!("{} at {bits:.2} bits", grouped(many))
        }
    };
    SizeRow {
        encoding: each,
        ..SizeRow::of(&format!("  {}", part.name), part.bytes)
    }
}

/// The totals that the rows are relative to.
struct SizeTotals {
    archive_bytes: u64,
    games: u64,
}

impl SizeTotals {
    fn row(&self, row: &SizeRow) -> String {
        let name = match row.name.strip_prefix("  ") {
            Some(name) => format!("  {name}"),
            None => fit(&row.name, NAME_WIDTH),
        };
        let line = format!(
            "{name:<24}{:>14}{:>12}{:>9.2}{:>7.2}  {}",
            grouped(row.bytes),
            grouped(row.tables),
            ratio(row.bytes, self.games),
            100.0 * ratio(row.bytes, self.archive_bytes),
            row.encoding
        );
        line.trim_end().to_owned() + "\n"
    }
}

/// The sizes of the tables of columns, in one line.
fn column_tables(sizes: &Sizes) -> String {
    let kinds = sizes.column_tables.iter();
    let kinds: Vec<String> = kinds
        .map(|(name, bytes)| format!("{name} {}", grouped(*bytes)))
        .collect();
    match kinds.is_empty() {
        true => String::new(),
        false => format!("tables of columns, bytes: {}\n", kinds.join(", ")),
    }
}

/// The adaptation of a model to the segments, in one line.
fn adaptation_text(model: ModelId, size: &AdaptationSize) -> String {
    format!(
        "model {} adapted in {}: {} of temperature, {} of openings, {}\n",
        model
            .level()
            .map_or_else(|| model.to_string(), str::to_owned),
        count(size.segments, "segment"),
        count(size.parts.terms, "term"),
        count(size.parts.positions, "position"),
        count(size.parts.frequent_players, "regular player"),
    )
}

fn adaptation_json((model, size): (&ModelId, &AdaptationSize)) -> Value {
    json!({
        "model": model.to_string(),
        "segments": size.segments,
        "temperature_terms": size.parts.terms,
        "book_positions": size.parts.positions,
        "regular_players": size.parts.frequent_players,
    })
}

fn verbatim_json(rests: &BTreeMap<VerbatimReason, u64>) -> Value {
    let reasons = rests
        .iter()
        .map(|(rest, games)| (rest.describe().to_owned(), json!(games)));
    Value::Object(reasons.collect())
}
