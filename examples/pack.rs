//! Packs PGN files into a new archive.
//!
//!     cargo run --release --example pack -- games.pgna a.pgn b.pgn

use pgna::{FileWriter, PackOptions};
use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let archive = paths.next().ok_or("usage: pack ARCHIVE PGN…")?;
    let mut writer = FileWriter::create(&archive, PackOptions::default())?;
    for path in paths {
        writer.add_source(&name(&path)?, File::open(&path)?)?;
    }
    // An existing file of that name is not replaced.
    let report = writer.finish(false)?;
    println!("{} games, {} bytes of PGN", report.games, report.raw_bytes);
    Ok(())
}

/// The name under which a file is stored: what `unpack` writes it to.
fn name(path: &Path) -> Result<String, Box<dyn Error>> {
    let name = path.file_name().ok_or("not a file")?;
    Ok(pgna::safe_name(&name.to_string_lossy()))
}
