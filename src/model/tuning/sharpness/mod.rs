//! How far a model's scores are to be trusted (`spec/models.md`, "Temperature").
//!
//! A model is trained on some games and meets others. Where the moves that are
//! played are more often the best than it expects, its scores should lie further
//! apart, and elsewhere closer together. How much is a sum of a few terms: of how
//! surprising the side's moves were so far, of its rating, of the ply, and of how
//! many moves come into question. A model has terms of its own; a segment may add
//! others, which are fitted to its games.

mod cell;
mod fit;
mod surprise;

pub(in super::super) use cell::Cell;
use cell::TERMS;
pub(in super::super) use surprise::Surprise;

use super::super::probabilities::PLAIN;
use crate::bits::BitsError;

/// Four bits a term, and four more.
const BYTES: usize = TERMS.div_ceil(2);

/// The sharpness never leaves these bounds.
const BOUNDS: (u32, u32) = (16, 48);

/// Terms that change how sharp a model's scores are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Temperature {
    /// In 1/32 of the scores; −8 to 7.
    terms: [i8; TERMS],
}

impl Temperature {
    /// What changes nothing.
    pub const NEUTRAL: Temperature = Temperature { terms: [0; TERMS] };

    /// Two terms a byte, the first in the higher bits.
    pub(in super::super) fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (byte, terms) in bytes.iter_mut().zip(self.terms.chunks(2)) {
            let nibble = |at| {
                terms
                    .get(at)
                    .map_or(0, |term: &i8| term.cast_unsigned() & 15)
            };
            *byte = nibble(0) << 4 | nibble(1);
        }
        bytes
    }

    /// # Errors
    /// The bits after the last term are not 0.
    pub(in super::super) fn from_bytes(bytes: [u8; BYTES]) -> Result<Self, BitsError> {
        let mut terms = [0; TERMS];
        for (terms, byte) in terms.chunks_mut(2).zip(bytes) {
            for (term, nibble) in terms.iter_mut().zip([byte, byte << 4]) {
                *term = nibble.cast_signed() >> 4;
            }
        }
        let sharpness = Temperature { terms };
        if sharpness.to_bytes() == bytes {
            Ok(sharpness)
        } else {
            Err(BitsError::Trailing)
        }
    }

    /// How many terms are not 0.
    pub(in super::super) fn terms(&self) -> u64 {
        self.terms.iter().filter(|term| **term != 0).count() as u64
    }

    /// The sum of the terms that bear on a cell.
    fn sum(&self, cell: Cell) -> i32 {
        let terms = cell.terms().map(|term| self.terms.get(term).copied());
        terms.into_iter().flatten().map(i32::from).sum()
    }
}

/// How sharp scores are by the terms of a model and of a segment.
pub(in super::super) fn sharpness(all: [&Temperature; 2], cell: Cell) -> u32 {
    bounded(all.map(|terms| terms.sum(cell)).iter().sum())
}

fn bounded(sum: i32) -> u32 {
    PLAIN.saturating_add_signed(sum).clamp(BOUNDS.0, BOUNDS.1)
}

#[cfg(test)]
mod tests;
