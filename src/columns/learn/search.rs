//! The search for the plan of one field: the shape under which the sample is
//! smallest, and the best plan of that shape.

use super::super::field::Field;
use super::super::openings::OpeningBook;
use super::super::plan::FieldPlan;
use super::super::ranks::Ranks;
use super::super::shape::TextShape;
use super::field_search::{FieldSearch, PlanCandidate};
use super::shapes::shapes;
use super::texts::{CountedText, cells, dictionary_cost, entries};
use super::trial::PlanTrial;
use super::{ColumnValue, LearnedTables, TextIds};
use crate::codec::dictionary::MAX_ENTRIES;
use crate::codec::distributions::Distributions;
use crate::parallel;
use std::ops::Range;

impl<'s, 'a, F> FieldSearch<'s, 'a, F>
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    /// The best plan, with its IDs and ranks.
    pub(super) fn find_best(&self) -> (Field, LearnedTables<'a>) {
        let shapes = match self.texts.is_numbers {
            true => vec![TextShape::Decimal(Vec::new())],
            false => {
                let texts = self.texts.texts.iter();
                let counted: Vec<_> = texts.map(|text| (text.text, text.count)).collect();
                shapes(&counted)
            }
        };
        let found = parallel::map(shapes, |shape| self.search_shape(shape));
        let best = found.into_iter().min_by_key(|(_, _, cost)| *cost);
        let (field, ids, _) = best.unwrap_or_else(|| self.search_shape(TextShape::Text));
        let (_, ranks) = self.ranks(&field);
        let learned = LearnedTables {
            dictionary: Vec::new(),
            ids,
            ranks,
            distributions: Vec::new(),
        };
        (field, learned)
    }

    fn entries(&self, field: &Field) -> impl Iterator<Item = &CountedText<'a>> {
        let taken = self.learned.iter().map(|learned| learned.ids.len());
        let left = MAX_ENTRIES.saturating_sub(taken.sum());
        entries(&self.texts.texts, field).take(left)
    }

    fn ranks(&self, field: &Field) -> (Ranks, Vec<u8>) {
        let counts: Vec<u32> = self.entries(field).map(|text| text.blocks).collect();
        Ranks::from_counts(&counts)
    }

    /// The best plan of a shape, its IDs, and the cost including the dictionary.
    fn search_shape(&self, shape: TextShape) -> (Field, TextIds<'a>, u64) {
        let columns = self.texts.columns.iter();
        let columns = columns.filter_map(|at| Some(self.input.columns.get(*at)?.number));
        let mut field = Field {
            columns: columns.collect(),
            plan: FieldPlan::with_shape(shape),
            ranks: Ranks::default(),
            map: Vec::new(),
            book: OpeningBook::default(),
            distributions: Distributions::default(),
            is_link_key: false,
        };
        field.ranks = self.ranks(&field).0;
        let ids: TextIds = self
            .entries(&field)
            .map(|text| text.text)
            .zip(0..)
            .collect();
        let table = self.sample_share(dictionary_cost(self.entries(&field)));
        let (known, of_sample) = parallel::join(
            || self.search_plan(&field, &ids),
            || self.with_book_of_sample(&field, &ids),
        );
        let found = match of_sample {
            Some(of_sample) => self.best_with_book(&field, &ids, known, of_sample),
            None => known,
        };
        (found.field, ids, found.cost + table)
    }

    /// The best plan for a field with these IDs.
    pub(super) fn search_plan(&self, field: &Field, ids: &TextIds<'a>) -> PlanCandidate {
        let of_block = |range: &Range<usize>| {
            cells(self.input, &self.texts.columns, field, ids, range.clone())
        };
        let values = parallel::map(self.sample, of_block);
        let trial = PlanTrial {
            search: self,
            values: &values,
            ids,
        };
        trial.search(field.clone())
    }
}
