//! The network in floats: its contribution to the scores of moves, and its
//! gradients.

use super::adagrad::{MIN_GRADIENT, Rate, TrainedWeights};
use super::line::Random;
use super::record::TrainingRecord;
use crate::model::MAX_UNIT;
use crate::model::net::{self, INPUTS, MOVE_ROWS};

const POSITION: Rate = Rate {
    first_square: 0.05,
    rates: [0.03, 0.0024],
};

/// Units of moves need a higher rate: at the rates of the position's units, a
/// model costs 0.007 bits a ply more.
const MOVES: Rate = Rate {
    first_square: 0.05,
    rates: [0.09, 0.0072],
};

/// The rate for outputs when all other weights are integers.
const OUTPUTS: Rate = Rate {
    first_square: 1.0,
    rates: [0.05, 0.0002],
};

/// A weight of the network is stored in units of 1/64.
const NET_SCALE: f32 = 64.0;

const MAX_ACTIVATION: f32 = MAX_UNIT as f32 / NET_SCALE;

/// A network of `H` units of the position and `K` units of each move.
#[derive(Debug)]
pub(super) struct TrainedNet<const H: usize, const K: usize> {
    inputs: TrainedWeights,
    bias: TrainedWeights,
    origins: TrainedWeights,
    targets: TrainedWeights,
    moves: TrainedMoveUnits<K>,
    /// The units of the current position, before and after clamping.
    sums: [f32; H],
    units: [f32; H],
}

/// The part of the network that is evaluated for each move.
#[derive(Debug)]
struct TrainedMoveUnits<const K: usize> {
    /// For each unit a row of weights for the position's units.
    position: TrainedWeights,
    bias: TrainedWeights,
    origins: TrainedWeights,
    targets: TrainedWeights,
    features: TrainedWeights,
    outputs: TrainedWeights,
    /// The sums of each move of the current position.
    sums: Vec<[f32; K]>,
}

impl<const H: usize, const K: usize> TrainedNet<H, K> {
    /// A network of small random weights, with rows for this many features.
    /// Feature weights start at 0, so that features that never occur have no
    /// effect.
    pub(super) fn new(features: usize, random: &mut Random) -> Self {
        let mut rows = |count: usize, bound, rate| {
            let values = (0..count).map(|_| random.spread(bound)).collect();
            TrainedWeights::new(values, rate)
        };
        TrainedNet {
            inputs: rows(INPUTS * H, 0.25, POSITION),
            bias: TrainedWeights::new(vec![0.3; H], POSITION),
            origins: rows(MOVE_ROWS * H, 0.02, POSITION),
            targets: rows(MOVE_ROWS * H, 0.02, POSITION),
            moves: TrainedMoveUnits {
                position: rows(K * H, 0.1, MOVES),
                bias: TrainedWeights::new(vec![0.5; K], MOVES),
                origins: rows(MOVE_ROWS * K, 0.05, MOVES),
                targets: rows(MOVE_ROWS * K, 0.05, MOVES),
                features: TrainedWeights::new(vec![0.0; features * K], MOVES),
                outputs: rows(K, 0.2, MOVES),
                sums: Vec::new(),
            },
            sums: [0.0; H],
            units: [0.0; H],
        }
    }

    /// Adds the contribution of the network to the score of each move, in nats.
    pub(super) fn add(&mut self, on: &[usize], record: &TrainingRecord, scores: &mut [f32]) {
        self.sums = *self.bias.row(0);
        for input in on {
            add(&mut self.sums, self.inputs.row(*input));
        }
        self.units = self.sums.map(|sum| sum.clamp(0.0, MAX_ACTIVATION));
        for (m, score) in record.moves.iter().zip(&mut *scores) {
            let [from, to] = m.rows;
            let (from, to) = (self.origins.row(from), self.targets.row(to));
            *score += dot(&self.units, from) + dot(&self.units, to);
        }
        self.moves.add(&self.units, record, scores);
    }

    /// Updates all weights by the gradients of the scores of the moves in the
    /// last call of [`Self::add`]; `progress` is the fraction of all training
    /// done.
    pub(super) fn step(
        &mut self,
        on: &[usize],
        record: &TrainingRecord,
        gradients: &[f32],
        progress: f32,
    ) {
        let rate = POSITION.at(progress);
        let mut back = self.step_moves(record, gradients, rate);
        let moves = &mut self.moves;
        moves.step(
            &self.units,
            record,
            gradients,
            MOVES.at(progress),
            &mut back,
        );
        for (back, sum) in back.iter_mut().zip(self.sums) {
            if sum <= 0.0 || sum >= MAX_ACTIVATION {
                *back = 0.0;
            }
        }
        for input in on {
            self.inputs.step_row(*input, &back, rate);
        }
        self.bias.step_row(0, &back, rate);
    }

