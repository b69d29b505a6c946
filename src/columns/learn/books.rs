//! Deciding whether the values of a field are predicted from the openings of games.

use super::super::field::{Field, value_key};
use super::super::openings::{BookGame, learn_book as learn_openings};
use super::field_search::{FieldSearch, PlanCandidate};
use super::texts::cells;
use super::{ColumnValue, TextIds};
use std::ops::Range;

/// A book must predict at least one value in this many.
const MIN_PREDICTED: usize = 4;

impl<'a, F> FieldSearch<'_, 'a, F>
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    /// The best plan with a book of openings, or `known` if that is better.
    pub(super) fn best_with_book(
        &self,
        field: Field,
        ids: &TextIds<'a>,
        known: PlanCandidate,
    ) -> PlanCandidate {
        let columns = self.texts.columns.iter();
        let mut columns = columns.filter_map(|at| self.input.columns.get(*at));
        let may_follow = columns.all(|column| column.may_use_book);
        if !may_follow || self.texts.is_numbers || field.sides() != 1 || field.ranks.id(1).is_none()
        {
            return known;
        }
        // A book learned from the sample shows whether one of all blocks is worth
        // learning.
        let Some(sample_plan) = self.with_book(&field, ids, self.sample) else {
            return known;
        };
        match self.sample.len() == self.input.blocks.len() || sample_plan.cost >= known.cost {
            true => [known, sample_plan]
                .into_iter()
                .min_by_key(|found| found.cost),
            false => {
                let all = self.with_book(&field, ids, self.input.blocks);
                let found = [Some(known), all].into_iter().flatten();
                found.min_by_key(|found| found.cost)
            }
        }
        .unwrap_or_else(|| self.search_plan(&field, ids))
    }

    /// The best plan with a book learned from the games of some blocks; `None` if
    /// the book predicts few of their values.
    fn with_book(
        &self,
        field: &Field,
        ids: &TextIds<'a>,
        blocks: &[Range<usize>],
    ) -> Option<PlanCandidate> {
        let mut lines = Vec::new();
        for range in blocks {
            let sides = cells(self.input, &self.texts.columns, field, ids, range.clone());
            for (at, record) in range.clone().enumerate() {
                let keys = self.input.keys(record);
                if let Some(value) = value_key(sides.cell(0, at)).filter(|_| !keys.is_empty()) {
                    lines.push(BookGame { keys, value });
                }
            }
        }
        let distinct = self.texts.texts.len().max(2);
        let mut field = field.clone();
        field.plan.has_book = true;
        field.book = learn_openings(&lines, distinct.ilog2() + 2);
        let follows = |line: &&BookGame<'_>| {
            let value = field.book.predict(line.keys.iter().copied());
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
