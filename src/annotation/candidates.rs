//! Choosing the scheme of each slot: candidate schemes are compared by their
//! estimated coded size.

use super::families::{FAULTS, UNKNOWN};
use super::game_values::GameValues;
use super::history::{HistoryView, SIZES};
use super::notation::Notation;
use super::reference::{Reference, ReferenceScheme, WEIGHTS};
use super::slots::{SlotKind, ValueSlot};
use crate::codec::distributions::signed_symbol;
use crate::codec::log::log;

/// Only the first `TRIED_SLOTS` slots are tried as references for other slots.
pub(super) const TRIED_SLOTS: u8 = 24;

/// Increments, in seconds, that are tried for games whose time control states
/// none.
const INCREMENTS: [u8; 10] = [0, 1, 2, 3, 5, 10, 15, 20, 30, 60];

/// The estimated cost of one symbol in a stored table, in 1/1024 bit.
const ENTRY: u64 = 5 << 10;

/// Counts the residuals of values under each candidate scheme of their slot.
#[derive(Debug, Clone)]
pub struct SchemeCounts {
    slots: Vec<Vec<ValueCandidate>>,
}

#[derive(Debug, Clone)]
struct ValueCandidate {
    scheme: ReferenceScheme,
    /// Whether counts are separated by coding context. References are compared
    /// without contexts, except for whether a prediction exists.
    has_contexts: bool,
    contexts: Vec<Option<Box<[u32; 256]>>>,
    open_bits: u64,
}

impl SchemeCounts {
    /// Counts for every candidate reference of every slot.
    pub(super) fn of_references(notation: &Notation, products: &[Option<Reference>]) -> Self {
        let slots = (0u8..).zip(&notation.slots.slots);
        let count = u8::try_from(notation.slots.slots.len()).unwrap_or(u8::MAX);
        let slots = slots.map(|(slot, form)| {
            let mut references = references(slot, *form, count.min(TRIED_SLOTS));
            references.extend(products.get(usize::from(slot)).copied().flatten());
            let schemes = references.into_iter().map(|reference| ReferenceScheme {
                reference,
                ..ReferenceScheme::DEFAULT
            });
            schemes
                .map(|scheme| ValueCandidate::new(scheme, false))
                .collect()
        });
        SchemeCounts {
            slots: slots.collect(),
        }
    }

    /// Counts for every set of weights and both orientations, with the
    /// reference of each slot fixed.
    pub(super) fn of_weights(notation: &Notation) -> Self {
        let weights = (0u8..).zip(WEIGHTS).map(|(weights, _)| weights);
        let slots = notation.schemes.iter().map(|scheme| {
            let schemes = [false, true].into_iter().flat_map(|is_oriented| {
                weights.clone().map(move |weights| ReferenceScheme {
                    is_oriented,
                    weights,
                    ..*scheme
                })
            });
            schemes
                .map(|scheme| ValueCandidate::new(scheme, true))
                .collect()
        });
        SchemeCounts {
            slots: slots.collect(),
        }
    }

    /// Counts the values of a movetext.
    pub fn add(&mut self, notation: &Notation, values: &GameValues) {
        values.follow(notation, |view, fault, value| {
            for candidate in self.slots.get_mut(view.slot).into_iter().flatten() {
                candidate.add(view, fault, value);
            }
        });
    }

    /// Adds the counts of another instance.
    pub fn merge(&mut self, other: SchemeCounts) {
        let pairs = self
            .slots
            .iter_mut()
            .flatten()
            .zip(other.slots.iter().flatten());
        pairs.for_each(|(candidate, other)| candidate.merge(other));
    }

    /// The cheapest scheme of each slot for all games, of which one in `stride` was counted;
    /// the first one on a tie.
    pub(super) fn best(&self, stride: u64) -> Vec<ReferenceScheme> {
        let best = |candidates: &Vec<ValueCandidate>| {
            let best = candidates
                .iter()
                .min_by_key(|candidate| candidate.cost(stride));
            best.map_or(ReferenceScheme::DEFAULT, |candidate| candidate.scheme)
        };
        self.slots.iter().map(best).collect()
    }
}

/// The candidate references for a value of a slot.
fn references(slot: u8, form: ValueSlot, slots: u8) -> Vec<Reference> {
    let mut references = vec![Reference::Nothing, Reference::Own, Reference::Other];
    if form.kind == SlotKind::Clock {
        references.extend(INCREMENTS.map(Reference::Left));
    }
    for other in (0..slots).filter(|other| *other != slot) {
        references.extend([Reference::Last(other), Reference::OwnLess(other)]);
    }
    references
}

impl ValueCandidate {
    fn new(scheme: ReferenceScheme, has_contexts: bool) -> Self {
        let contexts = if has_contexts {
            (FAULTS + 1) * SIZES
        } else {
            2
        };
        ValueCandidate {
            scheme,
            has_contexts,
            contexts: vec![None; usize::try_from(contexts).unwrap_or(0)],
            open_bits: 0,
        }
    }

    fn add(&mut self, view: &HistoryView<'_>, fault: u32, value: i64) {
        let prediction = view.predict(&self.scheme);
        let size = || view.expected_size(&self.scheme, &prediction);
        let context = match (self.has_contexts, prediction.is_known) {
            (false, is_known) => u32::from(is_known),
            (true, true) => fault * SIZES + size(),
            (true, false) => UNKNOWN * SIZES + size(),
        };
        let (symbol, open_bits) = signed_symbol(prediction.difference(value));
        self.open_bits += u64::from(open_bits);
        let context = usize::try_from(context).ok();
        let context = context.and_then(|context| self.contexts.get_mut(context));
        let Some(context) = context else { return };
        let counts = context.get_or_insert_with(|| Box::new([0; 256]));
        if let Some(count) = counts.get_mut(usize::from(symbol)) {
            *count = count.saturating_add(1);
        }
    }

    fn merge(&mut self, other: &ValueCandidate) {
        self.open_bits += other.open_bits;
        for (context, other) in self.contexts.iter_mut().zip(&other.contexts) {
            let Some(other) = other else { continue };
            let counts = context.get_or_insert_with(|| Box::new([0; 256]));
            for (count, other) in counts.iter_mut().zip(other.iter()) {
                *count = count.saturating_add(*other);
            }
        }
    }

    /// The estimated size of the coded values of all games, of which one in `stride` was
    /// counted, in 1/1024 bit. The table is stored once, whatever the sample.
    fn cost(&self, stride: u64) -> u64 {
        let contexts = self.contexts.iter().flatten();
        let symbols = contexts.map(|counts| {
            let all = counts
                .iter()
                .fold(0u32, |all, count| all.saturating_add(*count));
            let seen = counts.iter().filter(|count| **count > 0);
            seen.map(|count| {
                let bits = u64::from(log(all).saturating_sub(log(*count)));
                let count = stride * u64::from(*count);
                ENTRY.min(count << 12) + bits * count
            })
            .sum::<u64>()
        });
        symbols.sum::<u64>() + self.open_bits * (stride << 10)
    }
}