    /// Updates the rows of the moves; returns the gradients of the units.
    fn step_moves(&mut self, record: &TrainingRecord, gradients: &[f32], rate: f32) -> [f32; H] {
        let mut back = [0.0; H];
        let moves = record.moves.iter().zip(gradients);
        let moves = moves.filter(|(_, gradient)| gradient.abs() >= MIN_GRADIENT);
        for (m, gradient) in moves.clone() {
            let [from, to] = m.rows;
            let (from, to) = (self.origins.row::<H>(from), self.targets.row::<H>(to));
            for ((back, from), to) in back.iter_mut().zip(from).zip(to) {
                *back += gradient * (from + to);
            }
        }
        for (m, gradient) in moves {
            let [from, to] = m.rows;
            let gradient = self.units.map(|unit| unit * gradient);
            self.origins.step_row(from, &gradient, rate);
            self.targets.step_row(to, &gradient, rate);
        }
        back
    }

    /// The network of integer weights, with outputs clamped in absolute value, because they are
    /// fitted again.
    pub(super) fn from_weights(net: &net::Net<H, K>) -> Self {
        let mut trained = Self::of(net, POSITION, MOVES, OUTPUTS);
        for output in &mut trained.moves.outputs.values {
            *output = output.clamp(-MAX_ACTIVATION, MAX_ACTIVATION);
        }
        trained
    }

    /// The network of integer weights, to train it further.
    pub(super) fn further(net: &net::Net<H, K>) -> Self {
        let moves = MOVES.further();
        Self::of(net, POSITION.further(), moves, moves)
    }

    fn of(net: &net::Net<H, K>, of_position: Rate, of_moves: Rate, of_outputs: Rate) -> Self {
        let rows = |rows: &[i8], rate| {
            let values = rows.iter().map(|weight| f32::from(*weight) / NET_SCALE);
            TrainedWeights::new(values.collect(), rate)
        };
        let wide = |weights: &[i16], rate| {
            let values = weights.iter().map(|weight| f32::from(*weight) / NET_SCALE);
            TrainedWeights::new(values.collect(), rate)
        };
        let moves = &net.moves;
        TrainedNet {
            inputs: rows(net.inputs.as_flattened(), of_position),
            bias: wide(&net.bias, of_position),
            origins: rows(net.origins.as_flattened(), of_position),
            targets: rows(net.targets.as_flattened(), of_position),
            moves: TrainedMoveUnits {
                position: rows(moves.position.as_flattened(), of_moves),
                bias: wide(&moves.bias, of_moves),
                origins: rows(moves.origins.as_flattened(), of_moves),
                targets: rows(moves.targets.as_flattened(), of_moves),
                features: rows(moves.features.as_flattened(), of_moves),
                outputs: wide(&moves.outputs, of_outputs),
                sums: Vec::new(),
            },
            sums: [0.0; H],
            units: [0.0; H],
        }
    }

    /// Updates only the outputs.
    pub(super) fn step_outputs(&mut self, gradients: &[f32], progress: f32) {
        let moves = &mut self.moves;
        let of_outputs = moves.output_gradients(gradients);
        moves.outputs.step_row(0, &of_outputs, OUTPUTS.at(progress));
    }

    /// Writes the outputs as integers.
    pub(super) fn write_outputs(&self, out: &mut [i16; K]) {
        for (out, value) in out.iter_mut().zip(&self.moves.outputs.values) {
            *out = (value * NET_SCALE).round() as i16;
        }
    }

    /// Writes the network as integers.
    pub(super) fn write(&self, out: &mut net::Net<H, K>) {
        for (weights, out) in [
            (&self.inputs, &mut out.inputs),
            (&self.origins, &mut out.origins),
            (&self.targets, &mut out.targets),
            (&self.moves.position, &mut out.moves.position),
        ] {
            round(&weights.values, NET_SCALE, out.to_mut().as_flattened_mut());
        }
        let moves = &mut out.moves;
        for (weights, out) in [
            (&self.moves.origins, &mut moves.origins),
            (&self.moves.targets, &mut moves.targets),
            (&self.moves.features, &mut moves.features),
        ] {
            round(&weights.values, NET_SCALE, out.to_mut().as_flattened_mut());
        }
        let bias = self.bias.values.iter().chain(&self.moves.bias.values);
        for (out, value) in out.bias.iter_mut().chain(&mut moves.bias).zip(bias) {
            *out = (value * NET_SCALE).round() as i16;
        }
        self.write_outputs(&mut moves.outputs);
    }
}

