//! Estimating the cost of symbols from adaptive counts, without fitted
//! distributions.

use crate::codec::distributions::{DistributionError, Family, SymbolCoder, SymbolContext};
use crate::codec::log::{BIT, log};
use foldhash::HashMap;

/// The probability 1; probabilities are in units of 2^−20.
const ONE: u64 = 1 << 20;
/// The weight of the coarser context's estimate, in symbols.
const COARSER_WEIGHT: u64 = 3;

/// A coder that adds up the estimated cost of symbols. The probability of a
/// symbol is that of its frequency so far in its context, smoothed by the
/// estimate of the coarser context.
#[derive(Debug)]
pub(super) struct AdaptiveCost {
    families: Vec<FamilyCounts>,
    /// In 1/1024 bit.
    pub(super) cost: u64,
}

/// The counts of a family. Those of a context are the total, then one for each symbol.
#[derive(Debug)]
struct FamilyCounts {
    family: Family,
    /// In one context.
    all: Vec<u32>,
    /// In the outer contexts.
    outer: Vec<u32>,
    /// In the contexts that occurred, in order of their first occurrence.
    inner: Vec<u32>,
    /// The numbers of the contexts that occurred.
    known: HashMap<u64, usize>,
}

impl AdaptiveCost {
    pub(super) fn new(families: Vec<Family>) -> AdaptiveCost {
        AdaptiveCost {
            families: families.into_iter().map(FamilyCounts::new).collect(),
            cost: 0,
        }
    }
}

impl FamilyCounts {
    fn new(family: Family) -> FamilyCounts {
        FamilyCounts {
            family,
            all: Vec::new(),
            outer: Vec::new(),
            inner: Vec::new(),
            known: HashMap::default(),
        }
    }

    /// The number of counts of a context.
    fn width(&self) -> usize {
        usize::from(self.family.symbols) + 1
    }

    /// Adds a symbol to its contexts. Returns its estimated probability before.
    fn count(&mut self, place: SymbolContext, symbol: u8) -> u64 {
        let family = self.family;
        let width = self.width();
        let mut probability = ONE / u64::from(family.symbols.max(1));
        self.all.resize(width, 0);
        add(&mut self.all, symbol, &mut probability);
        let outer = usize::try_from(place.outer).unwrap_or(0);
        if family.outer > 1 {
            let contexts = usize::try_from(family.outer).unwrap_or(0);
            self.outer.resize(contexts * width, 0);
            let counts = self.outer.get_mut(outer * width..).unwrap_or_default();
            add(counts, symbol, &mut probability);
        }
        if family.inner > 1 {
            let context = u64::from(place.outer) << 32 | u64::from(place.inner);
            let number = self.known.len();
            let number = *self.known.entry(context).or_insert(number);
            if self.inner.len() <= number * width {
                self.inner.resize((number + 1) * width, 0);
            }
            let counts = self.inner.get_mut(number * width..).unwrap_or_default();
            add(counts, symbol, &mut probability);
        }
        probability
    }
}

/// Adds a symbol to the counts of a context, of which there may be more than those of
/// this one, and smooths its frequency in it by the estimate of the coarser context.
fn add(counts: &mut [u32], symbol: u8, probability: &mut u64) {
    let Some((all, counts)) = counts.split_first_mut() else {
        return;
    };
    let Some(count) = counts.get_mut(usize::from(symbol)) else {
        return;
    };
    let frequency = u64::from(*count) * ONE + COARSER_WEIGHT * *probability;
    *probability = frequency / (u64::from(*all) + COARSER_WEIGHT);
    *all += 1;
    *count += 1;
}

impl SymbolCoder for AdaptiveCost {
    fn symbol(&mut self, place: SymbolContext, symbol: u8) -> Result<u8, DistributionError> {
        let family = self
            .families
            .get_mut(place.family)
            .ok_or(DistributionError::UnknownContext)?;
        let probability = family.count(place, symbol);
        let chance = u32::try_from(probability.max(1)).unwrap_or(u32::MAX);
        self.cost += u64::from((20 * BIT).saturating_sub(log(chance)));
        Ok(symbol)
    }

    fn bits(&mut self, count: u32, value: u64) -> Result<u64, DistributionError> {
        self.cost += u64::from(count * BIT);
        Ok(value)
    }
}
