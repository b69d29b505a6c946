//! A small net that sees the whole position: one hidden layer, which its
//! first weights keep up to date from ply to ply, and two rows of weights a
//! move, one for its origin and one for its target.

mod inputs;

pub use inputs::{INPUTS, of_piece, of_scene};

use crate::bits::{BitsError, ByteReader};

use super::board::{Board, Changes, Move};
use super::scene::Scene;

/// Rows of weights for origins, and for targets: by role and square.
pub const MOVE_ROWS: usize = 512;

/// The largest value of a hidden unit.
pub const MAX_UNIT: i16 = 127;

/// The weights of a net of `H` hidden units, in 1/64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net<const H: usize> {
    /// What each input adds to the hidden units.
    pub inputs: Box<[[i8; H]]>,
    /// What they are without inputs.
    pub bias: [i16; H],
    /// What they mean to moves, by role and square of origin. These weights
    /// have 8 bits too; held in 16, they are multiplied twice as fast.
    pub origins: Box<[[i16; H]]>,
    /// The same by role and target.
    pub targets: Box<[[i16; H]]>,
}

/// The row of a move, by its role and one of its squares. A pawn that becomes
/// another piece than a queen stands in the rows of role 7.
#[inline]
pub fn move_row(m: &Move, square: crate::chess::Square) -> usize {
    let role = match m.promotion {
        None | Some(crate::chess::Role::Queen) => m.role as usize,
        Some(_) => 7,
    };
    role << 6 | square as usize
}

impl<const H: usize> Net<H> {
    /// A net to which all moves are alike.
    pub fn zero() -> Self {
        const { assert!(H.is_multiple_of(BLOCK)) };
        let rows = vec![[0; H]; MOVE_ROWS].into_boxed_slice();
        Net {
            inputs: vec![[0; H]; INPUTS].into_boxed_slice(),
            bias: [0; H],
            origins: rows.clone(),
            targets: rows,
        }
    }

    /// Appends all weights.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(
            self.inputs
                .iter()
                .flatten()
                .map(|weight| weight.cast_unsigned()),
        );
        for rows in [&self.origins, &self.targets] {
            let weights = rows.iter().flatten();
            out.extend(weights.map(|weight| weight.to_le_bytes()[0]));
        }
        out.extend(self.bias.iter().flat_map(|unit| unit.to_le_bytes()));
    }

    /// Reads all weights.
    ///
    /// # Errors
    /// The input ends early.
    pub fn read(input: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        let mut net = Net::zero();
        for weight in net.inputs.iter_mut().flatten() {
            *weight = input.u8()?.cast_signed();
        }
        for weight in net.origins.iter_mut().chain(&mut net.targets).flatten() {
            *weight = input.u8()?.cast_signed().into();
        }
        for unit in &mut net.bias {
            *unit = input.u16()?.cast_signed();
        }
        Ok(net)
    }
}

/// The sums of the hidden units over the pieces on the board, as we see them
/// and as they do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sums<const H: usize> {
    ours: [i16; H],
    theirs: [i16; H],
}

impl<const H: usize> Sums<H> {
    /// The sums of a position.
    pub fn new(net: &Net<H>, board: &Board) -> Self {
        let mut sums = Sums {
            ours: net.bias,
            theirs: net.bias,
        };
        for piece in board.pieces() {
            add(net, &mut sums.ours, of_piece(piece));
            add(net, &mut sums.theirs, of_piece(piece.flipped()));
        }
        sums
    }

    /// Follows a move; from then on the other side is *we*.
    pub fn play(&mut self, net: &Net<H>, changes: &Changes) {
        for piece in changes.removed.into_iter().flatten() {
            subtract(net, &mut self.ours, of_piece(piece));
            subtract(net, &mut self.theirs, of_piece(piece.flipped()));
        }
        for piece in changes.added.into_iter().flatten() {
            add(net, &mut self.ours, of_piece(piece));
            add(net, &mut self.theirs, of_piece(piece.flipped()));
        }
        self.pass();
    }

