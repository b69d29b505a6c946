//! Counts of symbols in their contexts.

use super::{Family, SymbolContext};

/// Counts of the symbols of some families.
#[derive(Debug, Clone)]
pub struct Tally {
    pub(super) families: Vec<SymbolCounts>,
}

/// Counts of one family; `None` for contexts that did not occur.
#[derive(Debug, Clone)]
pub(super) struct SymbolCounts {
    pub(super) family: Family,
    pub(super) contexts: Vec<Option<Box<[u32]>>>,
}

impl Tally {
    /// A tally of these families without counts.
    pub fn new(families: &[Family]) -> Tally {
        let counts = families.iter().map(|family| SymbolCounts {
            family: *family,
            contexts: vec![None; usize::try_from(family.contexts()).unwrap_or(0)],
        });
        Tally {
            families: counts.collect(),
        }
    }

    /// Counts a symbol. Returns `None` if there is no such place.
    pub(super) fn count(&mut self, place: SymbolContext, symbol: u8) -> Option<()> {
        let counts = self.families.get_mut(place.family)?;
        let family = counts.family;
        let context = counts.contexts.get_mut(place.context(&family)?)?;
        let context =
            context.get_or_insert_with(|| vec![0; usize::from(family.symbols)].into_boxed_slice());
        let count = context.get_mut(usize::from(symbol))?;
        *count = count.saturating_add(1);
        Some(())
    }

    /// Adds the counts of another tally of the same families.
    pub fn merge(&mut self, other: &Tally) {
        for (counts, others) in self.families.iter_mut().zip(&other.families) {
            for (context, other) in counts.contexts.iter_mut().zip(&others.contexts) {
                match (&mut *context, other) {
                    (_, None) => {}
                    (None, Some(_)) => context.clone_from(other),
                    (Some(counts), Some(others)) => add(counts, others),
                }
            }
        }
    }
}

impl SymbolCounts {
    /// The sum over a range of contexts; `None` if none of them occurred.
    pub(super) fn sum(&self, contexts: std::ops::Range<usize>) -> Option<Vec<u32>> {
        let seen = self.contexts.get(contexts)?.iter().flatten();
        seen.fold(None, |sum: Option<Vec<u32>>, counts| match sum {
            None => Some(counts.to_vec()),
            Some(mut sum) => {
                add(&mut sum, counts);
                Some(sum)
            }
        })
    }
}

fn add(counts: &mut [u32], others: &[u32]) {
    for (count, other) in counts.iter_mut().zip(others) {
        *count = count.saturating_add(*other);
    }
}
