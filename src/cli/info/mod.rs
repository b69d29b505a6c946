//! `pgna info`.

pub(crate) mod args;
mod sizes;

use super::common::Common;
use super::errors::{Exit, Failure};
use super::figures::{count, grouped, ratio, size};
use super::open::{open, warn};
use super::output::Output;
use super::terminal::printable;
use crate::internals::archive::Sizes;
use crate::{Archive, FORMAT_VERSION, ModelId, Source, without_secrets};
use args::InfoArgs;
use serde_json::{Value, json};
use std::path::Path;

/// Shows what an archive contains.
pub(crate) fn run(args: &InfoArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = open(&args.archive, &args.reader)?;
    let failure = |error| Failure::archive(&args.archive, &error);
    let facts = ArchiveFacts {
        archive: &archive,
        bytes: archive.committed_bytes(),
        blocks: archive.blocks().map_err(failure)?,
        models: archive.models().map_err(failure)?,
        indexes: archive.index_bytes().map_err(failure)?,
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

/// The facts about an archive.
struct ArchiveFacts<'a> {
    archive: &'a Archive,
    /// Size of the archive in bytes.
    bytes: u64,
    blocks: u64,
    models: Vec<ModelId>,
    /// Bytes of the indexes, by name.
    indexes: Vec<(&'static str, u64)>,
    sizes: Option<Sizes>,
}

impl ArchiveFacts<'_> {
    fn text(&self, path: &Path) -> String {
        let totals = self.archive.totals();
        let mut out = format!("{}\n", without_secrets(&path.to_string_lossy()));
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
            ("indexes", self.indexes_text()),
        ] {
            out.push_str(&format!("  {name:<11} {value}\n"));
        }
        out.push_str(&sources_text(self.archive.sources()));
        if let Some(sizes) = &self.sizes {
            out.push_str(&sizes::text(sizes, self.bytes, totals.games));
        }
        out
    }

    fn other_text(&self) -> String {
        let totals = self.archive.totals();
        match totals.records.saturating_sub(totals.games) {
            1 => "1 record that is not a game".to_owned(),
            records => count(records, "record") + " that are not games",
        }
    }

    /// The models that are needed to read the games: the level, or the digest.
    fn models_text(&self) -> String {
        let model = |model: &ModelId| {
            let level = model.level().map(str::to_owned);
            level.unwrap_or_else(|| match self.archive.model(*model) {
                Ok(own) => format!("its own of level {} ({model})", own.level()),
                Err(_) => format!("{model} (missing)"),
            })
        };
        match self.models.iter().map(model).collect::<Vec<_>>() {
            none if none.is_empty() => "none".to_owned(),
            models => models.join(", "),
        }
    }

    /// The indexes that exist, and their size per game.
    fn indexes_text(&self) -> String {
        let games = self.archive.totals().games;
        let index = |(name, bytes): &(&str, u64)| {
            let per_game = ratio(*bytes, games);
            (*bytes > 0).then(|| format!("{name} {per_game:.1} B/game"))
        };
        match self.indexes.iter().filter_map(index).collect::<Vec<_>>() {
            none if none.is_empty() => "none".to_owned(),
            indexes => indexes.join(", "),
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

    fn json(&self, path: &Path) -> Value {
        let totals = self.archive.totals();
        let warnings = self.archive.warnings();
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let sources = self.archive.sources().iter();
        let indexes = self.indexes.iter();
        let indexes = indexes.map(|(name, bytes)| ((*name).to_owned(), json!(bytes)));
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
            "index_bytes": Value::Object(indexes.collect()),
            "sources": sources.map(source_json).collect::<Vec<Value>>(),
            "warnings": warnings,
        });
        if let (Some(sizes), Some(value)) = (&self.sizes, value.as_object_mut()) {
            value.insert("sizes".to_owned(), sizes::json(sizes));
        }
        value
    }
}

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

/// One line per source.
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
        "level": model.level(),
        "blake3": model.to_string(),
    })
}
