//! The model that predicts the next bit of a text.

use super::cells::{Buckets, stretch};
use super::logistic::squash;
use super::match_model::{MatchModel, Prediction};
use crate::codec::bit_cell::{BitCell, BitCoder, UNSEEN, update};
use crate::codec::range::RangeError;

/// The number of hashed contexts: the last two, three and four bytes, and the
/// current word.
const HASHED_CONTEXTS: usize = 4;
/// The cells that predict a bit: those of the hashed contexts, of the last byte, of no
/// context, and of the match.
const CELLS: usize = HASHED_CONTEXTS + 3;
/// The inputs of the mixer: the predictions of cells, and a constant.
const INPUTS: usize = CELLS + 1;
/// The classes of the length of the match.
const MATCH_CLASSES: usize = 4;
/// The weight 1.
const ONE: i32 = 1 << 16;
/// The maximum absolute value of a weight.
const MAX_WEIGHT: i32 = 16 * ONE;
/// The learning rate of the weights.
const LEARNING_RATE: i32 = 14;
/// The value of the constant input.
const CONSTANT: i32 = 256;

/// The weights of the inputs.
type Weights = [i32; INPUTS];

/// The adaptive state of the model after a text.
#[derive(Debug, Clone)]
pub(super) struct MixingModel {
    hashed: [Buckets; HASHED_CONTEXTS],
    by_last_byte: Vec<ByLastByte>,
    /// Cells by the node.
    order0: [BitCell; 256],
    matches: MatchModel,
    /// The last eight bytes, the newest in the lowest byte.
    newest: u64,
    word: u32,
}

/// What the last byte selects.
#[derive(Debug, Clone)]
struct ByLastByte {
    /// Cells by the node.
    cells: [BitCell; 256],
    /// By the class of the match length.
    weights: [Weights; MATCH_CLASSES],
}

impl MixingModel {
    /// A model of the empty text, with 2^log buckets for each hashed context.
    pub(super) fn new(log: u32) -> MixingModel {
        let by_last_byte = ByLastByte {
            cells: [UNSEEN; 256],
            weights: [[ONE / 4; INPUTS]; MATCH_CLASSES],
        };
        MixingModel {
            hashed: std::array::from_fn(|_| Buckets::new(log)),
            by_last_byte: vec![by_last_byte; 256],
            order0: [UNSEEN; 256],
            matches: MatchModel::new(log),
            newest: 0,
            word: 0,
        }
    }

    /// Codes a byte and updates the model. References to the cells instead of copies of their
    /// buckets save a quarter of the time.
    pub(super) fn byte(&mut self, bits: &mut impl BitCoder, byte: u8) -> Result<u8, RangeError> {
        let [last, ..] = self.newest.to_le_bytes();
        let contexts = self.contexts();
        let of_last = self.by_last_byte.get_mut(usize::from(last));
        let of_last = of_last.ok_or(RangeError::InvalidSymbol)?;
        let mut prediction = self.matches.prediction();
        // The bits so far, after a leading 1.
        let mut node = 1u8;
        for half in 0..2u32 {
            let upper = if half == 0 { 0 } else { u32::from(node) };
            let mut hashed = self.hashed.iter_mut().zip(contexts);
            let mut open = std::array::from_fn::<_, HASHED_CONTEXTS, _>(|_| {
                let (buckets, context) = hashed.next()?;
                buckets.open(context, upper)
            });
            // Those of the half byte.
            let mut inner = 1usize;
            for place in 0..4u32 {
                let shift = 7 - 4 * half - place;
                let mut unseen = UNSEEN;
                let (expected, class, matched) = match &mut prediction {
                    None => (None, 0, &mut unseen),
                    Some(Prediction { byte, class, cells }) => {
                        let [zero, one] = &mut **cells;
                        match *byte >> shift & 1 {
                            0 => (Some(false), *class, zero),
                            _ => (Some(true), *class, one),
                        }
                    }
                };
                let [a, b, c, d] = open
                    .each_mut()
                    .map(|bucket| bucket.as_mut()?.get_mut(inner));
                let order1 = of_last.cells.get_mut(usize::from(node));
                let order0 = self.order0.get_mut(usize::from(node));
                let weights = of_last.weights.get_mut(class);
                let (Some(a), Some(b), Some(c), Some(d), Some(order1), Some(order0), Some(weights)) =
                    (a, b, c, d, order1, order0, weights)
                else {
                    return Err(RangeError::InvalidSymbol);
                };
                let cells = [a, b, c, d, order1, order0, matched];
                let bit = mix(cells, weights, bits, byte >> shift & 1 == 1)?;
                if expected.is_some_and(|expected| expected != bit) {
                    prediction = None;
                }
                inner = (inner << 1 | usize::from(bit)) & 15;
                node = node << 1 | u8::from(bit);
            }
        }
        self.push(node);
        Ok(node)
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

/// Codes a bit with the mixed predictions of cells, and updates these and the weights.
#[inline]
fn mix(
    cells: [&mut BitCell; CELLS],
    weights: &mut Weights,
    bits: &mut impl BitCoder,
    bit: bool,
) -> Result<bool, RangeError> {
    let mut inputs = [CONSTANT; INPUTS];
    for (input, cell) in inputs.iter_mut().zip(&cells) {
        *input = stretch(**cell);
    }
    let products = inputs.iter().zip(&*weights);
    let sum: i64 = products.map(|(x, w)| i64::from(*x) * i64::from(*w)).sum();
    let probability = squash(sum >> 16).clamp(1, 4095);
    let bit = bits.bit(probability.unsigned_abs(), bit)?;
    let error = ((i32::from(bit) << 12) - probability) * LEARNING_RATE;
    for (weight, input) in weights.iter_mut().zip(&inputs) {
        let moved = *weight + ((input * error + (1 << 15)) >> 16);
        *weight = moved.clamp(-MAX_WEIGHT, MAX_WEIGHT);
    }
    for cell in cells {
        update(cell, bit);
    }
    Ok(bit)
}
