//! Appends PGN files to an archive in place. Readers see the old state until the end.
//!
//!     cargo run --release --example append -- games.pgna week.pgn

use pgna::{Appender, Limits, PackOptions, safe_name};
use std::error::Error;
use std::fs::File;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let archive = paths.next().ok_or("usage: append ARCHIVE PGN…")?;
    let mut appender = Appender::open(&archive, PackOptions::default(), Limits::default())?;
    for path in paths {
        let name = path.file_name().ok_or("not a file")?;
        appender.add_source(&safe_name(&name.to_string_lossy()), File::open(&path)?)?;
    }
    let report = appender.finish()?;
    println!("{} games appended", report.games);
    Ok(())
}
