//! Training: a conditional logit model with a small neural network, by gradient
//! descent.

use super::adagrad::{MIN_GRADIENT, Rate, TrainedWeights};
use super::line::{Random, TrainingLine};
use super::net::{TrainedNet, round};
use super::record::TrainingRecord;
use crate::model::net::{emit_inputs, piece_input};
use crate::model::{
    self, Baseline, Board, FeatureContext, Legal, Level, MoveHistory, emit_features,
};

const LINEAR: Rate = Rate {
    first_square: 1.0,
    rates: [0.1, 0.008],
};

/// A linear weight is stored in units of 1/32 nat.
const LINEAR_SCALE: f32 = 32.0;

/// A model in floats, for training.
#[derive(Debug)]
pub struct NetLearner<L, const H: usize, const K: usize> {
    linear: TrainedWeights,
    net: TrainedNet<H, K>,
    record: TrainingRecord,
    active_inputs: Vec<usize>,
    /// The score of each move in nats, then its gradient.
    scores: Vec<f32>,
    level: std::marker::PhantomData<L>,
}

impl<L: Level, const H: usize, const K: usize> NetLearner<L, H, K> {
    /// A model of small random weights.
    pub fn new(seed: u64) -> Self {
        NetLearner {
            linear: TrainedWeights::new(vec![0.0; L::WEIGHTS.count], LINEAR),
            net: TrainedNet::new(L::ROWS.count, &mut Random(seed)),
            record: TrainingRecord::default(),
            active_inputs: Vec::new(),
            scores: Vec::new(),
            level: std::marker::PhantomData,
        }
    }

    /// The model of integer weights, to fit the outputs of its network again.
    pub fn from_weights(weights: &model::Weights<L, H, K>) -> Self {
        Self::of(weights, LINEAR, TrainedNet::from_weights(&weights.net))
    }

    /// The model of integer weights, to train it further.
    pub(super) fn further(weights: &model::Weights<L, H, K>) -> Self {
        Self::of(weights, LINEAR.further(), TrainedNet::further(&weights.net))
    }

    fn of(weights: &model::Weights<L, H, K>, rate: Rate, net: TrainedNet<H, K>) -> Self {
        let linear = weights
            .linear
            .iter()
            .map(|weight| f32::from(*weight) / LINEAR_SCALE);
        NetLearner {
            linear: TrainedWeights::new(linear.collect(), rate),
            net,
            record: TrainingRecord::default(),
            active_inputs: Vec::new(),
            scores: Vec::new(),
            level: std::marker::PhantomData,
        }
    }

    /// Trains on the moves of a game; `progress` is the fraction of all
    /// training done. Returns the number of plies, and their cost in bits
    /// before they were trained on.
    pub fn learn(&mut self, line: &TrainingLine, progress: f32) -> (u32, f64) {
        self.walk(line, |learner, number| learner.step(number, progress))
    }

    /// The same, but trains only the outputs of the network.
    pub fn learn_outputs(&mut self, line: &TrainingLine, progress: f32) -> (u32, f64) {
        self.walk(line, |learner, number| {
            let bits = learner.compute_gradients(number);
            learner.net.step_outputs(&learner.scores, progress);
            bits
        })
    }

    fn walk(&mut self, line: &TrainingLine, step: impl Fn(&mut Self, usize) -> f32) -> (u32, f64) {
        let Some(mut board) = Board::new(&line.start) else {
            return (0, 0.0);
        };
        let mut history = MoveHistory::default();
        let (mut learned, mut bits) = (0, 0.0);
        for (ply, played) in (0..).zip(&line.plies) {
            let Some(m) = board.move_of_ply(*played) else {
                break;
            };
            let legal = Legal::new(&board);
            if legal.count > 1
                && let Some(number) = legal.moves().position(|legal| legal == m)
            {
                let features =
                    FeatureContext::new::<Baseline>(&board, &legal, &history, &line.context, ply);
                self.record.clear();
                emit_features::<L, _>(&features, &mut self.record);
                self.active_inputs.clear();
                self.active_inputs.extend(board.pieces().map(piece_input));
                emit_inputs(&features, |input| self.active_inputs.push(input));
                bits += f64::from(step(self, number));
            }
            learned += 1;
            let changes = board.play(m);
            history.push(m, &changes);
        }
        (learned, bits)
    }

