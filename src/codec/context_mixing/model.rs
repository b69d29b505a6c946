//! The model that predicts the next bit of a text.

use super::cells::{Bucket, Buckets, EMPTY, stretch};
use super::logistic::LOGISTIC;
use super::match_model::MatchModel;
use crate::codec::bit_cell::{BitCell, BitCoder, UNSEEN, update};
use crate::codec::range::RangeError;

/// The number of hashed contexts: the last two, three and four bytes, and the
/// current word.
const HASHED_CONTEXTS: usize = 4;
/// The inputs of the mixer: the hashed contexts, the last byte, no context, the
/// match, a constant.
const INPUTS: usize = HASHED_CONTEXTS + 4;
/// The sets of weights, selected by the class of the match length and by the
/// last byte.
const WEIGHT_SETS: usize = 4 * 256;

/// The weight 1.
const ONE: i32 = 1 << 16;
/// The maximum absolute value of a weight.
const MAX_WEIGHT: i32 = 16 * ONE;
/// The learning rate of the weights.
const LEARNING_RATE: i32 = 14;
/// The value of the constant input.
const CONSTANT: i32 = 256;

/// The adaptive state of the model after a text.
#[derive(Debug, Clone)]
pub(super) struct MixingModel {
    hashed: [Buckets; HASHED_CONTEXTS],
    /// Cells by the last byte and the node.
    order1: Vec<BitCell>,
    /// Cells by the node.
    order0: [BitCell; 256],
    matches: MatchModel,
    weights: Vec<[i32; INPUTS]>,
    /// The last eight bytes, the newest in the lowest byte.
    newest: u64,
    word: u32,
}

impl MixingModel {
    /// A model of the empty text, with 2^log buckets for each hashed context.
    pub(super) fn new(log: u32) -> MixingModel {
        MixingModel {
            hashed: std::array::from_fn(|_| Buckets::new(log)),
            order1: vec![UNSEEN; 256 * 256],
            order0: [UNSEEN; 256],
            matches: MatchModel::new(log),
            weights: vec![[ONE / 4; INPUTS]; WEIGHT_SETS],
            newest: 0,
            word: 0,
        }
    }

    /// Codes a byte and updates the model.
    pub(super) fn byte(&mut self, bits: &mut impl BitCoder, byte: u8) -> Result<u8, RangeError> {
        let [last, ..] = self.newest.to_le_bytes();
        let contexts = self.contexts();
        let mut predicted = self.matches.predicted_byte();
        let mut node = 1u8;
        let mut read = 0u8;
        for half in 0..2u32 {
            let upper = if half == 0 { 0 } else { u32::from(node) };
            let mut open = [(0, EMPTY); HASHED_CONTEXTS];
            for ((open, buckets), context) in open.iter_mut().zip(&self.hashed).zip(contexts) {
                *open = buckets.find(context, upper);
            }
            let mut inner = 1u8;
            for place in 0..4u32 {
                let shift = 7 - 4 * half - place;
                let expected = predicted.map(|byte| byte >> shift & 1 == 1);
                let mut step = BitPosition {
                    buckets: &mut open,
                    inner,
                    node,
                    last,
                    expected,
                };
                let bit = self.bit(&mut step, bits, byte >> shift & 1 == 1)?;
                if expected.is_some_and(|expected| expected != bit) {
                    predicted = None;
                }
                inner = inner << 1 | u8::from(bit);
                node = node << 1 | u8::from(bit);
                read = read << 1 | u8::from(bit);
            }
            for ((place, bucket), buckets) in open.into_iter().zip(&mut self.hashed) {
                buckets.store(place, bucket);
            }
        }
        self.push(read);
        Ok(read)
    }

    /// The values of the hashed contexts.
    fn contexts(&self) -> [u32; HASHED_CONTEXTS] {
        let [a, b, c, d, ..] = self.newest.to_le_bytes();
        [
            u32::from_le_bytes([a, b, 0, 0]),
            u32::from_le_bytes([a, b, c, 0]),
            u32::from_le_bytes([a, b, c, d]),
            self.word,
        ]
    }

    fn bit(
        &mut self,
        step: &mut BitPosition<'_>,
        bits: &mut impl BitCoder,
        bit: bool,
    ) -> Result<bool, RangeError> {
        let inner = usize::from(step.inner);
        let node = usize::from(step.node);
        let of_last = usize::from(step.last) << 8 | node;
        let mut inputs = [0; INPUTS];
        let [a, b, c, d, e, f, g, h] = &mut inputs;
        for (input, (_, bucket)) in [a, b, c, d].into_iter().zip(&*step.buckets) {
            *input = bucket.get(inner).copied().map_or(0, stretch);
        }
        *e = self.order1.get(of_last).copied().map_or(0, stretch);
        *f = self.order0.get(node).copied().map_or(0, stretch);
        *g = step.expected.map_or(0, |bit| self.matches.stretch(bit));
        *h = CONSTANT;
        let length = match (step.expected, self.matches.length()) {
            (None, _) => 0,
            (_, 0..=8) => 1,
            (_, 9..=15) => 2,
            _ => 3,
        };
        let set = length << 8 | usize::from(step.last);
        let mut none = [0; INPUTS];
        let weights = self.weights.get_mut(set).unwrap_or(&mut none);
        let products = inputs.iter().zip(&*weights);
        let sum: i64 = products.map(|(x, w)| i64::from(*x) * i64::from(*w)).sum();
        let probability = LOGISTIC.squash(sum >> 16).clamp(1, 4095);
        let bit = bits.bit(probability.unsigned_abs(), bit)?;
        let error = ((i32::from(bit) << 12) - probability) * LEARNING_RATE;
        for (weight, input) in weights.iter_mut().zip(&inputs) {
            let moved = *weight + ((input * error + (1 << 15)) >> 16);
            *weight = moved.clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
        let cells = step.buckets.iter_mut();
        let cells = cells.filter_map(|(_, bucket)| bucket.get_mut(inner));
        cells.for_each(|cell| update(cell, bit));
        let cells = [self.order1.get_mut(of_last), self.order0.get_mut(node)];
        let cells = cells.into_iter().flatten();
        cells.for_each(|cell| update(cell, bit));
        if let Some(expected) = step.expected {
            self.matches.update(expected, bit);
        }
        Ok(bit)
    }

    /// Appends a byte to the text.
    fn push(&mut self, byte: u8) {
        self.newest = self.newest << 8 | u64::from(byte);
        self.matches.push(byte, self.newest);
        let is_letter = byte.is_ascii_alphabetic() || byte >= 128;
        self.word = match is_letter {
            true => {
                let next = self.word.wrapping_add(u32::from(byte | 32) + 1);
                next.wrapping_mul(0x9e37_79b1)
            }
            false => 0,
        };
    }
}

/// The position of a bit.
struct BitPosition<'s> {
    /// The buckets of the current half byte.
    buckets: &'s mut [(usize, Bucket); HASHED_CONTEXTS],
    /// The bits of the half byte so far, after a leading 1.
    inner: u8,
    /// The bits of the byte so far, after a leading 1.
    node: u8,
    last: u8,
    /// The bit that the match predicts.
    expected: Option<bool>,
}
