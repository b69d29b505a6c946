//! Estimating the cost of symbols from adaptive counts, without fitted
//! distributions.

use crate::codec::distributions::{DistributionError, Family, SymbolCoder, SymbolContext};
use crate::codec::log::{BIT, log};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The probability 1; probabilities are in units of 2^−20.
const ONE: u64 = 1 << 20;
/// The weight of the coarser context's estimate, in symbols.
const COARSER_WEIGHT: u64 = 3;

/// A coder that adds up the estimated cost of symbols. The probability of a
/// symbol is that of its frequency so far in its context, smoothed by the
/// estimate of the coarser context.
#[derive(Debug)]
pub(super) struct AdaptiveCost {
    families: Vec<Family>,
    counts: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    /// In 1/1024 bit.
    pub(super) cost: u64,
}

/// The symbol under which the total of a context is counted.
const TOTAL_SYMBOL: u64 = 511;

impl AdaptiveCost {
    pub(super) fn new(families: Vec<Family>) -> AdaptiveCost {
        AdaptiveCost {
            families,
            counts: HashMap::default(),
            cost: 0,
        }
    }

    /// Adds a symbol to a context. Returns the number of its earlier
    /// occurrences in the context, and of all earlier symbols.
    fn count(&mut self, context: u64, symbol: u8) -> (u64, u64) {
        let mut add = |symbol: u64| {
            let count = self.counts.entry(context << 9 | symbol).or_default();
            *count += 1;
            u64::from(*count - 1)
        };
        (add(symbol.into()), add(TOTAL_SYMBOL))
    }
}

impl SymbolCoder for AdaptiveCost {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        let family = *self
            .families
            .get(place.family)
            .ok_or(DistributionError::UnknownContext)?;
        let number = place.family as u64;
        let mut probability = ONE / u64::from(family.symbols.max(1));
        let outer = u64::from(place.outer);
        let levels = [
            (true, 0, 0),
            (family.outer > 1, 1, outer),
            (
                family.inner > 1,
                2,
                outer * u64::from(family.inner) + u64::from(place.inner),
            ),
        ];
        for (_, level, context) in levels.into_iter().filter(|(exists, ..)| *exists) {
            let (count, all) = self.count(context << 5 | number << 2 | level, symbol);
            probability = (count * ONE + COARSER_WEIGHT * probability) / (all + COARSER_WEIGHT);
        }
        let chance = u32::try_from(probability.max(1)).unwrap_or(u32::MAX);
        self.cost += u64::from((20 * BIT).saturating_sub(log(chance)));
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, DistributionError> {
        self.cost += u64::from(count * BIT);
        Ok(value)
    }
}

/// Contexts and symbols are few, so the hash need not resist crafted
/// collisions.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
