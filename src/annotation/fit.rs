//! Fitting the tables of a segment to its marks, in steps: templates, patterns,
//! schemes, distributions. Each step counts over all records or a sample of
//! them, in any order.

use super::candidates::SchemeCounts;
use super::families::families;
use super::game_values::GameValues;
use super::item::Items;
use super::learn::TemplateCounts;
use super::lines::Kinds;
use super::notation::{Notation, signs};
use super::pattern::{MAX_PATTERN_MARKS, MAX_PATTERNS, Patterns, Sign};
use super::products::ProductCounts;
use super::reference::Reference;
use super::slots::Slots;
use super::time::TimeControl;
use crate::codec::distributions::{SymbolCounter, Tally};
use foldhash::HashMap;

/// The minimum number of groups for a pattern to be stored.
const LEAST_GROUPS: u64 = 4;

/// Counts groups of marks by their patterns.
#[derive(Debug, Clone, Default)]
pub struct PatternCounts {
    counts: HashMap<Vec<Sign>, u64>,
}

impl PatternCounts {
    /// Counts the groups of a movetext of `plies` plies.
    pub fn add(&mut self, plies: usize, items: &Items<'_>) {
        if items.is_empty() {
            return;
        }
        let mut groups = 0;
        for group in items.chunk_by(|(a, _), (b, _)| a == b) {
            groups += 1;
            if group.len() <= MAX_PATTERN_MARKS {
                *self.counts.entry(signs(group)).or_default() += 1;
            }
        }
        let empty = (plies + 1).saturating_sub(groups) as u64;
        *self.counts.entry(Vec::new()).or_default() += empty;
    }

    /// Adds the counts of another instance.
    pub fn merge(&mut self, other: PatternCounts) {
        for (signs, count) in other.counts {
            *self.counts.entry(signs).or_default() += count;
        }
    }

    /// The frequent patterns, the most frequent first.
    fn finish(self) -> Patterns {
        let mut counts: Vec<_> = self.counts.into_iter().collect();
        counts.retain(|(_, count)| *count >= LEAST_GROUPS);
        counts.sort_unstable_by(|(a, a_count), (b, b_count)| {
            b_count.cmp(a_count).then_with(|| a.cmp(b))
        });
        counts.truncate(MAX_PATTERNS);
        Patterns::new(counts.into_iter().map(|(signs, _)| signs).collect())
    }
}

/// Tables that are being fitted.
#[derive(Debug, Clone, Default)]
pub struct NotationFit {
    notation: Notation,
    /// Whether any record has marks.
    has_marks: bool,
    /// The product reference to try for each slot, if any.
    products: Vec<Option<Reference>>,
}

/// The encoded tables of a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotationBytes {
    /// The templates, patterns and schemes.
    pub shapes: Vec<u8>,
    /// The distributions of the marks.
    pub distributions: Vec<u8>,
    /// The distributions of the lines in comments.
    pub lines: Vec<u8>,
}

impl NotationFit {
    /// Starts with the templates that the counts yield.
    pub fn new(counts: TemplateCounts) -> Self {
        let templates = counts.finish();
        NotationFit {
            notation: Notation {
                slots: Slots::of(&templates),
                kinds: Kinds::of(&templates),
                templates,
                ..Notation::default()
            },
            ..NotationFit::default()
        }
    }

    /// The tables fitted so far. Items must be made with their templates.
    pub fn notation(&self) -> &Notation {
        &self.notation
    }

    /// Sets the patterns.
    pub fn take_patterns(&mut self, counts: PatternCounts) {
        self.has_marks = !counts.counts.is_empty();
        self.notation.patterns = counts.finish();
    }

    /// The values in the comments of a movetext.
    pub fn values(&self, items: &Items<'_>, time: TimeControl) -> GameValues {
        GameValues::new(&self.notation, items, time)
    }

    /// Empty counts of products of values.
    pub fn products(&self) -> ProductCounts {
        ProductCounts::new(&self.notation)
    }

    /// Sets the product reference to try for each slot.
    pub fn take_products(&mut self, counts: &ProductCounts) {
        self.products = counts.best();
    }

    /// Empty counts for the choice of references.
    pub fn references(&self) -> SchemeCounts {
        SchemeCounts::of_references(&self.notation, &self.products)
    }

    /// Empty counts for the choice of weights.
    pub fn weights(&self) -> SchemeCounts {
        SchemeCounts::of_weights(&self.notation)
    }

    /// Sets the cheapest scheme of each slot, by the values of one game in `stride`.
    pub fn take_schemes(&mut self, counts: &SchemeCounts, stride: u64) {
        self.notation.schemes = counts.best(stride);
    }

    /// Empty counts of symbols.
    pub fn tally(&self) -> Tally {
        Tally::new(&families(self.notation.slots.slots.len()))
    }

    /// Counts the symbols of a movetext of `plies` plies.
    pub fn count(&self, tally: &mut Tally, plies: usize, items: &Items<'_>, time: TimeControl) {
        // A movetext that cannot be written is counted up to the error.
        let _ = self.notation.code(SymbolCounter(tally), plies, items, time);
    }

    /// The encoded tables, with distributions fitted to `tally`. All are empty
    /// if there are no marks.
    pub fn finish(self, tally: &Tally) -> NotationBytes {
        if !self.has_marks {
            return NotationBytes::default();
        }
        NotationBytes {
            shapes: self.notation.write_shapes(),
            distributions: tally.fit(),
            lines: Vec::new(),
        }
    }
}
