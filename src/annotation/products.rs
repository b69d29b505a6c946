//! Finding slots whose values are close to the product of two others, such as
//! nodes = speed × time.

use super::candidates::TRIED_SLOTS;
use super::game_values::GameValues;
use super::history::size;
use super::notation::Notation;
use super::reference::{Reference, SHIFT};

/// Smaller values are cheap to code without a product.
const LEAST_VALUE: i64 = 1 << 12;

/// 100 × `size` of a factor of ten.
const TEN: i64 = 21_260;

/// Compares values with the products of values of other slots.
#[derive(Debug, Clone)]
pub struct ProductCounts {
    /// For each slot, all pairs of other slots.
    slots: Vec<Vec<Pair>>,
}

/// Statistics of `size(value)` minus the size of a product.
#[derive(Debug, Clone, Copy)]
struct Pair {
    factors: [u8; 2],
    count: i64,
    sum: i64,
    squares: i64,
}

impl ProductCounts {
    pub(super) fn new(notation: &Notation) -> Self {
        let slots = notation.slots.slots.len();
        let tried = u8::try_from(slots).unwrap_or(u8::MAX).min(TRIED_SLOTS);
        let pairs = |slot: u8| {
            let others = (0..tried)
                .filter(|other| *other != slot)
                .collect::<Vec<u8>>();
            let pairs = others.iter().flat_map(|a| {
                let later = others.iter().filter(move |b| *b > a);
                later.map(move |b| Pair {
                    factors: [*a, *b],
                    count: 0,
                    sum: 0,
                    squares: 0,
                })
            });
            pairs.collect()
        };
        ProductCounts {
            slots: (0..tried).map(pairs).collect(),
        }
    }

    /// Counts the values of a movetext.
    pub fn add(&mut self, notation: &Notation, values: &GameValues) {
        values.follow(notation, |view, _, value| {
            if value < LEAST_VALUE {
                return;
            }
            for pair in self.slots.get_mut(view.slot).into_iter().flatten() {
                let last = pair.factors.map(|slot| view.value(Reference::Last(slot)));
                if let [Some(a @ 1..), Some(b @ 1..)] = last {
                    let more = size(value) - size(a) - size(b);
                    pair.count += 1;
                    pair.sum += more;
                    pair.squares += more * more;
                }
            }
        });
    }

    /// Adds the counts of another instance.
    pub fn merge(&mut self, other: ProductCounts) {
        let pairs = self.slots.iter_mut().flatten();
        for (pair, other) in pairs.zip(other.slots.iter().flatten()) {
            pair.count += other.count;
            pair.sum += other.sum;
            pair.squares += other.squares;
        }
    }

    /// For each slot, the product whose ratio to its values varies least.
    pub(super) fn best(&self) -> Vec<Option<Reference>> {
        let best = |pairs: &Vec<Pair>| {
            let most = pairs.iter().map(|pair| pair.count).max().unwrap_or(0);
            let often = pairs.iter().filter(|pair| pair.count > most / 2);
            often.min_by_key(|pair| pair.variance())?.reference()
        };
        self.slots.iter().map(best).collect()
    }
}

impl Pair {
    fn variance(&self) -> i64 {
        let mean = self.sum / self.count.max(1);
        self.squares / self.count.max(1) - mean * mean
    }

    fn reference(&self) -> Option<Reference> {
        let mean = self.sum / self.count.max(1);
        let decimals = (mean * 100 + TEN / 2).div_euclid(TEN);
        let shift = u8::try_from(decimals + i64::from(SHIFT)).ok()?;
        let [a, b] = self.factors;
        (shift <= 2 * SHIFT).then_some(Reference::Product(a, b, shift))
    }
}
