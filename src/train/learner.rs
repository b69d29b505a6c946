//! Learning: a conditional logit with a small net, by gradient descent.

use super::adagrad::{Rate, Weights};
use super::games::{Line, Random};
use super::record::Record;
use pgna::model::net::{INPUTS, MAX_UNIT, MOVE_ROWS, of_piece, of_scene};
use pgna::model::{self, Board, History, Level, Scene, tell};

const LINEAR: Rate = Rate {
    first_square: 1.0,
    rates: [0.1, 0.008],
};

const NET: Rate = Rate {
    first_square: 0.05,
    rates: [0.03, 0.0024],
};

/// Parts of a nat of a linear weight, and of a weight of the net.
const LINEAR_PARTS: f32 = 32.0;
const NET_PARTS: f32 = 64.0;

/// Gradients that are too small to matter.
const IDLE: f32 = 5e-4;

/// A model in floats while it is trained.
#[derive(Debug)]
pub(crate) struct Learner<L, const H: usize> {
    linear: Weights,
    inputs: Weights,
    bias: Weights,
    origins: Weights,
    targets: Weights,
    record: Record,
    on: Vec<usize>,
    gradients: Vec<f32>,
    level: std::marker::PhantomData<L>,
}

impl<L: Level, const H: usize> Learner<L, H> {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut rows = |count: usize, bound| {
            let values = (0..count * H).map(|_| random.spread(bound)).collect();
            Weights::new(values, NET)
        };
        Learner {
            linear: Weights::new(vec![0.0; L::STARTS.count], LINEAR),
            inputs: rows(INPUTS, 0.25),
            bias: Weights::new(vec![0.3; H], NET),
            origins: rows(MOVE_ROWS, 0.02),
            targets: rows(MOVE_ROWS, 0.02),
            record: Record::default(),
            on: Vec::new(),
            gradients: Vec::new(),
            level: std::marker::PhantomData,
        }
    }

    /// Learns the moves of a game when a part of all training is done. Gives
    /// back how many plies there were.
    pub(crate) fn learn(&mut self, line: &Line, progress: f32) -> u32 {
        let Some(mut board) = Board::new(&line.start) else {
            return 0;
        };
        let mut history = History::default();
        let mut learned = 0;
        for (ply, played) in (0..).zip(&line.plies) {
            let Some(m) = board.named(*played) else {
                return learned;
            };
            if let Ok(scene) = Scene::new(&board, &history, &line.context, ply)
                && let Some(number) = scene.legal.moves().position(|legal| legal == m)
            {
                self.record.clear();
                tell::<L, _>(&scene, &mut self.record);
                self.on.clear();
                self.on.extend(board.pieces().map(of_piece));
                of_scene(&scene, |input| self.on.push(input));
                self.step(number, progress);
            }
            learned += 1;
            let changes = board.play(m);
            history.push(m, &changes);
        }
        learned
    }

    /// One step of the descent: the recorded move of this number was played.
    fn step(&mut self, number: usize, progress: f32) {
        let sums = self.sums();
        let most = f32::from(MAX_UNIT) / NET_PARTS;
        let units = sums.map(|sum| sum.clamp(0.0, most));
        self.scores(&units);
        softmax(&mut self.gradients);
        self.gradients[number] -= 1.0;
        let mut back = self.step_net(&units, NET.at(progress));
        for (back, sum) in back.iter_mut().zip(sums) {
            if sum <= 0.0 || sum >= most {
                *back = 0.0;
            }
        }
        for input in &self.on {
            self.inputs.step_row(*input, &back, NET.at(progress));
        }
        self.bias.step_row(0, &back, NET.at(progress));
        self.step_linear(LINEAR.at(progress));
    }

    fn sums(&self) -> [f32; H] {
        let mut sums = *self.bias.row(0);
        for input in &self.on {
            for (sum, weight) in sums.iter_mut().zip(self.inputs.row::<H>(*input)) {
                *sum += weight;
            }
        }
        sums
    }

    /// The score of each move in nats, where its gradient will stand.
    fn scores(&mut self, units: &[f32; H]) {
        let (record, linear) = (&self.record, &self.linear.values);
        let sum = |weights: &[usize]| weights.iter().map(|weight| linear[*weight]).sum::<f32>();
        self.gradients.clear();
        for m in &record.moves {
            let piece = &record.pieces[m.piece];
            let of_piece = sum(&record.weights[piece.weights.clone()]);
            let of_move = sum(&record.weights[m.weights.clone()]);
            let [from, to] = m.rows;
            let (from, to) = (self.origins.row::<H>(from), self.targets.row::<H>(to));
            self.gradients
                .push(of_piece + of_move + dot(units, from) + dot(units, to));
        }
    }

    /// Moves the rows of the moves; gives the gradients of the hidden units.
    fn step_net(&mut self, units: &[f32; H], rate: f32) -> [f32; H] {
        let mut back = [0.0; H];
        let moves = self.record.moves.iter().zip(&self.gradients);
        let moves = moves.filter(|(_, gradient)| gradient.abs() >= IDLE);
        for (m, gradient) in moves.clone() {
            let [from, to] = m.rows;
            let (from, to) = (self.origins.row::<H>(from), self.targets.row::<H>(to));
            for ((back, from), to) in back.iter_mut().zip(from).zip(to) {
                *back += gradient * (from + to);
            }
        }
        for (m, gradient) in moves {
            let [from, to] = m.rows;
            let gradient = units.map(|unit| unit * gradient);
            self.origins.step_row(from, &gradient, rate);
            self.targets.step_row(to, &gradient, rate);
        }
        back
    }

    fn step_linear(&mut self, rate: f32) {
        let record = &self.record;
        let mut of_pieces = vec![0.0; record.pieces.len()];
        for (m, gradient) in record.moves.iter().zip(&self.gradients) {
            of_pieces[m.piece] += gradient;
            if gradient.abs() >= IDLE {
                for weight in &record.weights[m.weights.clone()] {
                    self.linear.step(*weight, *gradient, rate);
                }
            }
        }
        for (piece, gradient) in record.pieces.iter().zip(of_pieces) {
            if gradient.abs() >= IDLE {
                for weight in &record.weights[piece.weights.clone()] {
                    self.linear.step(*weight, gradient, rate);
                }
            }
        }
    }

    /// The model in integers.
    pub(crate) fn weights(&self) -> model::Weights<L, H> {
        let mut weights = model::Weights::zero();
        round(&self.linear.values, LINEAR_PARTS, &mut weights.linear);
        let net = &mut weights.net;
        round(
            &self.inputs.values,
            NET_PARTS,
            net.inputs.as_flattened_mut(),
        );
        round(
            &self.origins.values,
            NET_PARTS,
            net.origins.as_flattened_mut(),
        );
        round(
            &self.targets.values,
            NET_PARTS,
            net.targets.as_flattened_mut(),
        );
        for (unit, value) in net.bias.iter_mut().zip(&self.bias.values) {
            *unit = (value * NET_PARTS).round() as i16;
        }
        weights
    }
}

