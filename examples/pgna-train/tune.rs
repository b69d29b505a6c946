//! The adaptation of a model to segments, and the model's own softmax
//! temperature.

use std::time::Instant;

use super::games::{DataSplit, TrainingSet};
use super::report::encode;
use pgna::internals::model::{Adaptation, Level, Temperature, Weights};
use pgna::internals::train::TrainingLine;

/// The approximate number of plies of each collection to which a model's own
/// terms are fitted.
const TEMPERATURE_PLIES: usize = 50_000;

/// The approximate number of plies of each collection to which the outputs are
/// fitted.
pub(crate) const OUTPUT_PLIES: usize = 400_000;

/// Fits the softmax temperature of the model to the validation part.
pub(crate) fn fit_temperature<L: Level, const H: usize, const K: usize>(
    games: &TrainingSet,
    weights: &mut Weights<L, H, K>,
) {
    weights.temperature = Temperature::NEUTRAL;
    let sample: Vec<_> = sample(games, TEMPERATURE_PLIES)
        .into_iter()
        .map(TrainingLine::sample)
        .collect();
    weights.temperature = Temperature::of(weights, &sample);
}

/// Games of the validation part, with about `most` plies of each collection, if it
/// has as many.
pub(crate) fn sample(games: &TrainingSet, max_plies: usize) -> Vec<&TrainingLine> {
    let mut sample = Vec::new();
    for collection in 0..games.collections.len() {
        let lines: Vec<_> = games.of(DataSplit::Tune, collection).collect();
        let stride = plies(&lines).div_ceil(max_plies).max(1);
        sample.extend(lines.into_iter().step_by(stride));
    }
    sample
}

/// Prints for each collection: bits per ply without temperature terms and with
/// those of the model; the gain on the test part of an adaptation to the adaptation
/// part; and for the adaptation that a segment of all its games would have, its
/// gain, its bytes, and its net saving per game.
pub(crate) fn print<L: Level, const H: usize, const K: usize>(
    games: &TrainingSet,
    weights: &mut Weights<L, H, K>,
) {
    println!("                            bits a ply      tune→test  segment: gain");
    println!(
        "collection            games   plain   model    of model  of model  bytes B/game  fit s"
    );
    for (collection, (name, _)) in games.collections.iter().enumerate() {
        let lines: Vec<_> = games.all_of(collection).collect();
        let part = |part| games.of(part, collection).collect::<Vec<_>>();
        let (tune, test) = (part(DataSplit::Tune), part(DataSplit::Test));
        let none = &Adaptation::default();
        let own = std::mem::take(&mut weights.temperature);
        let plain = bits(&lines, weights, none);
        weights.temperature = own;
        let weights = &*weights;
        let before = bits(&lines, weights, none);
        let start = Instant::now();
        let segment = fit(&lines, weights);
        let seconds = start.elapsed().as_secs_f64();
        let gain = before - bits(&lines, weights, &segment);
        let held_out = bits(&test, weights, none) - bits(&test, weights, &fit(&tune, weights));
        let bytes = segment.to_bytes().len();
        let saved = gain * plies(&lines) as f64 / 8.0 - bytes as f64;
        println!(
            "{name:20} {:6} {plain:7.4} {before:7.4} {held_out:11.4} {gain:9.4} {bytes:6} {:6.3} {seconds:6.2}",
            lines.len(),
            saved / lines.len().max(1) as f64,
        );
    }
}

/// The cost of lines in bits per ply.
fn bits<L: Level, const H: usize, const K: usize>(
    lines: &[&TrainingLine],
    weights: &Weights<L, H, K>,
    adaptation: &Adaptation,
) -> f64 {
    8.0 * encode(lines, weights, adaptation).len() as f64 / plies(lines).max(1) as f64
}

/// The adaptation for a segment of these lines.
fn fit<L: Level, const H: usize, const K: usize>(
    lines: &[&TrainingLine],
    weights: &Weights<L, H, K>,
) -> Adaptation {
    let games: Vec<_> = lines.iter().copied().map(TrainingLine::sample).collect();
    Adaptation::fit(weights, &games)
}

fn plies(lines: &[&TrainingLine]) -> usize {
    lines.iter().map(|line| line.plies.len()).sum()
}
