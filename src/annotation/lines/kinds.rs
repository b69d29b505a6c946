//! Which fields of moves are alike: those behind the same word.

use super::field::KINDS;
use crate::annotation::item::Item;
use crate::annotation::slots::last_word;
use crate::annotation::template::{Field, Template};
use crate::annotation::templates::Templates;
use std::collections::BTreeMap;

/// The kinds of the fields of moves of all templates.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    /// Of each template, those of its fields; none of fields that are not of moves.
    of_templates: Vec<Vec<Option<u32>>>,
}

impl Kinds {
    /// Numbers kinds in the order in which templates and their fields name them;
    /// all behind the last number have that.
    pub(in crate::annotation) fn of(templates: &Templates) -> Kinds {
        let mut numbers = BTreeMap::new();
        let of_templates = templates.iter().map(|template| {
            let fields = labels(template).map(|label| {
                let next = u32::try_from(numbers.len()).unwrap_or(KINDS);
                Some(*numbers.entry(label?).or_insert(next.min(KINDS - 1)))
            });
            fields.collect()
        });
        let of_templates = of_templates.collect();
        Kinds { of_templates }
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        self.of_templates.iter().flatten().any(Option::is_some)
    }

    /// Whether there are fields of moves in an item.
    pub(in crate::annotation) fn are_in(&self, item: &Item<'_>) -> bool {
        match item {
            Item::Note(note) => self.of_template(note.template).iter().any(Option::is_some),
            _ => false,
        }
    }

    /// The kinds of the fields of a template; none of those that are not of moves.
    pub fn of_template(&self, template: u16) -> &[Option<u32>] {
        let kinds = self.of_templates.get(usize::from(template));
        kinds.map_or(&[], Vec::as_slice)
    }
}

/// The last word before each field of moves, and how many fields stand between.
fn labels(template: &Template) -> impl Iterator<Item = Option<(&[u8], usize)>> {
    let mut label: (&[u8], usize) = (&[], 0);
    template.fields.iter().map(move |(literal, field)| {
        label = match last_word(literal) {
            Some(word) => (word, 0),
            None => (label.0, label.1 + 1),
        };
        (*field == Field::Moves).then_some(label)
    })
}
