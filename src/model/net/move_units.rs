//! The hidden units of each move, fed by the units of the position and by the
//! features of the move.

use crate::bits::{BitsError, ByteReader};
use crate::model::simd::{Addends, DOT_ROWS, Isa, LANES};

use super::{MOVE_ROWS, TakeWeights, WeightRows, read_rows, zero_rows};

/// The weights of `K` units of each move, in 1/64, fed by `H` units of the
/// position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveUnits<const H: usize, const K: usize> {
    /// The weights from the units of the position; the same for all moves.
    pub position: WeightRows<H>,
    /// The bias of the units.
    pub bias: [i16; K],
    /// The weights by role and origin.
    pub origins: WeightRows<K>,
    /// The weights by role and target.
    pub targets: WeightRows<K>,
    /// The weights by index of the groups of rows.
    pub features: WeightRows<K>,
    /// The output weights of the units. They need 16 bits, because a few units
    /// have large weights.
    pub outputs: [i16; K],
}

/// The bound of the contribution of the position to a unit.
pub(in super::super) const MAX_OF_POSITION: i32 = 1 << 14;

/// The bound of the sum of the absolute values of the outputs. The contribution of the units to
/// the score of a move is then below 2^25.
pub(in super::super) const MAX_OUTPUTS: u32 = 1 << 18;

impl<const H: usize, const K: usize> MoveUnits<H, K> {
    /// Units without effect, with rows for this number of feature indexes.
    pub fn zero(features: usize) -> Self {
        MoveUnits {
            position: zero_rows(K),
            bias: [0; K],
            origins: zero_rows(MOVE_ROWS),
            targets: zero_rows(MOVE_ROWS),
            features: zero_rows(features),
            outputs: [0; K],
        }
    }

    /// Appends the weights of one byte each.
    pub fn write(&self, out: &mut Vec<u8>) {
        let rows = [&self.origins, &self.targets, &self.features];
        let rows = rows.into_iter().flat_map(|rows| rows.as_flattened());
        let weights = self.position.as_flattened().iter().chain(rows);
        out.extend(weights.map(|weight| weight.cast_unsigned()));
    }

    /// Reads the weights of one byte each; the others are 0.
    ///
    /// # Errors
    /// The input ends early.
    pub fn read<'b>(
        features: usize,
        input: &mut ByteReader<'b>,
        take: TakeWeights<'b>,
    ) -> Result<Self, BitsError> {
        Ok(MoveUnits {
            position: read_rows(K, input, take)?,
            bias: [0; K],
            origins: read_rows(MOVE_ROWS, input, take)?,
            targets: read_rows(MOVE_ROWS, input, take)?,
            features: read_rows(features, input, take)?,
            outputs: [0; K],
        })
    }

    /// The part of the units' sums that all moves share.
    #[inline(always)]
    pub fn common<I: Isa>(&self, units: &[u8; H]) -> [i16; K] {
        let mut sums = self.bias;
        let rows = self.position.as_chunks().0.iter();
        for (sums, rows) in sums.as_chunks_mut::<DOT_ROWS>().0.iter_mut().zip(rows) {
            let dots = I::dots(units, rows.each_ref());
            for (sum, dot) in sums.iter_mut().zip(dots) {
                let of_position = i32::from(*sum) + (dot >> 6);
                *sum = narrow(of_position.clamp(-MAX_OF_POSITION, MAX_OF_POSITION));
            }
        }
        sums
    }
}

#[allow(clippy::cast_possible_truncation, reason = "it is below 2^15")]
fn narrow(sum: i32) -> i16 {
    sum as i16
}

/// The sums of `K` units of a move. They stay in registers while the rows of its features are
/// added: to record the rows and add them at the end of the move took an eighth more instructions.
#[derive(Debug, Clone, Copy)]
pub struct UnitSums<I: Isa, const K: usize> {
    /// Those after the first `K` are not used.
    parts: [I::Sums; MAX_PARTS],
}

/// The most units of a move, in [`LANES`].
const MAX_PARTS: usize = 4;

impl<I: Isa, const K: usize> UnitSums<I, K> {
    /// These sums.
    #[inline(always)]
    pub fn new(sums: &[i16; K]) -> Self {
        const { assert!(K <= MAX_PARTS * LANES) };
        let mut parts = [I::load(&[0; LANES]); MAX_PARTS];
        for (part, sums) in parts.iter_mut().zip(sums.as_chunks().0) {
            *part = I::load(sums);
        }
        UnitSums { parts }
    }

    /// Adds a row of weights, if it exists.
    #[inline(always)]
    pub fn add(&mut self, rows: &[[i8; K]], row: usize) {
        let Some(row) = rows.get(row) else {
            return;
        };
        for (part, row) in self.parts.iter_mut().zip(row.as_chunks().0) {
            *part = I::add(*part, row);
        }
    }

    /// Addends of the contribution of the units to the score of the move.
    #[inline(always)]
    pub fn output(&self, weights: &[i16; K]) -> Addends {
        let parts = self.parts.iter().copied();
        I::output(parts.zip(weights.as_chunks().0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::simd::{Kernel, Processor};
    use proptest::prelude::*;

    /// The output of units with these sums, rows and weights.
    struct Output<'a, const K: usize>(&'a [i16; K], &'a [[i8; K]], &'a [i16; K]);

    impl<const K: usize> Kernel for Output<'_, K> {
        type Output = i32;

        #[inline(always)]
        fn run<I: Isa>(self) -> i32 {
            let Output(sums, rows, weights) = self;
            let mut sums = UnitSums::<I, K>::new(sums);
            (0..=rows.len()).for_each(|row| sums.add(rows, row));
            let output = sums.output(weights);
            let [a, total, b, next] = I::totals(&[[1; 4], output, [2; 4], [1, 2, 3, 4]]);
            assert_eq!([a, b, next], [4, 8, 10]);
            total
        }
    }

    fn assert_output<const K: usize>(sums: &[i16], rows: &[Vec<i8>], weights: &[i16]) {
        let sums: &[i16; K] = sums.first_chunk().expect("K sums");
        let weights: &[i16; K] = weights.first_chunk().expect("K weights");
        let rows: Vec<[i8; K]> = rows
            .iter()
            .map(|row| *row.first_chunk().expect("K weights"))
            .collect();
        let unit = |k: usize| {
            let added = rows.iter().map(|row| i16::from(row[k]));
            let sum = added.fold(sums[k], i16::wrapping_add);
            i32::from(sum.clamp(0, 127))
        };
        let output: i32 = (0..K).map(|k| unit(k) * i32::from(weights[k])).sum();
        for processor in [Processor::ANY, Processor::detect()] {
            assert_eq!(processor.run(Output(sums, &rows, weights)), output);
        }
    }

    proptest! {
        #[test]
        fn outputs_are_those_of_sums(
            sums in prop::collection::vec(prop_oneof![-300i16..300, any::<i16>()], 64),
            rows in prop::collection::vec(prop::collection::vec(any::<i8>(), 64), 0..5),
            weights in prop::collection::vec(-4096..=4096i16, 64),
        ) {
            assert_output::<32>(&sums, &rows, &weights);
            assert_output::<64>(&sums, &rows, &weights);
        }
    }
}
