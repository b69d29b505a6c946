//! Fitting temperature terms to games.

use super::super::super::follower::{Follower, ScoredMoves};
use super::super::super::groups::Level;
use super::super::super::probabilities::frequency;
use super::super::super::weights::Weights;
use super::super::{GameAdaptation, SampleGame, sampled};
use super::bucket::{FIRST, TERMS, TemperatureBuckets};
use super::{BOUNDS, BYTES, Temperature, bounded};
use crate::codec::log::{BIT, log};
use crate::parallel;

/// The number of possible inverse temperatures.
const TEMPERATURES: usize = (BOUNDS.1 - BOUNDS.0 + 1) as usize;

/// The range of a term.
const VALUES: std::ops::RangeInclusive<i8> = -8..=7;

/// The minimum gain for each step of a term away from 0, in 1/1024 bit. It
/// prevents fitting noise.
const STEP: u64 = 3 * BIT as u64;

/// The number of passes over all terms.
const ROUNDS: usize = 3;

impl Temperature {
    /// Fits terms to the sampled games. Returns the neutral terms unless the
    /// savings, extrapolated to all games, exceed the size of the terms.
    pub fn of<L: Level, const H: usize, const K: usize>(
        weights: &Weights<L, H, K>,
        games: &[SampleGame<'_>],
    ) -> Self {
        let plies = games.iter().map(SampleGame::length).sum();
        let samples = parallel::map(sampled(games), |game| samples_of_game(weights, game));
        let fit = TemperatureFit {
            samples: samples.into_iter().flatten().collect(),
        };
        fit.finish(plies)
    }
}

/// The costs of a ply at each inverse temperature.
#[derive(Debug, Clone)]
struct Sample {
    cell: TemperatureBuckets,
    /// The sum of the model's own terms.
    own: i32,
    /// In 1/1024 bit.
    costs: [u16; TEMPERATURES],
}

/// Fits terms to games.
#[derive(Debug, Clone, Default)]
struct TemperatureFit {
    samples: Vec<Sample>,
}

/// The samples of a game, up to the first illegal ply. Plies with only one legal
/// move give none.
fn samples_of_game<L: Level, const H: usize, const K: usize>(
    weights: &Weights<L, H, K>,
    game: &SampleGame<'_>,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    let follower = Follower::new(weights, game.start, game.context, GameAdaptation::NONE);
    let Some(mut follower) = follower else {
        return samples;
    };
    for ply in game.plies {
        let see = |chance: &mut ScoredMoves, number| {
            samples.push(Sample {
                cell: chance.cell,
                own: weights.temperature.sum(chance.cell),
                costs: costs(chance, number),
            });
        };
        if follower.follow(*ply, see).is_none() {
            break;
        }
    }
    samples
}

impl TemperatureFit {
    /// The best terms for the samples. Returns the neutral terms unless the
    /// savings, extrapolated to this number of plies, exceed the size of the
    /// terms.
    fn finish(&self, plies: u64) -> Temperature {
        let mut terms = Temperature::NEUTRAL;
        for _ in 0..ROUNDS {
            for kind in 0..FIRST.len() {
                self.improve(&mut terms, kind);
            }
        }
        let steps: u64 = terms.terms.iter().map(|term| steps(*term)).sum();
        let gain = self
            .cost(&Temperature::NEUTRAL)
            .saturating_sub(self.cost(&terms));
        let gain = gain.saturating_sub(steps * STEP);
        let gain = u128::from(gain) * u128::from(plies);
        let price = BYTES as u128 * 8 * u128::from(BIT) * self.samples.len() as u128;
        if gain > price {
            terms
        } else {
            Temperature::NEUTRAL
        }
    }

    fn cost(&self, terms: &Temperature) -> u64 {
        let costs = self.samples.iter();
        costs
            .map(|sample| sample.cost(terms.sum(sample.cell)))
            .sum()
    }

    /// Finds the best terms of a kind, with all others fixed.
    fn improve(&self, terms: &mut Temperature, kind: usize) {
        let end = |kind| FIRST.get(kind).copied().unwrap_or(TERMS);
        let of_kind = end(kind)..end(kind + 1);
        let mut others = *terms;
        for term in others.terms.get_mut(of_kind.clone()).unwrap_or_default() {
            *term = 0;
        }
        let mut costs = [[0u64; VALUES.end().abs_diff(*VALUES.start()) as usize + 1]; TERMS];
        for sample in &self.samples {
            let others = others.sum(sample.cell);
            let term = sample.cell.terms().get(kind).copied();
            let Some(costs) = term.and_then(|term| costs.get_mut(term)) else {
                continue;
            };
            for (cost, value) in costs.iter_mut().zip(VALUES) {
                *cost += sample.cost(others + i32::from(value));
            }
        }
        let found = terms.terms.iter_mut().zip(&costs);
        for (term, costs) in found.skip(of_kind.start).take(of_kind.len()) {
            let price = |(cost, value): &(&u64, i8)| (**cost + steps(*value) * STEP, steps(*value));
            let best = costs.iter().zip(VALUES).min_by_key(price);
            *term = best.map_or(0, |(_, value)| value);
        }
    }
}

impl Sample {
    /// The cost of the ply if the terms of the segment sum to `sum`, in 1/1024
    /// bit.
    fn cost(&self, sum: i32) -> u64 {
        let grade = bounded(self.own + sum) - BOUNDS.0;
        self.costs.get(grade as usize).copied().map_or(0, u64::from)
    }
}

fn steps(term: i8) -> u64 {
    term.unsigned_abs().into()
}

/// The cost of the move with this number at each inverse temperature, in 1/1024
/// bit.
fn costs(chance: &ScoredMoves, number: usize) -> [u16; TEMPERATURES] {
    let mut costs = [0; TEMPERATURES];
    for (cost, inverse) in costs.iter_mut().zip(BOUNDS.0..) {
        let (mut total, mut own) = (0, 0);
        for (at, below) in chance.scores.distances().enumerate() {
            let frequency = frequency(below, inverse);
            total += frequency;
            if at == number {
                own = frequency;
            }
        }
        // Both are below 2^30, so the difference is less than 30 bits.
        *cost = u16::try_from(log(total).abs_diff(log(own))).unwrap_or(u16::MAX);
    }
    costs
}
