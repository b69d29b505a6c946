//! Finds the games of an archive that pass a filter and, if a FEN is given, have this
//! position in their main line.
//!
//!     cargo run --release --example query -- games.pgna 'White ~ carlsen and plies < 60'
//!     cargo run --release --example query -- games.pgna 'Date >= 2000' '8/8/…'

use pgna::{Archive, Limits, PositionTest, Query};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, filter, fen) = match &arguments[..] {
        [path, filter] => (path, filter, None),
        [path, filter, fen] => (path, filter, Some(fen)),
        _ => return Err("usage: query ARCHIVE FILTER [FEN]".into()),
    };
    let archive = Archive::map(path.as_ref(), Limits::default())?;
    let mut query = Query {
        filter: Some(filter.parse()?),
        ..Query::default()
    };
    if let Some(fen) = fen {
        query.positions.push(PositionTest::exact(fen)?);
    }
    for hit in archive.query(&query)? {
        let head = archive.head(hit?.number)?;
        let tag = |name: &[u8]| {
            let found = head.tags.iter().find(|(found, _)| found == name);
            found.map_or("?".into(), |(_, value)| String::from_utf8_lossy(value))
        };
        println!("{}: {} – {}", head.number, tag(b"White"), tag(b"Black"));
    }
    Ok(())
}
