//! A small neural network over the whole position. It has one hidden layer,
//! whose input sums are updated incrementally from ply to ply (as in NNUE), two
//! rows of weights for each move, one for its origin and one for its target, and
//! a few hidden units of each move.

mod inputs;
mod move_units;

pub use inputs::{INPUTS, emit_inputs, piece_input};
pub(super) use move_units::{MAX_OF_POSITION, MAX_OUTPUTS};
pub use move_units::{MoveUnits, UnitSums};

use crate::bits::{BitsError, ByteReader};
use std::borrow::Cow;

use super::board::{Board, Changes, Move};
use super::feature_context::FeatureContext;
use super::simd::MAX_UNIT;

/// Errors of reading weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The bytes end early, or bytes or bits follow the end.
    #[error("weights: {0}")]
    Bits(#[from] BitsError),
    /// The absolute values of the outputs add up to more than 2^18.
    #[error("weights: outputs too large")]
    Outputs,
    /// The number of bytes, or the last one, is not that of the level.
    #[error("weights: of no such level")]
    Level,
}

/// The number of rows of weights for origins, and for targets: by role and
/// square.
pub const MOVE_ROWS: usize = 512;

/// The weights of a net with `H` units of the position and `K` units of each
/// move, in 1/64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net<const H: usize, const K: usize> {
    /// The weights from each input to the units of the position.
    pub inputs: WeightRows<H>,
    /// The bias of the units of the position.
    pub bias: [i16; H],
    /// The output weights of the units of the position, by role and origin of
    /// the move.
    pub origins: WeightRows<H>,
    /// The output weights of the units of the position, by role and target of
    /// the move.
    pub targets: WeightRows<H>,
    /// The units of each move.
    pub moves: MoveUnits<H, K>,
}

/// The row of a move, by its role and one of its squares. Role 7 is a pawn that
/// promotes to another piece than a queen.
#[inline]
pub fn move_row(m: &Move, square: crate::chess::Square) -> usize {
    let role = match m.promotion {
        None | Some(crate::chess::Role::Queen) => m.role as usize,
        Some(_) => 7,
    };
    role << 6 | square as usize
}

impl<const H: usize, const K: usize> Net<H, K> {
    /// A net that scores all moves equally, with rows for this number of feature
    /// indexes.
    pub fn zero(features: usize) -> Self {
        const { assert!(H.is_multiple_of(BLOCK) && K.is_multiple_of(BLOCK)) };
        Net {
            inputs: zero_rows(INPUTS),
            bias: [0; H],
            origins: zero_rows(MOVE_ROWS),
            targets: zero_rows(MOVE_ROWS),
            moves: MoveUnits::zero(features),
        }
    }

    /// Appends all weights.
    pub fn write(&self, out: &mut Vec<u8>) {
        for rows in [&self.inputs, &self.origins, &self.targets] {
            let weights = rows.as_flattened().iter();
            out.extend(weights.map(|weight| weight.cast_unsigned()));
        }
        self.moves.write(out);
        let bias = self.bias.iter().chain(&self.moves.bias);
        let wide = bias.chain(&self.moves.outputs);
        out.extend(wide.flat_map(|weight| weight.to_le_bytes()));
    }

    /// Reads all weights, with rows for this number of feature indexes.
    ///
    /// # Errors
    /// The input ends early, or the outputs are too large.
    pub fn read<'b>(
        features: usize,
        input: &mut ByteReader<'b>,
        take: TakeWeights<'b>,
    ) -> Result<Self, WeightsError> {
        let mut net = Net {
            inputs: read_rows(INPUTS, input, take)?,
            bias: [0; H],
            origins: read_rows(MOVE_ROWS, input, take)?,
            targets: read_rows(MOVE_ROWS, input, take)?,
            moves: MoveUnits::read(features, input, take)?,
        };
        let bias = net.bias.iter_mut().chain(&mut net.moves.bias);
        for weight in bias.chain(&mut net.moves.outputs) {
            *weight = input.u16()?.cast_signed();
        }
        let outputs = net.moves.outputs.iter();
        let outputs: u32 = outputs.map(|weight| u32::from(weight.unsigned_abs())).sum();
        if outputs > MAX_OUTPUTS {
            return Err(WeightsError::Outputs);
        }
        Ok(net)
    }
}

/// Rows of weights of one byte each. Those of built-in models are part of the program, which maps
/// them into memory: only the pages with rows that are used are read.
pub type WeightRows<const N: usize> = Cow<'static, [[i8; N]]>;

fn zero_rows<const N: usize>(count: usize) -> WeightRows<N> {
    vec![[0; N]; count].into()
}

/// How weights are taken from the bytes of a file.
pub type TakeWeights<'b> = fn(&'b [u8]) -> Cow<'static, [i8]>;

/// Takes weights without copying them.
pub fn borrow(bytes: &'static [u8]) -> Cow<'static, [i8]> {
    bytemuck::cast_slice(bytes).into()
}

/// Copies weights.
pub fn copy(bytes: &[u8]) -> Cow<'static, [i8]> {
    bytemuck::cast_slice(bytes).to_vec().into()
}

fn read_rows<'b, const N: usize>(
    count: usize,
    input: &mut ByteReader<'b>,
    take: TakeWeights<'b>,
) -> Result<WeightRows<N>, BitsError> {
    Ok(match take(input.take(count * N)?) {
        Cow::Borrowed(weights) => weights.as_chunks().0.into(),
        Cow::Owned(weights) => weights.as_chunks().0.to_vec().into(),
    })
}

