//! Deciding whether the values of a field are predicted from the openings of games.

use super::super::field::{Field, value_key};
use super::super::openings::{BookGame, learn_book as learn_openings};
use super::field_search::{FieldSearch, PlanCandidate};
use super::texts::cells;
use super::{ColumnValue, TextIds};
use crate::parallel;
use std::ops::Range;

/// A book must predict at least one value in this many.
const MIN_PREDICTED: usize = 4;

impl<'a, F> FieldSearch<'_, 'a, F>
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    /// The best plan with a book learned from the sample, if a book can predict enough values. It
    /// shows whether one of all blocks is worth learning.
    pub(super) fn with_book_of_sample(
        &self,
        field: &Field,
        ids: &TextIds<'a>,
    ) -> Option<PlanCandidate> {
        let columns = self.texts.columns.iter();
        let mut columns = columns.filter_map(|at| self.input.columns.get(*at));
        let may_follow = columns.all(|column| column.may_use_book);
        if !may_follow || self.texts.is_numbers || field.sides() != 1 || field.ranks.id(1).is_none()
        {
            return None;
        }
        self.with_book(field, ids, self.sample)
    }

    /// `known`, unless the plan with a book of the sample is better; then the plan with a book of
    /// all blocks, if that is better than `known`.
    pub(super) fn best_with_book(
        &self,
        field: &Field,
        ids: &TextIds<'a>,
        known: PlanCandidate,
        of_sample: PlanCandidate,
    ) -> PlanCandidate {
        if of_sample.cost >= known.cost {
            return known;
        }
        if self.sample.len() == self.input.blocks.len() {
            return of_sample;
        }
        let of_all = self.with_book(field, ids, self.input.blocks);
        match of_all.filter(|of_all| of_all.cost < known.cost) {
            Some(of_all) => of_all,
            None => known,
        }
    }

    /// The best plan with a book learned from the games of some blocks; `None` if
    /// the book predicts few of their values.
    fn with_book(
        &self,
        field: &Field,
        ids: &TextIds<'a>,
        blocks: &[Range<usize>],
    ) -> Option<PlanCandidate> {
        let of_block = |range: &Range<usize>| {
            let mut lines = Vec::new();
            let sides = cells(self.input, &self.texts.columns, field, ids, range.clone());
            for (at, record) in range.clone().enumerate() {
                let keys = self.input.keys(record);
                if let Some(value) = value_key(sides.cell(0, at)).filter(|_| !keys.is_empty()) {
                    lines.push(BookGame { keys, value });
                }
            }
            lines
        };
        let lines = parallel::map(blocks, of_block);
        let lines: Vec<BookGame<'_>> = lines.into_iter().flatten().collect();
        let distinct = self.texts.texts.len().max(2);
        let mut field = field.clone();
        field.plan.has_book = true;
        field.book = learn_openings(&lines, distinct.ilog2() + 2);
        let follows = |line: &&BookGame<'_>| {
            let value = field.book.predict(line.keys);
            value == Some(line.value)
        };
        let correct = lines.iter().filter(follows).count();
        if MIN_PREDICTED * correct < lines.len() || correct == 0 {
            return None;
        }
        let bytes = field.write_openings().len() as u64;
        let mut found = self.search_plan(&field, ids);
        let share = self.sample.len().min(blocks.len()) as u64;
        found.cost += (bytes << 13) * share / blocks.len().max(1) as u64;
        Some(found)
    }
}
