//! Prints one game of an archive: its players, its moves and its last position.
//!
//!     cargo run --release --example game -- games.pgna 7

use pgna::{Archive, Limits};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().map(PathBuf::from);
    let path = path.ok_or("usage: game ARCHIVE NUMBER")?;
    let number = arguments
        .next()
        .and_then(|number| number.into_string().ok());
    let number = number.as_deref().unwrap_or("1").parse()?;

    // The file is memory-mapped; only the block of this game is decoded.
    let archive = Archive::map(&path, Limits::default())?;
    let game = archive.game(number)?;
    let tag = |name: &[u8]| String::from_utf8_lossy(game.tag(name).unwrap_or(b"?")).into_owned();
    println!("{} – {}", tag(b"White"), tag(b"Black"));
    println!("{}", game.main_line().collect::<Vec<_>>().join(" "));
    match game.position(game.plies().len()) {
        Some(position) => println!("{}", position.fen()),
        None => println!("the start position is not legal"),
    }
    Ok(())
}