/// The input sums of the units of the position over the bias and the pieces,
/// from our view and from theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sums<const H: usize> {
    ours: [i16; H],
    theirs: [i16; H],
}

impl<const H: usize> Sums<H> {
    /// The sums of a position.
    pub fn new<const K: usize>(net: &Net<H, K>, board: &Board) -> Self {
        let mut sums = Sums {
            ours: net.bias,
            theirs: net.bias,
        };
        for piece in board.pieces() {
            add(net, &mut sums.ours, piece_input(piece));
            add(net, &mut sums.theirs, piece_input(piece.flipped()));
        }
        sums
    }

    /// Updates the sums with a move. The other side becomes *us*.
    #[inline(always)]
    pub fn play<const K: usize>(&mut self, net: &Net<H, K>, changes: &Changes) {
        for piece in changes.removed.into_iter().flatten() {
            subtract(net, &mut self.ours, piece_input(piece));
            subtract(net, &mut self.theirs, piece_input(piece.flipped()));
        }
        for piece in changes.added.into_iter().flatten() {
            add(net, &mut self.ours, piece_input(piece));
            add(net, &mut self.theirs, piece_input(piece.flipped()));
        }
        self.pass();
    }

    /// Updates the sums with a null move.
    #[inline]
    pub fn pass(&mut self) {
        std::mem::swap(&mut self.ours, &mut self.theirs);
    }

    /// The units for a position with these features.
    #[inline(always)]
    pub fn units<const K: usize>(&self, net: &Net<H, K>, features: &FeatureContext<'_>) -> [u8; H] {
        let mut units = self.ours;
        emit_inputs(features, |input| add(net, &mut units, input));
        units.map(|unit| unit.clamp(0, MAX_UNIT.into()).to_le_bytes()[0])
    }
}

#[inline(always)]
fn add<const H: usize, const K: usize>(net: &Net<H, K>, sums: &mut [i16; H], input: usize) {
    let Some(row) = net.inputs.get(input) else {
        return;
    };
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(i16::from(*weight));
    }
}

#[inline(always)]
fn subtract<const H: usize, const K: usize>(net: &Net<H, K>, sums: &mut [i16; H], input: usize) {
    let Some(row) = net.inputs.get(input) else {
        return;
    };
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(i16::from(*weight));
    }
}

/// The number of hidden units is a multiple of this.
const BLOCK: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};
    use crate::model::Legal;
    use crate::model::hash::{highest, mix};

    /// A net of arbitrary weights.
    fn odd_net() -> Net<32, 32> {
        let mut net = Net::zero(3);
        let mut number = 0;
        let mut weight = || {
            number += 1;
            mix(number).to_le_bytes()[0].cast_signed()
        };
        net.inputs
            .to_mut()
            .as_flattened_mut()
            .fill_with(&mut weight);
        net.origins
            .to_mut()
            .as_flattened_mut()
            .fill_with(&mut weight);
        net.targets
            .to_mut()
            .as_flattened_mut()
            .fill_with(&mut weight);
        let moves = &mut net.moves;
        moves
            .position
            .to_mut()
            .as_flattened_mut()
            .fill_with(&mut weight);
        moves
            .features
            .to_mut()
            .as_flattened_mut()
            .fill_with(&mut weight);
        net.moves.outputs.fill_with(|| i16::from(weight()) * 32);
        for (value, unit) in (-700..).step_by(50).zip(&mut net.bias) {
            *unit = value;
        }
        net
    }

    #[test]
    fn sums_follow_the_game() {
        let net = odd_net();
        let fen = b"r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq c6 0 1";
        let position = ChessPosition::from_fen(fen, Rules::CHESS).expect("a position");
        let mut board = Board::new(&position).expect("chess");
        let mut sums = Sums::new(&net, &board);
        for number in 0..200u64 {
            let legal = Legal::new(&board);
            let moves: Vec<_> = legal.moves().collect();
            if moves.is_empty() {
                break;
            }
            let pick = highest(mix(number), 16) % moves.len();
            let changes = board.play(moves[pick]);
            sums.play(&net, &changes);
            assert_eq!(sums, Sums::new(&net, &board));
        }
    }

    #[test]
    fn weights_round_trip() {
        let net = odd_net();
        let mut bytes = Vec::new();
        net.write(&mut bytes);
        let bytes: &[u8] = bytes.leak();
        let mut input = ByteReader::new(bytes);
        assert_eq!(Net::read(3, &mut input, borrow), Ok(net));
        assert!(input.is_empty());
        let short = Net::<32, 32>::read(3, &mut ByteReader::new(&bytes[1..]), copy);
        assert_eq!(short, Err(BitsError::EndOfInput.into()));
    }

    #[test]
    fn outputs_are_bounded() {
        let read = |output| {
            let mut net = odd_net();
            // 32 times 8,192 is the bound.
            net.moves.outputs = [-8192; 32];
            net.moves.outputs[7] = output;
            let mut bytes = Vec::new();
            net.write(&mut bytes);
            Net::<32, 32>::read(3, &mut ByteReader::new(&bytes), copy).map(|_| ())
        };
        assert_eq!([8192, 8193].map(read), [Ok(()), Err(WeightsError::Outputs)]);
    }
}
