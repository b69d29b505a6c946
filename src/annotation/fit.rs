//! Fitting the tables of a segment to its marks, step by step: templates,
//! patterns, schemes, the forecast. Each step counts, in any order, over all
//! records or some of them.

use super::candidates::SchemeCounts;
use super::families::families;
use super::item::Items;
use super::learn::TemplateCounts;
use super::notation::{Notation, signs};
use super::pattern::{MAX_PATTERN_MARKS, MAX_PATTERNS, Patterns, Sign};
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
}

/// The tables of a segment, as bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotationBytes {
    /// What marks are like.
    pub shapes: Vec<u8>,
    /// The forecast of them.
    pub forecast: Vec<u8>,
}

impl Fit {
    /// Takes the templates that comments have.
    pub fn new(counts: TemplateCounts) -> Self {
        let templates = counts.finish();
        Fit {
            notation: Notation {
                slots: Slots::of(&templates),
                templates,
                ..Notation::default()
            },
        }
    }

    /// What has been fitted so far: items are made by it.
    pub fn notation(&self) -> &Notation {
        &self.notation
    }

    /// Takes the patterns that groups have.
    pub fn take_patterns(&mut self, counts: PatternCounts) {
        self.notation.patterns = counts.finish();
    }

    /// No counts yet of what values are foreseen from.
    pub fn references(&self) -> SchemeCounts {
        SchemeCounts::of_references(&self.notation)
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

    /// The tables, with the forecast that suits these counts.
    pub fn finish(self, tally: &Tally) -> NotationBytes {
        NotationBytes {
            shapes: self.notation.write_shapes(),
            forecast: tally.fit(),
        }
    }
}

impl Fit {
    /// DEBUG
    pub fn debug(&self) {
        if std::env::var_os("MARKS_DEBUG").is_none() {
            return;
        }
        let n = &self.notation;
        for (i, t) in n.templates.iter().enumerate().take(40) {
            let mut s = String::new();
            for (j, (l, f)) in t.fields.iter().enumerate() {
                s += &String::from_utf8_lossy(l);
                let k = match f {
                    super::Field::Number(x) => format!(
                        "<N{}.{} {:?} {:?}",
                        x.digits.least(),
                        x.digits.most(),
                        x.sign,
                        x.mates
                    ),
                    super::Field::Clock(x) => format!(
                        "<C{}.{} {}{}",
                        x.digits.least(),
                        x.digits.most(),
                        x.has_hours,
                        x.is_padded
                    ),
                    f => format!("<{f:?}"),
                };
                s += &format!("{k} s{}>", n.slots.of_field(i as u16, j));
            }
            s += &String::from_utf8_lossy(&t.end);
            eprintln!("T{i} {s:?}");
        }
        eprintln!(
            "{} templates {} patterns",
            n.templates.len(),
            n.patterns.len()
        );
        for (i, (s, c)) in n.slots.slots.iter().zip(&n.schemes).enumerate() {
            eprintln!("S{i} {s:?} {c:?}");
        }
        for i in 1..=n.patterns.len().min(40) {
            eprintln!("P{i} {:?}", n.patterns.get(i as u8));
        }
    }
}
