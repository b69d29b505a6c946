//! Writes the games that match a filter to another archive.
//!
//!     cargo run --release --example select -- games.pgna 'White ~ carlsen' carlsen.pgna

use pgna::{Archive, FileWriter, JoinedReader, Limits, PackOptions, Query};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [from, filter, to] = &args[..] else {
        return Err("usage: select ARCHIVE FILTER NEW-ARCHIVE".into());
    };
    let archive = Archive::map(Path::new(from), Limits::default())?;
    let query = Query {
        filter: Some(filter.parse()?),
        ..Query::default()
    };
    let hits = archive.query(&query)?.map(|hit| hit.map(|hit| hit.number));
    let chosen: BTreeSet<u64> = hits.collect::<Result<_, _>>()?;

    let mut text = JoinedReader::new(archive.parts(|game| chosen.contains(&game)));
    let mut writer = FileWriter::create(Path::new(to), PackOptions::default())?;
    if let Err(error) = writer.add_source("selected.pgn", &mut text) {
        // The reason may be damage in the first archive.
        return Err(text.take_error().unwrap_or(error).into());
    }
    println!("{} games", writer.finish(false)?.games);
    Ok(())
}
