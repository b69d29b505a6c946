//! Slots: series of values across comments.
//!
//! The clock of a comment follows from that of an earlier one, whatever else
//! the two contain. So number and time fields of all templates are grouped by
//! the word before them.

use super::template::{CommentTemplate, TemplateField};
use super::templates::Templates;
use std::collections::BTreeMap;

/// A segment has at most this many slots; further fields share the last one.
pub const MAX_SLOTS: usize = 64;

/// The properties that fields of one slot share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct SlotKey<'t> {
    is_clock: bool,
    /// The maximum number of decimal places.
    decimals: u8,
    /// The last word before the field.
    label: &'t [u8],
    /// The number of fields between the word and the field.
    ordinal: usize,
}

/// A slot, as given by its first field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValueSlot {
    /// The number of units in a whole.
    pub(super) unit: i64,
    pub(super) kind: SlotKind,
}

/// The kind of a slot, for statistics and the choice of references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotKind {
    Clock,
    Eval,
    Other,
}

/// The word before evaluations.
const EVAL: &[u8] = b"eval";

/// The slot of each field of each template.
#[derive(Debug, Clone, Default)]
pub(super) struct Slots {
    pub(super) slots: Vec<ValueSlot>,
    /// For each template, the slots of its fields; 0 for fields that hold text.
    of_fields: Vec<Vec<u8>>,
}

impl Slots {
    /// Numbers the slots in the order of first use in templates and their
    /// fields.
    pub(super) fn of(templates: &Templates) -> Slots {
        let mut slots = Slots::default();
        let mut numbers: BTreeMap<SlotKey<'_>, u8> = BTreeMap::new();
        for template in templates.iter() {
            let fields = keys(template).map(|key| match key {
                None => 0,
                Some((key, slot)) => *numbers.entry(key).or_insert_with(|| slots.number(slot)),
            });
            let fields = fields.collect();
            slots.of_fields.push(fields);
        }
        slots
    }

    fn number(&mut self, slot: ValueSlot) -> u8 {
        if self.slots.len() < MAX_SLOTS {
            self.slots.push(slot);
        }
        u8::try_from(self.slots.len() - 1).unwrap_or(0)
    }

    /// The slot of a field of a template.
    pub(super) fn of_field(&self, template: u16, field: usize) -> usize {
        let fields = self.of_fields.get(usize::from(template));
        usize::from(
            fields
                .and_then(|fields| fields.get(field))
                .copied()
                .unwrap_or(0),
        )
    }
}

/// The slot keys of the fields of a template; `None` for fields that hold text.
fn keys(template: &CommentTemplate) -> impl Iterator<Item = Option<(SlotKey<'_>, ValueSlot)>> {
    let (mut label, mut ordinal): (&[u8], _) = (&[], 0);
    template.fields.iter().map(move |(literal, field)| {
        match last_word(literal) {
            Some(word) => (label, ordinal) = (word, 0),
            None => ordinal += 1,
        }
        let (digits, is_clock) = match field {
            TemplateField::Number(format) => (format.digits, false),
            TemplateField::Clock(format) => (format.digits, true),
            TemplateField::Squares | TemplateField::Arrows | TemplateField::Moves => return None,
        };
        let slot = ValueSlot {
            unit: i64::try_from(digits.unit()).unwrap_or(1),
            kind: match () {
                () if is_clock => SlotKind::Clock,
                () if label == EVAL && ordinal == 0 => SlotKind::Eval,
                () => SlotKind::Other,
            },
        };
        let key = SlotKey {
            is_clock,
            decimals: digits.most(),
            label,
            ordinal,
        };
        Some((key, slot))
    })
}

/// The last run of letters of a text.
pub(super) fn last_word(text: &[u8]) -> Option<&[u8]> {
    let end = 1 + text.iter().rposition(u8::is_ascii_alphabetic)?;
    let before = text.get(..end)?;
    let start = before.iter().rposition(|byte| !byte.is_ascii_alphabetic());
    text.get(start.map_or(0, |start| start + 1)..end)
}
