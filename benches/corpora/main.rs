//! Sizes, times and memory on real collections, beside the strongest general
//! compressors.
//!
//!     cargo bench --bench corpora [-- [--json] [--threads N] [--no-peers] NAME…]
//!
//! The corpora are the `*.pgn` and `*.pgn.zst` files of the folder that
//! `PGNA_CORPORA` names, or of `../shared/corpora`; without any, the sample
//! collection `tests/data` is taken as one. `NAME` picks corpora by a part of
//! their name. `xz`, `zstd` and `bzip2` are run from the path; one that is
//! missing prints `n/a`. All run with one thread unless `--threads` gives
//! `pgna` more.

mod inputs;
mod measure;
mod table;

use anyhow::{Context, Result, bail};

use crate::measure::Row;

/// What the command line asks for.
#[derive(Default)]
struct Options {
    json: bool,
    threads: Option<u32>,
    no_peers: bool,
    names: Vec<String>,
}

fn options() -> Result<Options> {
    let mut options = Options::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            // What cargo adds by itself.
            "--bench" => {}
            "--json" => options.json = true,
            "--no-peers" => options.no_peers = true,
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
    let mut rows: Vec<Row> = Vec::new();
    for source in inputs::sources(&options.names)? {
        eprintln!("{} …", source.name);
        let corpus = source.prepare(folder.path())?;
        let threads = options.threads.unwrap_or(1);
        rows.push(measure::row(
            &corpus,
            folder.path(),
            threads,
            !options.no_peers,
        )?);
    }
    if options.json {
        println!("{}", serde_json::to_string_pretty(&table::json(&rows))?);
    } else {
        print!("{}", table::text(&rows));
    }
    Ok(())
}
