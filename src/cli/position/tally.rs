//! What the codes made of many positions, added up.

use crate::bits::BitString;
use crate::position::Code;
use std::collections::BTreeMap;

/// What a code made of many positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// Positions that the code has bits for.
    pub(super) positions: u64,
    pub(super) bits: u64,
    /// The most bits of a position.
    pub(super) most: u64,
    /// Positions that the code cannot represent.
    pub(super) refused: u64,
}

impl Sums {
    /// Notes a position, or that the code has no bits for it.
    pub(super) fn add(&mut self, encoded: Option<&BitString>) {
        match encoded {
            Some(encoded) => {
                self.positions += 1;
                self.bits += encoded.bit_len();
                self.most = self.most.max(encoded.bit_len());
            }
            None => self.refused += 1,
        }
    }

    /// Bits of a position; none where the code has bits for none.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.positions > 0).then(|| self.bits as f64 / self.positions as f64)
    }
}

/// What all codes made of many positions.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) games: u64,
    /// Games that are not known to their end, by reason.
    pub(super) left_out: BTreeMap<&'static str, u64>,
    pub(super) positions: u64,
    pub(super) codes: [Sums; Code::ALL.len()],
    /// How often `combined` takes each of its codes.
    pub(super) choices: [u64; crate::position::COMBINED.len()],
}
