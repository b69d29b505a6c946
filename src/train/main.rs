//! Trains the move model.
//!
//!     cargo run --release --features train --bin pgna-train -- \
//!         LEVEL OUT GAMES FILE.pgn[*TIMES]…
//!
//! LEVEL is fast, default or max. Of each file the first GAMES games are read
//! (0: all); those of its training part are taken TIMES times. The weights go
//! to OUT; what they cost on each part of each file is printed.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "floats and trusted indexes: nothing here reads archives or writes the format"
)]

mod adagrad;
mod games;
mod learner;
mod record;
mod report;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use games::{Games, Part};
use learner::Learner;
use pgna::model::{Default, Fast, Level, Max};

/// Hidden units of every level's net.
const UNITS: usize = 128;

/// Where the random numbers begin: training is the same every time.
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [level, out, most, files @ ..] = args.as_slice() else {
        return Err("usage: pgna-train LEVEL OUT GAMES FILE.pgn[*TIMES]…".into());
    };
    let mut games = Games::default();
    for file in files {
        let (path, times) = file.rsplit_once('*').unwrap_or((file, "1"));
        games.read(Path::new(path), most.parse()?, times.parse()?)?;
    }
    games.part();
    let bytes = match level.as_str() {
        "fast" => train::<Fast>(&games),
        "default" => train::<Default>(&games),
        "max" => train::<Max>(&games),
        _ => return Err(format!("no level {level}").into()),
    };
    std::fs::write(out, bytes)?;
    Ok(())
}

/// Trains one pass over the training part, and tells what came of it.
fn train<L: Level>(games: &Games) -> Vec<u8> {
    let order = games.shuffled(Part::Train, SEED);
    let mut learner = Learner::<L, UNITS>::new(SEED);
    let (start, mut plies) = (Instant::now(), 0);
    for (number, game) in order.iter().enumerate() {
        let progress = number as f32 / order.len() as f32;
        plies += learner.learn(game, progress);
    }
    let micros = start.elapsed().as_micros() as f64 / f64::from(plies.max(1));
    println!("{} games, {plies} plies, {micros:.2} µs a ply", order.len());
    let weights = learner.weights();
    report::print(games, &weights);
    weights.to_bytes()
}
