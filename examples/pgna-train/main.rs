//! Trains the move model and reports its cost.
//!
//!     cargo run --release --example pgna-train -- \
//!         train|finish|test|tune|check LEVEL WEIGHTS GAMES PASSES FILE.pgn[*TIMES]…
//!
//! LEVEL is fast, default or max. The first GAMES games of each file are read (0: all). `train`
//! trains PASSES times on the training part of each file, which is repeated TIMES in each pass, and
//! writes the file WEIGHTS; the other verbs read it. `finish` repeats the last steps of `train`:
//! with the weights rounded, it fits the outputs of the network again, fits the softmax temperature
//! of the model to the validation part, and writes the file. `train`, `finish` and `test` print the
//! cost of the model on each part of each file. `tune` prints what segments of these files would
//! gain by an adaptation of the model. `check` compares the move generator of the model's board
//! with the rules, whatever the level.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "floats and trusted indexes: nothing here reads archives or writes the format"
)]

mod check;
mod games;
mod report;
mod tune;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use games::{DataSplit, TrainingSet};
use pgna::internals::model::{Default, Fast, Level, Max, Weights};
use pgna::internals::train::{NetLearner, SEED, fit_outputs};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [verb, level, weights, most, passes, files @ ..] = args.as_slice() else {
        return Err(
            "usage: pgna-train train|finish|test|tune|check LEVEL WEIGHTS GAMES PASSES FILE.pgn[*TIMES]…"
                .into(),
        );
    };
    let mut games = TrainingSet::default();
    for file in files {
        let (path, times) = file.rsplit_once('*').unwrap_or((file, "1"));
        games.read(Path::new(path), most.parse()?, times.parse()?)?;
    }
    games.drop_shared_openings();
    let passes = passes.parse()?;
    let weights = Path::new(weights);
    match level.as_str() {
        "fast" => run::<Fast, { Fast::UNITS }, { Fast::MOVE_UNITS }>(verb, weights, &games, passes),
        "default" => run::<Default, { Default::UNITS }, { Default::MOVE_UNITS }>(
            verb, weights, &games, passes,
        ),
        "max" => run::<Max, { Max::UNITS }, { Max::MOVE_UNITS }>(verb, weights, &games, passes),
        _ => Err(format!("no level {level}").into()),
    }
}

fn run<L: Level, const H: usize, const K: usize>(
    verb: &str,
    file: &Path,
    games: &TrainingSet,
    passes: u64,
) -> Result<(), Box<dyn Error>> {
    let mut weights = match verb {
        "check" => {
            check::print(games);
            return Ok(());
        }
        "train" => train::<L, H, K>(games, passes),
        "finish" | "test" | "tune" => Weights::from_bytes(std::fs::read(file)?.leak())?,
        _ => return Err(format!("no verb {verb}").into()),
    };
    if verb == "tune" {
        tune::print(games, &mut weights);
        return Ok(());
    }
    if ["train", "finish"].contains(&verb) {
        // To the validation part: outputs fitted to the training part cost 0.002 bits a ply.
        let sample = tune::sample(games, tune::OUTPUT_PLIES);
        fit_outputs(&mut weights, &sample, OUTPUT_PASSES);
        // Fails if a reader would refuse the weights.
        Weights::<L, H, K>::from_bytes(weights.to_bytes().leak())?;
        tune::fit_temperature(games, &mut weights);
        std::fs::write(file, weights.to_bytes())?;
    }
    report::print(games, &weights);
    Ok(())
}

/// The number of passes over the sample on which outputs are fitted again.
const OUTPUT_PASSES: u64 = 3;

/// Trains on the training part, with another order in each pass.
fn train<L: Level, const H: usize, const K: usize>(
    games: &TrainingSet,
    passes: u64,
) -> Weights<L, H, K> {
    let mut learner = NetLearner::<L, H, K>::new(SEED);
    let start = Instant::now();
    let (mut done, mut plies) = (0, 0);
    for pass in 0..passes {
        let order = games.shuffled(DataSplit::Train, SEED + pass);
        let (mut seen, mut bits) = (0, 0.0);
        for game in &order {
            let progress = done as f32 / (order.len() as f32 * passes as f32);
            let (learned, cost) = learner.learn(game, progress);
            (seen, bits) = (seen + learned, bits + cost);
            done += 1;
        }
        plies += seen;
        println!(
            "pass {pass}: {:.4} bits a ply, before each was learned",
            bits / f64::from(seen.max(1))
        );
    }
    let micros = start.elapsed().as_micros() as f64 / f64::from(plies.max(1));
    println!("{done} games, {plies} plies, {micros:.2} µs a ply");
    learner.weights()
}