impl<const K: usize> TrainedMoveUnits<K> {
    fn add<const H: usize>(
        &mut self,
        units: &[f32; H],
        record: &TrainingRecord,
        scores: &mut [f32],
    ) {
        let mut common = *self.bias.row::<K>(0);
        for (number, sum) in common.iter_mut().enumerate() {
            *sum += dot(units, self.position.row::<H>(number));
        }
        let of_pieces = record.pieces.iter().map(|piece| {
            let mut sums = common;
            add(&mut sums, self.origins.row(piece.origin));
            for row in &record.features[piece.features.clone()] {
                add(&mut sums, self.features.row(*row));
            }
            sums
        });
        let of_pieces: Vec<_> = of_pieces.collect();
        self.sums.clear();
        for (m, score) in record.moves.iter().zip(scores) {
            let [_, to] = m.rows;
            let mut sums = of_pieces[m.piece];
            add(&mut sums, self.targets.row(to));
            for row in &record.features[m.features.clone()] {
                add(&mut sums, self.features.row(*row));
            }
            *score += dot(
                &sums.map(|sum| sum.clamp(0.0, MAX_ACTIVATION)),
                self.outputs.row(0),
            );
            self.sums.push(sums);
        }
    }

    /// The gradients of the outputs.
    fn output_gradients(&self, gradients: &[f32]) -> [f32; K] {
        let mut of_outputs = [0.0; K];
        let moves = gradients.iter().zip(&self.sums);
        for (gradient, sums) in moves.filter(|(gradient, _)| gradient.abs() >= MIN_GRADIENT) {
            for (of_output, sum) in of_outputs.iter_mut().zip(sums) {
                *of_output += gradient * sum.clamp(0.0, MAX_ACTIVATION);
            }
        }
        of_outputs
    }

    /// Updates the weights, and adds the gradients of the position's units to
    /// `back`.
    fn step<const H: usize>(
        &mut self,
        units: &[f32; H],
        record: &TrainingRecord,
        gradients: &[f32],
        rate: f32,
        back: &mut [f32; H],
    ) {
        let outputs = *self.outputs.row::<K>(0);
        let of_outputs = self.output_gradients(gradients);
        let mut of_pieces = vec![[0.0; K]; record.pieces.len()];
        let moves = record.moves.iter().zip(gradients).zip(&self.sums);
        for ((m, gradient), sums) in
            moves.filter(|((_, gradient), _)| gradient.abs() >= MIN_GRADIENT)
        {
            let mut of_sums = [0.0; K];
            for ((of_sum, sum), output) in of_sums.iter_mut().zip(sums).zip(&outputs) {
                if *sum > 0.0 && *sum < MAX_ACTIVATION {
                    *of_sum = gradient * output;
                }
            }
            let [_, to] = m.rows;
            self.targets.step_row(to, &of_sums, rate);
            for row in &record.features[m.features.clone()] {
                self.features.step_row(*row, &of_sums, rate);
            }
            add(&mut of_pieces[m.piece], &of_sums);
        }
        self.outputs.step_row(0, &of_outputs, rate);
        let mut of_all = [0.0; K];
        for (piece, of_sums) in record.pieces.iter().zip(&of_pieces) {
            self.origins.step_row(piece.origin, of_sums, rate);
            for row in &record.features[piece.features.clone()] {
                self.features.step_row(*row, of_sums, rate);
            }
            add(&mut of_all, of_sums);
        }
        self.bias.step_row(0, &of_all, rate);
        for (number, of_sum) in of_all.iter().enumerate() {
            for (back, weight) in back.iter_mut().zip(self.position.row::<H>(number)) {
                *back += of_sum * weight;
            }
            let gradient = units.map(|unit| unit * of_sum);
            self.position.step_row(number, &gradient, rate);
        }
    }
}

fn add<const N: usize>(sums: &mut [f32; N], row: &[f32; N]) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight;
    }
}

fn dot<const N: usize>(units: &[f32; N], row: &[f32; N]) -> f32 {
    // Eight sums in a fixed order, which can be computed in parallel.
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

/// Rounds weights to 8 bits, in units of `1 / parts`.
pub(super) fn round(values: &[f32], parts: f32, out: &mut [i8]) {
    for (weight, value) in out.iter_mut().zip(values) {
        *weight = (value * parts).round().clamp(-127.0, 127.0) as i8;
    }
}
