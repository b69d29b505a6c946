//! The search for the plan of one field: the shape under which the sample is
//! smallest, and the best plan of that shape.

use super::super::field::Field;
use super::super::openings::Openings;
use super::super::plan::Plan;
use super::super::ranks::Ranks;
use super::super::shape::Shape;
use super::super::sheet::{Sheet, Sides};
use super::shapes::shapes;
use super::texts::{Text, Texts, cells, dictionary_cost, entries};
use super::trial::Trial;
use super::{Columns, Ids, Learned, Value};
use crate::codec::dictionary::MAX_ENTRIES;
use crate::codec::forecast::Forecast;
use crate::parallel;
use std::ops::Range;

/// The state of the search for the plan of a field.
pub(super) struct Search<'s, 'a, F> {
    pub(super) input: &'s Columns<'s, F>,
    pub(super) sample: &'s [Range<usize>],
    pub(super) texts: &'s Texts<'a>,
    pub(super) fields: &'s [Field],
    pub(super) learned: &'s [Learned<'a>],
    pub(super) sheets: &'s [Sheet<'s>],
}

/// A plan and its cost.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) field: Field,
    /// The size of the sample and its share of the tables, in 1/1024 bit.
    pub(super) cost: u64,
}

impl<'s, 'a, F> Search<'s, 'a, F>
where
    F: Fn(usize, usize) -> Value<'a> + Sync,
{
    /// The best plan, with its IDs and ranks.
    pub(super) fn best(&self) -> (Field, Learned<'a>) {
        let shapes = match self.texts.is_numbers {
            true => vec![Shape::Decimal(Vec::new())],
            false => {
                let texts = self.texts.texts.iter();
                let counted: Vec<_> = texts.map(|text| (text.text, text.count)).collect();
                shapes(&counted)
            }
        };
        let found = parallel::map(shapes, |shape| self.of_shape(shape));
        let best = found.into_iter().min_by_key(|(_, _, cost)| *cost);
        let (field, ids, _) = best.unwrap_or_else(|| self.of_shape(Shape::Text));
        let (_, ranks) = self.ranks(&field);
        let learned = Learned {
            dictionary: Vec::new(),
            ids,
            ranks,
            forecast: Vec::new(),
        };
        (field, learned)
    }

    fn entries(&self, field: &Field) -> impl Iterator<Item = &Text<'a>> {
        let taken = self.learned.iter().map(|learned| learned.ids.len());
        let left = MAX_ENTRIES.saturating_sub(taken.sum());
        entries(&self.texts.texts, field).take(left)
    }

    fn ranks(&self, field: &Field) -> (Ranks, Vec<u8>) {
        let counts: Vec<u32> = self.entries(field).map(|text| text.blocks).collect();
        Ranks::of_counts(&counts)
    }

    /// The best plan of a shape, its IDs, and the cost including the dictionary.
    fn of_shape(&self, shape: Shape) -> (Field, Ids<'a>, u64) {
        let columns = self.texts.columns.iter();
        let columns = columns.filter_map(|at| Some(self.input.columns.get(*at)?.number));
        let mut field = Field {
            columns: columns.collect(),
            plan: Plan::of(shape),
            ranks: Ranks::default(),
            map: Vec::new(),
            openings: Openings::default(),
            forecast: Forecast::default(),
            is_key: false,
        };
        field.ranks = self.ranks(&field).0;
        let ids: Ids = self
            .entries(&field)
            .map(|text| text.text)
            .zip(0..)
            .collect();
        let table = self.share(dictionary_cost(self.entries(&field)));
        let found = self.found(&field, &ids);
        let found = self.following(field, &ids, found);
        (found.field, ids, found.cost + table)
    }

    /// The best plan for a field with these IDs.
    pub(super) fn found(&self, field: &Field, ids: &Ids<'a>) -> Found {
        let of_block = |range: &Range<usize>| {
            cells(self.input, &self.texts.columns, field, ids, range.clone())
        };
        let values: Vec<Sides> = self.sample.iter().map(of_block).collect();
        let trial = Trial {
            search: self,
            values: &values,
            ids,
        };
        trial.search(field.clone())
    }

    /// The sample's share of a cost that a segment has once.
    pub(super) fn share(&self, cost: u64) -> u64 {
        let blocks = self.input.blocks.len().max(1) as u64;
        cost * self.sample.len() as u64 / blocks
    }
}
