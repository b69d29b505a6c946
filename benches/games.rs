//! Fidelity of the layouts on real collections. (For the move codecs see `pgna
//! compare`, for single reads the bench `lookups`.)
//!
//!     cargo bench --bench games [-- NAME…]
//!
//! Corpora are found as by `cargo bench --bench corpora`.

#[path = "corpora/each.rs"]
mod each;
#[path = "corpora/inputs.rs"]
mod inputs;

use anyhow::Result;
use pgna::{Archive, FileWriter, Indexes, Limits, PackOptions, PackReport};
use std::path::Path;

fn main() -> Result<()> {
    each::each(|corpus, archive| {
        let text = std::fs::read(&corpus.path)?;
        fidelity(&pack(&text, archive)?, archive)
    })
}

fn pack(text: &[u8], to: &Path) -> Result<PackReport> {
    let options = PackOptions {
        indexes: Indexes::None,
        ..PackOptions::default()
    };
    let mut file = FileWriter::create(to, options)?;
    file.add_source("corpus.pgn", text)?;
    Ok(file.finish(true)?)
}

/// Prints the share of games whose text the layout reproduces without a patch,
/// and the size of the text data other than tags, moves and comments.
fn fidelity(report: &PackReport, archive: &Path) -> Result<()> {
    let archive = Archive::map(archive, Limits::default())?;
    let sizes = archive.sizes()?;
    let layouts = sizes.tables.get("layouts").copied().unwrap_or(0);
    let column = |name| sizes.columns.get(name).map_or(0, |size| size.blocks_bytes);
    let [ids, defaults, exceptions, patches] =
        ["layout", "default spelling", "spelling exceptions", "patch"].map(column);
    let bytes = layouts + ids + defaults + exceptions + patches;
    let partly: u64 = report.verbatim.values().sum();
    let exact = report.games.saturating_sub(partly + report.patched);
    println!(
        "  text: {} games, {:.3} % structure throughout, {:.3} % without a patch, {} patched; \
         partly verbatim: {partly}",
        report.games,
        percent(report.games - partly, report.games),
        percent(exact, report.games),
        report.patched,
    );
    for (rest, games) in &report.verbatim {
        println!("    {games} {}", rest.describe());
    }
    println!(
        "  layouts {layouts} B, layout IDs {ids} B, defaults {defaults} B, SAN exceptions {exceptions} B, \
         patches {patches} B: {:.3} B a game",
        ratio(bytes, report.games)
    );
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "figures for display")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * ratio(part, whole)
}
