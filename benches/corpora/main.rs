//! Sizes, times and memory on real collections, compared with the strongest
//! general-purpose compressors.
//!
//!     cargo bench --bench corpora [-- [--json] [--threads N] [--no-peers]
//! [--large] NAME…]
//!
//! The corpora are the `*.pgn` and `*.pgn.zst` files of the folder
//! `PGNA_CORPORA`, by default `../shared/corpora`; if there are none, the
//! sample collection `tests/data` is used as one. `NAME` selects corpora by a
//! part of their name. With `--large`, single games of great size are generated
//! and used instead. `xz`, `zstd` and `bzip2` are found by the search path; one
//! that is missing prints `n/a`. All run with one thread unless `--threads`
//! gives `pgna` more.

mod inputs;
mod large;
mod measure;
mod table;

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::inputs::Corpus;
use crate::measure::Row;

/// The command-line options.
#[derive(Default)]
struct Options {
    json: bool,
    threads: Option<u32>,
    no_peers: bool,
    large: bool,
    names: Vec<String>,
}

fn options() -> Result<Options> {
    let mut options = Options::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            // Added by cargo.
            "--bench" => {}
            "--json" => options.json = true,
            "--no-peers" => options.no_peers = true,
            "--large" => options.large = true,
            "--threads" => {
                let count = args.next().context("--threads needs a number")?;
                options.threads = Some(count.parse().context("--threads needs a number")?);
            }
            _ if arg.starts_with('-') => bail!("unknown option {arg}"),
            _ => options.names.push(arg),
        }
    }
    Ok(options)
}

fn main() -> Result<()> {
    let options = options()?;
    let folder = tempfile::tempdir()?;
    let rows = if options.large {
        large_rows(&options, folder.path())?
    } else {
        corpus_rows(&options, folder.path())?
    };
    if options.json {
        println!("{}", serde_json::to_string_pretty(&table::json(&rows))?);
    } else {
        print!("{}", table::text(&rows));
    }
    Ok(())
}

fn corpus_rows(options: &Options, folder: &Path) -> Result<Vec<Row>> {
    let sources = inputs::sources(&options.names)?;
    let row = |source: inputs::Source| row(&source.prepare(folder)?, options, folder);
    sources.into_iter().map(row).collect()
}

fn large_rows(options: &Options, folder: &Path) -> Result<Vec<Row>> {
    let row =
        |(name, text): &large::Game| row(&large::prepare(name, &text()?, folder)?, options, folder);
    large::GAMES.iter().map(row).collect()
}

fn row(corpus: &Corpus, options: &Options, folder: &Path) -> Result<Row> {
    eprintln!("{} …", corpus.name);
    let threads = options.threads.unwrap_or(1);
    measure::row(corpus, folder, threads, !options.no_peers)
}