    /// Follows a null move.
    pub fn pass(&mut self) {
        std::mem::swap(&mut self.ours, &mut self.theirs);
    }

    /// The hidden units of a scene.
    pub fn units(&self, net: &Net<H>, scene: &Scene<'_>) -> [i16; H] {
        let mut units = self.ours;
        of_scene(scene, |input| add(net, &mut units, input));
        units.map(|unit| unit.clamp(0, MAX_UNIT))
    }
}

#[inline]
fn add<const H: usize>(net: &Net<H>, sums: &mut [i16; H], input: usize) {
    let Some(row) = net.inputs.get(input) else {
        return;
    };
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(i16::from(*weight));
    }
}

#[inline]
fn subtract<const H: usize>(net: &Net<H>, sums: &mut [i16; H], input: usize) {
    let Some(row) = net.inputs.get(input) else {
        return;
    };
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(i16::from(*weight));
    }
}

/// What hidden units mean to a move in a row of weights.
#[inline]
pub fn dot<const H: usize>(units: &[i16; H], rows: &[[i16; H]], row: usize) -> i32 {
    let Some(row) = rows.get(row) else {
        return 0;
    };
    // Block by block, the compiler multiplies and adds eight at a time; at once,
    // four.
    let (units, row) = (units.as_chunks::<BLOCK>().0, row.as_chunks::<BLOCK>().0);
    let blocks = units.iter().zip(row).map(|(units, row)| {
        let products = units.iter().zip(row);
        products
            .map(|(unit, weight)| i32::from(*unit) * i32::from(*weight))
            .sum::<i32>()
    });
    blocks.sum()
}

/// The hidden units are a multiple of this.
const BLOCK: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Position, Rules};
    use crate::model::hash::{highest, mix};
    use crate::model::{Legal, Map};

    /// A net of weights without meaning.
    fn odd_net() -> Net<32> {
        let mut net = Net::zero();
        let mut number = 0;
        let mut weight = || {
            number += 1;
            mix(number).to_le_bytes()[0].cast_signed()
        };
        net.inputs.as_flattened_mut().fill_with(&mut weight);
        net.origins.as_flattened_mut().fill_with(|| weight().into());
        net.targets.as_flattened_mut().fill_with(|| weight().into());
        for (value, unit) in (-700..).step_by(50).zip(&mut net.bias) {
            *unit = value;
        }
        net
    }

    #[test]
    fn sums_follow_the_game() {
        let net = odd_net();
        let fen = b"r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq c6 0 1";
        let position = Position::from_fen(fen, Rules::CHESS).expect("a position");
        let mut board = Board::new(&position).expect("chess");
        let mut sums = Sums::new(&net, &board);
        for number in 0..200u64 {
            let legal = Legal::new(&board, &Map::of(&board, Side::Them));
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

    use crate::model::board::Side;

    #[test]
    fn dots_are_sums_of_products() {
        let net = odd_net();
        let mut units = [0; 32];
        for (value, unit) in (0..).step_by(4).zip(&mut units) {
            *unit = value;
        }
        for row in [0, MOVE_ROWS - 1] {
            let products = units.iter().zip(net.targets[row]);
            let sum = products.map(|(unit, weight)| i32::from(*unit) * i32::from(weight));
            assert_eq!(dot(&units, &net.targets, row), sum.sum());
        }
        assert_eq!(dot(&units, &net.targets, MOVE_ROWS), 0);
    }

    #[test]
    fn weights_come_back() {
        let net = odd_net();
        let mut bytes = Vec::new();
        net.write(&mut bytes);
        let mut input = ByteReader::new(&bytes);
        assert_eq!(Net::read(&mut input), Ok(net));
        assert!(input.is_empty());
        let short = Net::<32>::read(&mut ByteReader::new(&bytes[1..]));
        assert_eq!(short, Err(BitsError::EndOfInput));
    }
}
