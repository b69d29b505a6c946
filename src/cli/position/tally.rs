//! The results of the codes, summed over positions.

use crate::internals::bits::BitString;
use crate::internals::position::PositionCode;
use std::collections::BTreeMap;

/// The results of a code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CodeSums {
    /// The number of positions that the code can represent.
    pub(super) positions: u64,
    pub(super) bits: u64,
    /// The largest number of bits of a position.
    pub(super) max_bits: u64,
    /// The number of positions that the code cannot represent.
    pub(super) unsupported: u64,
}

impl CodeSums {
    /// Adds a position; `None` if the code cannot represent it.
    pub(super) fn add(&mut self, encoded: Option<&BitString>) {
        match encoded {
            Some(encoded) => {
                self.positions += 1;
                self.bits += encoded.bit_len();
                self.max_bits = self.max_bits.max(encoded.bit_len());
            }
            None => self.unsupported += 1,
        }
    }

    /// Mean bits per position; `None` if the code can represent none.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.positions > 0).then(|| self.bits as f64 / self.positions as f64)
    }
}

/// The results of all codes.
#[derive(Debug, Default)]
pub(super) struct PositionTally {
    pub(super) games: u64,
    /// The number of games whose line is not known to its end, by reason.
    pub(super) skipped: BTreeMap<&'static str, u64>,
    pub(super) positions: u64,
    pub(super) codes: [CodeSums; PositionCode::ALL.len()],
    /// How often `combined` chooses each of its codes.
    pub(super) choices: [u64; crate::internals::position::COMBINED.len()],
}
