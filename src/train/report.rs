//! What a model costs, by the real coder.

use std::time::Instant;

use super::games::{Games, Line, Part};
use pgna::internals::codec::range::{Decoder, Encoder};
use pgna::internals::model::line::{self, Follower};
use pgna::internals::model::{Hints, Level, Tuning, Weights};

/// Games of the training part that are counted: as a check, not a figure.
const TRAIN_GAMES: usize = 500;

/// Prints for each part of each collection: bits a ply, all games in one stream,
/// so that no ends count; bytes a game in this way and in streams of their own,
/// and how far these are apart; time a ply. What is encoded is decoded again and
/// compared.
pub(crate) fn print<L: Level, const H: usize, const K: usize>(
    games: &Games,
    weights: &Weights<L, H, K>,
) {
    println!(
        "collection           part    games     plies    bits   B/game    alone apart encode decode (µs a ply)"
    );
    for (collection, (name, _)) in games.collections.iter().enumerate() {
        for part in Part::ALL {
            let most = match part {
                Part::Train => TRAIN_GAMES,
                Part::Tune | Part::Test => usize::MAX,
            };
            let lines: Vec<_> = games.of(part, collection).take(most).collect();
            let plies: usize = lines.iter().map(|line| line.plies.len()).sum();
            let a_ply = |sum: f64| sum / plies.max(1) as f64;
            let start = Instant::now();
            let bytes = encode(&lines, weights, &Tuning::default());
            let encoding = a_ply(start.elapsed().as_micros() as f64);
            let start = Instant::now();
            let verdict = match decode(&lines, weights, &bytes) {
                Some(()) => "",
                None => "  DECODES TO OTHER MOVES",
            };
            let decoding = a_ply(start.elapsed().as_micros() as f64);
            let bits = a_ply(8.0 * bytes.len() as f64);
            let a_game = |bytes: usize| bytes as f64 / lines.len().max(1) as f64;
            let (ideal, real) = (a_game(bytes.len()), a_game(alone(&lines, weights)));
            let (games, part) = (lines.len(), format!("{part:?}").to_lowercase());
            println!(
                "{name:20} {part:5} {games:7} {plies:9} {bits:7.4} {ideal:8.3} {real:8.3} {:5.3} {encoding:6.2} {decoding:6.2}{verdict}",
                real - ideal
            );
        }
    }
}

/// How many bytes all lines take in streams of their own.
fn alone<L: Level, const H: usize, const K: usize>(
    lines: &[&Line],
    weights: &Weights<L, H, K>,
) -> usize {
    let lines = lines.iter().map(|line| {
        let bytes = line::encode(weights, &line.start, &line.plies, line.context, Hints::NONE);
        bytes.map_or(0, |bytes| bytes.len())
    });
    lines.sum()
}

/// The bytes of all lines in one stream, so that no ends count.
pub(crate) fn encode<L: Level, const H: usize, const K: usize>(
    lines: &[&Line],
    weights: &Weights<L, H, K>,
    tuning: &Tuning,
) -> Vec<u8> {
    let mut encoder = Encoder::new();
    for line in lines {
        let Some(mut follower) = Follower::new(
            weights,
            &line.start,
            line.context,
            tuning.hints(&line.names[0], &line.names[1]),
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

/// None if the bytes are not those of the lines.
fn decode<L: Level, const H: usize, const K: usize>(
    lines: &[&Line],
    weights: &Weights<L, H, K>,
    bytes: &[u8],
) -> Option<()> {
    let mut decoder = Decoder::new(bytes);
    for line in lines {
        let mut follower = Follower::new(weights, &line.start, line.context, Hints::NONE)?;
        for ply in &line.plies {
            let decoded = follower.decode(&mut decoder).ok()??;
            (decoded == *ply).then_some(())?;
        }
    }
    decoder.finish().ok()
}
