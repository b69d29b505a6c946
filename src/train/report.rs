//! What a model costs, by the real coder.

use std::time::Instant;

use crate::games::{Games, Line, Part};
use pgna::codec::range::Encoder;
use pgna::model::line::Follower;
use pgna::model::{Level, Weights};

/// Games of the training part that are counted: as a check, not a figure.
const TRAIN_GAMES: usize = 500;

/// Prints bits and time a ply for each part of each collection.
pub(crate) fn print<L: Level, const H: usize>(games: &Games, weights: &Weights<L, H>) {
    println!(
        "{:20} {:5} {:>7} {:>9} {:>7} {:>6}",
        "collection", "part", "games", "plies", "bits", "µs"
    );
    for (collection, (name, _)) in games.collections.iter().enumerate() {
        for part in Part::ALL {
            let most = if part == Part::Train {
                TRAIN_GAMES
            } else {
                usize::MAX
            };
            let lines: Vec<_> = games.of(part, collection).take(most).collect();
            let plies: usize = lines.iter().map(|line| line.plies.len()).sum();
            let start = Instant::now();
            let bits = 8 * encode(&lines, weights);
            let micros = start.elapsed().as_micros() as f64 / plies.max(1) as f64;
            let bits = bits as f64 / plies.max(1) as f64;
            let (games, part) = (lines.len(), format!("{part:?}").to_lowercase());
            println!("{name:20} {part:5} {games:7} {plies:9} {bits:7.4} {micros:6.2}");
        }
    }
}

/// The bytes of all lines in one stream, so that no ends count.
fn encode<L: Level, const H: usize>(lines: &[&Line], weights: &Weights<L, H>) -> usize {
    let mut encoder = Encoder::new();
    for line in lines {
        let Some(mut follower) = Follower::new(weights, &line.start, line.context) else {
            continue;
        };
        for ply in &line.plies {
            if follower.encode(*ply, &mut encoder).is_none() {
                eprintln!("not legal: {ply:?}");
            }
        }
    }
    encoder.finish().len()
}
