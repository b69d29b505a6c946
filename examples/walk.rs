//! Walks through all games of an archive and counts first moves.
//!
//!     cargo run --release --example walk -- games.pgna

use pgna::{Archive, Game, Limits};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let archive = Archive::map(&path.ok_or("usage: walk ARCHIVE")?, Limits::default())?;
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for text in archive.texts() {
        match text {
            Ok(text) => {
                let game = Game::parse(&text);
                let first = game.main_line().next().unwrap_or("(no moves)");
                *counts.entry(first.to_owned()).or_default() += 1;
            }
            // A damaged block costs its games; the others are still read.
            Err(error) => eprintln!("{error}"),
        }
    }
    for (san, count) in counts {
        println!("{count:8} {san}");
    }
    Ok(())
}
