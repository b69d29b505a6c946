//! `pgna info`.

use super::args::{Common, InfoArgs};
use super::errors::{Exit, Failure};
use super::figures::{count, grouped, ratio, size};
use super::open::{OpenArchive, open, warn};
use super::output::{Output, fit, printable};
use pgna::archive::{FORMAT_VERSION, ModelId, Rest, Shipped, Sizes, Source, TuningSize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Tells what an archive holds.
pub(crate) fn run(args: &InfoArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = open(&args.archive, &args.reader)?;
    let failure = |error| Failure::archive(&args.archive, &error);
    let facts = Facts {
        archive: &archive,
        bytes: archive.container().committed_bytes(),
        blocks: archive.blocks().map_err(failure)?,
        models: archive.models().map_err(failure)?,
        sizes: match args.sizes {
            true => Some(archive.sizes().map_err(failure)?),
            false => None,
        },
    };
    let mut output = Output::new();
    if args.json {
        output.json(&facts.json(&args.archive))?;
    } else {
        output.bytes(facts.text(&args.archive).as_bytes())?;
        warn(&args.archive, &archive.warnings(), common);
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// What is known of an archive.
struct Facts<'a> {
    archive: &'a OpenArchive,
    /// Size of the archive in bytes.
    bytes: u64,
    blocks: u64,
    models: Vec<ModelId>,
    sizes: Option<Sizes>,
}

impl Facts<'_> {
    fn text(&self, path: &Path) -> String {
        let totals = self.archive.totals();
        let mut out = format!("{}\n", path.display());
        for (name, value) in [
            ("format", version()),
            ("games", grouped(totals.games)),
            ("other text", self.other_text()),
            ("text", exact_size(totals.raw_bytes)),
            ("archive", exact_size(self.bytes)),
            ("a game", self.per_game()),
            ("segments", grouped(totals.segments.into())),
            ("blocks", grouped(self.blocks)),
            ("sources", grouped(totals.sources.into())),
            ("needs model", self.models_text()),
        ] {
            out.push_str(&format!("  {name:<11} {value}\n"));
        }
        out.push_str(&sources_text(self.archive.sources()));
        if let Some(sizes) = &self.sizes {
            out.push_str(&self.sizes_text(sizes));
        }
        out
    }

    fn other_text(&self) -> String {
        let totals = self.archive.totals();
        count(totals.records.saturating_sub(totals.games), "record") + " that are no games"
    }

    /// The models that reading takes, by number, with their levels.
    fn models_text(&self) -> String {
        let model = |model: &ModelId| {
            let level = model.level().unwrap_or("not in this release");
            format!("{} ({level})", model.number)
        };
        match self.models.iter().map(model).collect::<Vec<_>>() {
            none if none.is_empty() => "none".to_owned(),
            models => models.join(", "),
        }
    }

    fn per_game(&self) -> String {
        let totals = self.archive.totals();
        let per_game = ratio(self.bytes, totals.games);
        if self.bytes > totals.raw_bytes {
            return format!("{per_game:.1} B, more than its text");
        }
        let smaller = ratio(totals.raw_bytes, self.bytes);
        format!("{per_game:.1} B, {smaller:.2} times smaller than its text")
    }

    fn sizes_text(&self, sizes: &Sizes) -> String {
        let mut out = format!(
            "\n{:<26}{:>14}{:>14}{:>14}{:>9}{:>7}\n",
            "column", "blocks", "tables", "bytes", "B/game", "%"
        );
        for row in self.rows(sizes) {
            out.push_str(&self.row_text(&row));
        }
        out.push_str(&format!(
            "\n{}, {} with a patch beside the layout\n",
            count(sizes.plies, "ply"),
            count(sizes.patched, "game")
        ));
        for (model, size) in &sizes.tunings {
            out.push_str(&tuning_text(*model, size));
        }
        for (rest, games) in &sizes.rests {
            let games = count(*games, "game");
            out.push_str(&format!(
                "{games} kept partly verbatim: {}\n",
                rest.describe()
            ));
        }
        out
    }

    /// The columns and tables, the largest first; what is left; the sum.
    fn rows(&self, sizes: &Sizes) -> Vec<Row> {
        let columns = sizes.columns.iter().map(|(name, column)| Row {
            name: fit(name, NAME_WIDTH),
            blocks: column.blocks_bytes,
            tables: column.tables_bytes,
        });
        let tables = sizes.tables.iter().map(|(name, bytes)| Row {
            name: name.clone(),
            blocks: 0,
            tables: *bytes,
        });
        let mut rows: Vec<Row> = columns.chain(tables).collect();
        rows.extend(sizes.frames.parts().into_iter().map(|(name, bytes)| Row {
            name: name.to_owned(),
            blocks: bytes,
            tables: 0,
        }));
        rows.retain(|row| row.bytes() > 0);
        rows.sort_by_key(|row| std::cmp::Reverse(row.bytes()));
        let sum = |part: fn(&Row) -> u64| rows.iter().map(part).sum();
        rows.push(Row {
            name: "all".to_owned(),
            blocks: sum(|row| row.blocks),
            tables: sum(|row| row.tables),
        });
        rows
    }

    fn row_text(&self, row: &Row) -> String {
        let bytes = row.bytes();
        format!(
            "{:<26}{:>14}{:>14}{:>14}{:>9.2}{:>7.2}\n",
            row.name,
            grouped(row.blocks),
            grouped(row.tables),
            grouped(bytes),
            ratio(bytes, self.archive.games()),
            100.0 * ratio(bytes, self.bytes)
        )
    }

    fn json(&self, path: &Path) -> Value {
        let totals = self.archive.totals();
        let warnings = self.archive.warnings();
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let sources = self.archive.sources().iter();
        let mut value = json!({
            "archive": path.to_string_lossy(),
            "format": version(),
            "games": totals.games,
            "records": totals.records,
            "raw_bytes": totals.raw_bytes,
            "archive_bytes": self.bytes,
            "bytes_per_game": ratio(self.bytes, totals.games),
            "ratio": ratio(totals.raw_bytes, self.bytes),
            "segments": totals.segments,
            "blocks": self.blocks,
            "models": self.models.iter().map(model_json).collect::<Vec<Value>>(),
            "sources": sources.map(source_json).collect::<Vec<Value>>(),
            "warnings": warnings,
        });
        if let (Some(sizes), Some(value)) = (&self.sizes, value.as_object_mut()) {
            value.insert("sizes".to_owned(), self.sizes_json(sizes));
        }
        value
    }

    fn sizes_json(&self, sizes: &Sizes) -> Value {
        let columns = sizes.columns.iter().map(|(name, column)| {
            let bytes = json!({
                "blocks_bytes": column.blocks_bytes,
                "tables_bytes": column.tables_bytes,
            });
            (name.clone(), bytes)
        });
        json!({
            "columns": columns.collect::<serde_json::Map<String, Value>>(),
            "tables": sizes.tables,
            "tunings": sizes.tunings.iter().map(tuning_json).collect::<Vec<Value>>(),
            "frames": sizes.frames.parts(),
            "plies": sizes.plies,
            "patched_games": sizes.patched,
            "partly_verbatim_games": by_reason(&sizes.rests),
        })
    }
}

/// A line of the table of sizes, in bytes.
struct Row {
    name: String,
    blocks: u64,
    tables: u64,
}

impl Row {
    fn bytes(&self) -> u64 {
        self.blocks.saturating_add(self.tables)
    }
}

/// Names longer than this are cut in the table of sizes.
const NAME_WIDTH: usize = 25;

fn version() -> String {
    let (major, minor) = FORMAT_VERSION;
    format!("{major}.{minor}")
}

fn exact_size(bytes: u64) -> String {
    format!("{} ({} bytes)", size(bytes), grouped(bytes))
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A line a source.
fn sources_text(sources: &[Source]) -> String {
    let mut out = format!("\n{:>12}{:>18}  {:<64}  name\n", "games", "bytes", "BLAKE3");
    for source in sources {
        out.push_str(&format!(
            "{:>12}{:>18}  {}  {}\n",
            grouped(source.games),
            grouped(source.bytes),
            hex(&source.digest),
            printable(&source.name).collect::<String>()
        ));
    }
    out
}

fn source_json(source: &Source) -> Value {
    json!({
        "name": source.name,
        "games": source.games,
        "records": source.records,
        "bytes": source.bytes,
        "blake3": hex(&source.digest),
    })
}

fn model_json(model: &ModelId) -> Value {
    json!({
        "number": model.number,
        "level": model.level(),
        "blake3": hex(&model.digest),
    })
}

/// What segments add to a model, in a line.
fn tuning_text(model: Shipped, size: &TuningSize) -> String {
    format!(
        "model {} ({}) tuned in {}: {} of sharpness, {} of openings, {}\n",
        model.number(),
        model.level(),
        count(size.segments, "segment"),
        count(size.parts.terms, "term"),
        count(size.parts.positions, "position"),
        count(size.parts.regulars, "regular player"),
    )
}

fn tuning_json((model, size): (&Shipped, &TuningSize)) -> Value {
    json!({
        "model": model.number(),
        "segments": size.segments,
        "sharpness_terms": size.parts.terms,
        "book_positions": size.parts.positions,
        "regular_players": size.parts.regulars,
    })
}

fn by_reason(rests: &BTreeMap<Rest, u64>) -> Value {
    let reasons = rests
        .iter()
        .map(|(rest, games)| (rest.describe().to_owned(), json!(games)));
    Value::Object(reasons.collect())
}
