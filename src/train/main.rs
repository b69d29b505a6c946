//! Trains the move model, and tells what it costs.
//!
//!     cargo run --release --features train --bin pgna-train -- \
//!         train|test|check LEVEL WEIGHTS GAMES FILE.pgn[*TIMES]…
//!
//! LEVEL is fast, default or max. Of each file the first GAMES games are read
//! (0: all). `train` takes those of the training part of each file TIMES times
//! and writes the file WEIGHTS; `test` reads it. Both print what the model costs
//! on each part of each file. `check` compares the moves of the model's board
//! with those of the rules, whatever the level.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "floats and trusted indexes: nothing here reads archives or writes the format"
)]

mod adagrad;
mod check;
mod games;
mod learner;
mod record;
mod report;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use games::{Games, Part};
use learner::Learner;
use pgna::model::{Default, Fast, Level, Max, Weights};

/// Hidden units of every level's net.
const UNITS: usize = 128;

/// Where the random numbers begin: training is the same every time.
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [verb, level, weights, most, files @ ..] = args.as_slice() else {
        return Err(
            "usage: pgna-train train|test|check LEVEL WEIGHTS GAMES FILE.pgn[*TIMES]…".into(),
        );
    };
    let mut games = Games::default();
    for file in files {
        let (path, times) = file.rsplit_once('*').unwrap_or((file, "1"));
        games.read(Path::new(path), most.parse()?, times.parse()?)?;
    }
    games.part();
    let weights = Path::new(weights);
    match level.as_str() {
        "fast" => run::<Fast>(verb, weights, &games),
        "default" => run::<Default>(verb, weights, &games),
        "max" => run::<Max>(verb, weights, &games),
        _ => Err(format!("no level {level}").into()),
    }
}

fn run<L: Level>(verb: &str, file: &Path, games: &Games) -> Result<(), Box<dyn Error>> {
    let weights = match verb {
        "check" => {
            check::print(games);
            return Ok(());
        }
        "train" => train::<L>(games),
        "test" => Weights::from_bytes(&std::fs::read(file)?)?,
        _ => return Err(format!("no verb {verb}").into()),
    };
    report::print(games, &weights);
    if verb == "train" {
        std::fs::write(file, weights.to_bytes())?;
    }
    Ok(())
}

/// Trains one pass over the training part.
fn train<L: Level>(games: &Games) -> Weights<L, UNITS> {
    let order = games.shuffled(Part::Train, SEED);
    let mut learner = Learner::<L, UNITS>::new(SEED);
    let (start, mut plies) = (Instant::now(), 0);
    for (number, game) in order.iter().enumerate() {
        let progress = number as f32 / order.len() as f32;
        plies += learner.learn(game, progress);
    }
    let micros = start.elapsed().as_micros() as f64 / f64::from(plies.max(1));
    println!("{} games, {plies} plies, {micros:.2} µs a ply", order.len());
    learner.weights()
}