/// Scores into probabilities.
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

fn dot<const H: usize>(units: &[f32; H], row: &[f32; H]) -> f32 {
    // Eight sums, in one fixed order, that can be added up side by side.
    let mut sums = [0.0; 8];
    let (units, _) = units.as_chunks::<8>();
    let (row, _) = row.as_chunks::<8>();
    for (units, weights) in units.iter().zip(row) {
        for ((sum, unit), weight) in sums.iter_mut().zip(units).zip(weights) {
            *sum += unit * weight;
        }
    }
    sums.iter().sum()
}

/// Weights of 8 bits, each the part of so many to a whole that is nearest.
fn round<T: From<i8>>(values: &[f32], parts: f32, out: &mut [T]) {
    for (weight, value) in out.iter_mut().zip(values) {
        *weight = T::from((value * parts).round().clamp(-127.0, 127.0) as i8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgna::chess::{Ply, Position};
    use pgna::model::{Context, Fast, line};

    /// The first moves of the standard start position's canonical order, again
    /// and again.
    fn dull_line() -> Line {
        let start = Position::standard();
        let mut position = start.clone();
        let plies: Vec<Ply> = (0..30)
            .map_while(|_| {
                let ply = *position.legal_plies().first()?;
                position.play(ply).ok()?;
                Some(ply)
            })
            .collect();
        Line::new(start, plies, Context::default())
    }

    #[test]
    fn what_is_learned_gets_cheap() {
        let line = dull_line();
        let mut learner = Learner::<Fast, 32>::new(1);
        let cost = |learner: &Learner<Fast, 32>| {
            let weights = learner.weights();
            let bytes = line::encode(&weights, &line.start, &line.plies, line.context);
            bytes.expect("a line").len()
        };
        let before = cost(&learner);
        for _ in 0..30 {
            assert_eq!(learner.learn(&line, 0.0), 30);
        }
        assert!(2 * cost(&learner) < before);
    }

    #[test]
    fn training_is_the_same_every_time() {
        let line = dull_line();
        let weights = || {
            let mut learner = Learner::<Fast, 32>::new(1);
            learner.learn(&line, 0.5);
            learner.weights()
        };
        assert_eq!(weights().to_bytes(), weights().to_bytes());
    }
}
