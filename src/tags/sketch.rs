//! Estimating the cost of symbols from adaptive counts, without fitted
//! distributions.

use crate::codec::forecast::{Coder, Family, ForecastError, Place};
use crate::codec::log::{BIT, log};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The probability 1; probabilities are in units of 2^−20.
const ONE: u64 = 1 << 20;
/// The weight of the coarser context's estimate, in symbols.
const COARSER: u64 = 3;

/// A coder that adds up the estimated cost of symbols. The probability of a
/// symbol is that of its frequency so far in its context, smoothed by the
/// estimate of the coarser context.
#[derive(Debug)]
pub(super) struct Sketch {
    families: Vec<Family>,
    counts: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    /// In 1/1024 bit.
    pub(super) cost: u64,
}

/// The symbol under which the total of a context is counted.
const ALL: u64 = 511;

impl Sketch {
    pub(super) fn new(families: Vec<Family>) -> Sketch {
        Sketch {
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
        (add(symbol.into()), add(ALL))
    }
}

impl Coder for Sketch {
    fn symbol(&mut self, place: Place, symbol: u8) -> Result<u8, ForecastError> {
        let family = *self
            .families
            .get(place.family)
            .ok_or(ForecastError::NoPlace)?;
        let number = place.family as u64;
        let mut chance = ONE / u64::from(family.symbols.max(1));
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
        for (_, level, context) in levels.into_iter().filter(|(is_there, ..)| *is_there) {
            let (count, all) = self.count(context << 5 | number << 2 | level, symbol);
            chance = (count * ONE + COARSER * chance) / (all + COARSER);
        }
        let chance = u32::try_from(chance.max(1)).unwrap_or(u32::MAX);
        self.cost += u64::from((20 * BIT).saturating_sub(log(chance)));
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, ForecastError> {
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
