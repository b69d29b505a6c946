//! Kinds of fields of moves: fields after the same word share one.

use super::field::KINDS;
use crate::annotation::item::Item;
use crate::annotation::slots::last_word;
use crate::annotation::template::{CommentTemplate, TemplateField};
use crate::annotation::templates::Templates;
use std::collections::BTreeMap;

/// The kinds of the fields of moves of all templates.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    /// The kinds of the fields of each template; `None` for fields that hold no
    /// moves.
    of_templates: Vec<Vec<Option<u32>>>,
}

impl Kinds {
    /// Numbers the kinds in the order of first use in templates and their fields.
    /// Kinds beyond the last number share it.
    pub(in super::super) fn of(templates: &Templates) -> Kinds {
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

    /// Whether any template has a field of moves.
    pub fn any(&self) -> bool {
        self.of_templates.iter().flatten().any(Option::is_some)
    }

    /// Whether an item has a field of moves.
    pub(in super::super) fn are_in(&self, item: &Item<'_>) -> bool {
        match item {
            Item::Note(note) => self.of_template(note.template).iter().any(Option::is_some),
            _ => false,
        }
    }

    /// The kinds of the fields of a template; `None` for fields that hold no moves.
    pub fn of_template(&self, template: u16) -> &[Option<u32>] {
        let kinds = self.of_templates.get(usize::from(template));
        kinds.map_or(&[], Vec::as_slice)
    }
}

/// The label of each field of moves: the last word before it, and the number of
/// fields between the two.
fn labels(template: &CommentTemplate) -> impl Iterator<Item = Option<(&[u8], usize)>> {
    let mut label: (&[u8], usize) = (&[], 0);
    template.fields.iter().map(move |(literal, field)| {
        label = match last_word(literal) {
            Some(word) => (word, 0),
            None => (label.0, label.1 + 1),
        };
        (*field == TemplateField::Moves).then_some(label)
    })
}