    /// One step of gradient descent; `number` is the index of the recorded move
    /// that was played. Returns its cost in bits.
    fn step(&mut self, number: usize, progress: f32) -> f32 {
        let bits = self.compute_gradients(number);
        let (on, record) = (&self.active_inputs, &self.record);
        self.net.step(on, record, &self.scores, progress);
        self.step_linear(LINEAR.at(progress));
        bits
    }

    /// Computes the gradients of the moves' scores; returns the cost in bits of
    /// the move that was played.
    fn compute_gradients(&mut self, number: usize) -> f32 {
        self.add_linear();
        self.net
            .add(&self.active_inputs, &self.record, &mut self.scores);
        softmax(&mut self.scores);
        let bits = -self.scores[number].log2();
        self.scores[number] -= 1.0;
        bits
    }

    /// Sets the scores to the sums of the linear weights of each move.
    fn add_linear(&mut self) {
        let (record, linear) = (&self.record, &self.linear.values);
        let sum = |weights: &[usize]| weights.iter().map(|weight| linear[*weight]).sum::<f32>();
        let of_moves = record.moves.iter().map(|m| {
            let piece = &record.pieces[m.piece];
            sum(&record.weights[piece.weights.clone()]) + sum(&record.weights[m.weights.clone()])
        });
        self.scores.clear();
        self.scores.extend(of_moves);
    }

    fn step_linear(&mut self, rate: f32) {
        let record = &self.record;
        let mut of_pieces = vec![0.0; record.pieces.len()];
        for (m, gradient) in record.moves.iter().zip(&self.scores) {
            of_pieces[m.piece] += gradient;
            if gradient.abs() >= MIN_GRADIENT {
                for weight in &record.weights[m.weights.clone()] {
                    self.linear.step(*weight, *gradient, rate);
                }
            }
        }
        for (piece, gradient) in record.pieces.iter().zip(of_pieces) {
            if gradient.abs() >= MIN_GRADIENT {
                for weight in &record.weights[piece.weights.clone()] {
                    self.linear.step(*weight, gradient, rate);
                }
            }
        }
    }

    /// Writes the outputs of the network as integers.
    pub fn write_outputs(&self, weights: &mut model::Weights<L, H, K>) {
        self.net.write_outputs(&mut weights.net.moves.outputs);
    }

    /// The model as integers.
    pub fn weights(&self) -> model::Weights<L, H, K> {
        let mut weights = model::Weights::zero();
        round(&self.linear.values, LINEAR_SCALE, weights.linear.to_mut());
        self.net.write(&mut weights.net);
        weights
    }
}

/// Turns scores into probabilities.
fn softmax(scores: &mut [f32]) {
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - best).exp();
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, PlyKind};
    use crate::model::{Fast, GameAdaptation, GameContext, line};

    /// The first move of the canonical order in every position, from the
    /// standard start.
    fn repetitive_line() -> TrainingLine {
        let start = ChessPosition::standard();
        let mut position = start.clone();
        let plies: Vec<PlyKind> = (0..30)
            .map_while(|_| {
                let ply = *position.legal_plies().first()?;
                position.make(ply).ok()?;
                Some(ply)
            })
            .collect();
        TrainingLine {
            start,
            plies,
            context: GameContext::default(),
            names: [const { Vec::new() }; 2],
        }
    }

    #[test]
    fn training_reduces_the_cost() {
        let line = repetitive_line();
        let mut learner = NetLearner::<Fast, 32, 32>::new(1);
        let cost = |learner: &NetLearner<Fast, 32, 32>| {
            let weights = learner.weights();
            let bytes = line::encode(
                &weights,
                &line.start,
                &line.plies,
                line.context,
                GameAdaptation::NONE,
            );
            bytes.expect("a line").len()
        };
        let before = cost(&learner);
        for _ in 0..30 {
            assert_eq!(learner.learn(&line, 0.0).0, 30);
        }
        assert!(2 * cost(&learner) < before);
    }

    #[test]
    fn training_is_the_same_every_time() {
        let line = repetitive_line();
        let weights = || {
            let mut learner = NetLearner::<Fast, 32, 32>::new(1);
            learner.learn(&line, 0.5);
            learner.weights()
        };
        assert_eq!(weights().to_bytes(), weights().to_bytes());
    }
}
