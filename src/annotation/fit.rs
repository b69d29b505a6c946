//! Fitting the tables of a segment to its marks, step by step: templates,
//! patterns, schemes, the forecast. Each step counts, in any order, over all
//! records or some of them.

use super::candidates::SchemeCounts;
use super::families::families;
use super::item::Items;
use super::learn::TemplateCounts;
use super::lines::Kinds;
use super::notation::{Notation, signs};
use super::pattern::{MAX_PATTERN_MARKS, MAX_PATTERNS, Patterns, Sign};
use super::products::ProductCounts;
use super::reference::Reference;
use super::slots::Slots;
use super::time::TimeControl;
use crate::codec::forecast::{Counter, Tally};
use std::collections::HashMap;

/// A pattern stays if its groups are at least so many.
const LEAST_GROUPS: u64 = 4;

/// Counts groups of marks by their patterns.
#[derive(Debug, Clone, Default)]
pub struct PatternCounts {
    counts: HashMap<Vec<Sign>, u64>,
}

impl PatternCounts {
    /// Counts the groups of a movetext of so many plies.
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

    /// Adds what others have counted.
    pub fn merge(&mut self, other: PatternCounts) {
        for (signs, count) in other.counts {
            *self.counts.entry(signs).or_default() += count;
        }
    }

    /// The patterns that come often, the most frequent first.
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
pub struct Fit {
    notation: Notation,
    /// Whether there are marks at all.
    has_marks: bool,
    /// The products that may be worth a try, by slot.
    products: Vec<Option<Reference>>,
}

/// The tables of a segment, as bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotationBytes {
    /// What marks are like.
    pub shapes: Vec<u8>,
    /// The forecast of them.
    pub forecast: Vec<u8>,
    /// The forecast of the lines in comments.
    pub lines: Vec<u8>,
}

impl Fit {
    /// Takes the templates that comments have.
    pub fn new(counts: TemplateCounts) -> Self {
        let templates = counts.finish();
        Fit {
            notation: Notation {
                slots: Slots::of(&templates),
                kinds: Kinds::of(&templates),
                templates,
                ..Notation::default()
            },
            ..Fit::default()
        }
    }

    /// What has been fitted so far: items are made by it.
    pub fn notation(&self) -> &Notation {
        &self.notation
    }

    /// Takes the patterns that groups have.
    pub fn take_patterns(&mut self, counts: PatternCounts) {
        self.has_marks = !counts.counts.is_empty();
        self.notation.patterns = counts.finish();
    }

    /// No counts yet of products of values.
    pub fn products(&self) -> ProductCounts {
        ProductCounts::new(&self.notation)
    }

    /// Takes the products that values are closest to.
    pub fn take_products(&mut self, counts: &ProductCounts) {
        self.products = counts.best();
    }

    /// No counts yet of what values are foreseen from.
    pub fn references(&self) -> SchemeCounts {
        SchemeCounts::of_references(&self.notation, &self.products)
    }

    /// No counts yet of how far values differ from that.
    pub fn weights(&self) -> SchemeCounts {
        SchemeCounts::of_weights(&self.notation)
    }

    /// Takes the schemes that suit the values of each slot best.
    pub fn take_schemes(&mut self, counts: &SchemeCounts) {
        self.notation.schemes = counts.best();
    }

    /// No counts yet of symbols.
    pub fn tally(&self) -> Tally {
        Tally::new(&families(self.notation.slots.slots.len()))
    }

    /// Counts the symbols of a movetext of so many plies.
    pub fn count(&self, tally: &mut Tally, plies: usize, items: &Items<'_>, time: TimeControl) {
        // What cannot be written is not counted to its end.
        let _ = self.notation.code(Counter(tally), plies, items, time);
    }

    /// The tables, with the forecast that suits these counts; none without marks.
    pub fn finish(self, tally: &Tally) -> NotationBytes {
        if !self.has_marks {
            return NotationBytes::default();
        }
        NotationBytes {
            shapes: self.notation.write_shapes(),
            forecast: tally.fit(),
            lines: Vec::new(),
        }
    }
}
