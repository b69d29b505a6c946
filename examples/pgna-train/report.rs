//! The cost of a model, measured with the range coder.

use std::time::Instant;

use super::games::{DataSplit, TrainingSet};
use pgna::internals::codec::range::{Decoder, Encoder};
use pgna::internals::model::{Adaptation, Follower, GameAdaptation, Level, Weights, line};
use pgna::internals::train::TrainingLine;

/// The number of games of the training part that are measured, as a check only.
const TRAIN_GAMES: usize = 500;

/// Prints for each part of each collection: bits per ply, with all games in one
/// stream, so that stream ends do not count; bytes per game in one stream and
/// in a stream each, and the difference of both; time per ply. The encoded
/// games are decoded again and compared.
pub(crate) fn print<L: Level, const H: usize, const K: usize>(
    games: &TrainingSet,
    weights: &Weights<L, H, K>,
) {
    println!(
        "collection           part    games     plies    bits   B/game    alone apart encode decode (µs a ply)"
    );
    for (collection, (name, _)) in games.collections.iter().enumerate() {
        for part in DataSplit::ALL {
            let most = match part {
                DataSplit::Train => TRAIN_GAMES,
                DataSplit::Tune | DataSplit::Test => usize::MAX,
            };
            let lines: Vec<_> = games.of(part, collection).take(most).collect();
            let plies: usize = lines.iter().map(|line| line.plies.len()).sum();
            let a_ply = |sum: f64| sum / plies.max(1) as f64;
            let start = Instant::now();
            let bytes = encode(&lines, weights, &Adaptation::default());
            let encoding = a_ply(start.elapsed().as_micros() as f64);
            let start = Instant::now();
            let verdict = match decode(&lines, weights, &bytes) {
                Some(()) => "",
                None => "  DECODES TO OTHER MOVES",
            };
            let decoding = a_ply(start.elapsed().as_micros() as f64);
            let bits = a_ply(8.0 * bytes.len() as f64);
            let a_game = |bytes: usize| bytes as f64 / lines.len().max(1) as f64;
            let (ideal, real) = (a_game(bytes.len()), a_game(separate_bytes(&lines, weights)));
            let (games, part) = (lines.len(), format!("{part:?}").to_lowercase());
            println!(
                "{name:20} {part:5} {games:7} {plies:9} {bits:7.4} {ideal:8.3} {real:8.3} {:5.3} {encoding:6.2} {decoding:6.2}{verdict}",
                real - ideal
            );
        }
    }
}

/// The number of bytes of all lines in a stream each.
fn separate_bytes<L: Level, const H: usize, const K: usize>(
    lines: &[&TrainingLine],
    weights: &Weights<L, H, K>,
) -> usize {
    let lines = lines.iter().map(|line| {
        let bytes = line::encode(
            weights,
            &line.start,
            &line.plies,
            line.context,
            GameAdaptation::NONE,
        );
        bytes.map_or(0, |bytes| bytes.len())
    });
    lines.sum()
}

/// All lines in one stream, so that stream ends do not count.
pub(crate) fn encode<L: Level, const H: usize, const K: usize>(
    lines: &[&TrainingLine],
    weights: &Weights<L, H, K>,
    adaptation: &Adaptation,
) -> Vec<u8> {
    let mut encoder = Encoder::new();
    for line in lines {
        let Some(mut follower) = Follower::new(
            weights,
            &line.start,
            line.context,
            adaptation.for_game(&line.names[0], &line.names[1]),
        ) else {
            continue;
        };
        for ply in &line.plies {
            if follower.encode(*ply, &mut encoder).is_none() {
                eprintln!("not legal: {ply:?}");
            }
        }
    }
    encoder.finish()
}

/// `None` if the bytes do not decode to the lines.
fn decode<L: Level, const H: usize, const K: usize>(
    lines: &[&TrainingLine],
    weights: &Weights<L, H, K>,
    bytes: &[u8],
) -> Option<()> {
    let mut decoder = Decoder::new(bytes);
    for line in lines {
        let mut follower = Follower::new(weights, &line.start, line.context, GameAdaptation::NONE)?;
        for ply in &line.plies {
            let decoded = follower.decode(&mut decoder).ok()??;
            (decoded == *ply).then_some(())?;
        }
    }
    decoder.finish().ok()
}
