//! The softmax temperature of a model's scores (`spec/models.md`, "Temperature").
//!
//! A model is applied to games that differ from its training games. Where the
//! best moves are played more often than it predicts, the differences between its
//! scores should be larger (a lower temperature), and elsewhere smaller. The code
//! uses the inverse temperature, the factor of these differences. It
//! is a sum of a few terms, selected by the surprise of the moves so far, the
//! rating of the side to move, the ply and the number of plausible moves. A model
//! has terms of its own. A segment may add others, fitted to its games.

mod bucket;
mod fit;
mod surprise;

use bucket::TERMS;
pub(in super::super) use bucket::TemperatureBuckets;
pub(in super::super) use surprise::Surprise;

use super::super::probabilities::NEUTRAL;
use crate::bits::BitsError;

/// The encoded size of the terms, in bytes: four bits a term, padded by four
/// bits.
const BYTES: usize = TERMS.div_ceil(2);

/// The minimum and maximum inverse temperature, in 1/32.
const BOUNDS: (u32, u32) = (16, 48);

/// Terms of the inverse temperature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Temperature {
    /// In 1/32; −8 to 7.
    terms: [i8; TERMS],
}

impl Temperature {
    /// Terms without effect.
    pub const NEUTRAL: Temperature = Temperature { terms: [0; TERMS] };

    /// Encodes two terms a byte, the first in the higher bits.
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

    /// Decodes terms.
    ///
    /// # Errors
    /// The bits after the last term are not 0.
    pub(in super::super) fn from_bytes(bytes: [u8; BYTES]) -> Result<Self, BitsError> {
        let mut terms = [0; TERMS];
        for (terms, byte) in terms.chunks_mut(2).zip(bytes) {
            for (term, nibble) in terms.iter_mut().zip([byte, byte << 4]) {
                *term = nibble.cast_signed() >> 4;
            }
        }
        let temperature = Temperature { terms };
        if temperature.to_bytes() == bytes {
            Ok(temperature)
        } else {
            Err(BitsError::Trailing)
        }
    }

    /// The number of terms that are not 0.
    pub(in super::super) fn terms(&self) -> u64 {
        self.terms.iter().filter(|term| **term != 0).count() as u64
    }

    /// The sum of the terms that apply to a cell.
    fn sum(&self, cell: TemperatureBuckets) -> i32 {
        let terms = cell.terms().map(|term| self.terms.get(term).copied());
        terms.into_iter().flatten().map(i32::from).sum()
    }
}

/// The inverse temperature, in 1/32, by the terms of the model and of the
/// segment.
pub(in super::super) fn inverse_temperature(
    all: [&Temperature; 2],
    cell: TemperatureBuckets,
) -> u32 {
    bounded(all.map(|terms| terms.sum(cell)).iter().sum())
}

fn bounded(sum: i32) -> u32 {
    NEUTRAL.saturating_add_signed(sum).clamp(BOUNDS.0, BOUNDS.1)
}

#[cfg(test)]
mod tests;
