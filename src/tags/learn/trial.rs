//! The search for the plan of a shape. A candidate is accepted if it saves enough.

use super::super::cell::Cell;
use super::super::coding::{Given, code};
use super::super::field::{Field, map_key};
use super::super::plan::{MOST_BASES, MOST_PREDICTORS, Predictor};
use super::super::sheet::Sides;
use super::super::sketch::Sketch;
use super::candidates::{add_base, add_predictor, set_context};
use super::search::{Found, Search};
use super::{Ids, Value};
use crate::parallel;
use std::collections::BTreeMap;

/// A candidate must save the cost divided by `LEAST_SHARE`, plus `LEAST_BITS`, in
/// 1/1024 bit.
const LEAST_SHARE: u64 = 200;
const LEAST_BITS: u64 = 48 << 10;
/// The approximate size of an entry of a map, in 1/1024 bit.
const MAP_ENTRY: u64 = 20 << 10;

/// The search for the plan of a shape.
pub(super) struct Trial<'t, 's, 'a, F> {
    pub(super) search: &'t Search<'s, 'a, F>,
    /// The cells of the sample's blocks.
    pub(super) values: &'t [Sides],
    pub(super) ids: &'t Ids<'a>,
}

impl<'a, F> Trial<'_, '_, 'a, F>
where
    F: Fn(usize, usize) -> Value<'a> + Sync,
{
    pub(super) fn search(&self, field: Field) -> Found {
        let usual = self.usual(&field);
        let mut best = self.found(field);
        if let Some((value, true)) = usual {
            // A field that is nearly constant takes almost no space if the constant is
            // the first predictor.
            let mut constant = best.field.clone();
            constant.plan.predictors.push(Predictor::Value(value));
            best = self.found(constant);
        }
        if self.has(|cell| matches!(cell, Cell::Id(_))) {
            best = self.better(best, |field| {
                let mut recent = field.clone();
                recent.plan.is_recent = true;
                vec![recent]
            });
        }
        if best.cost <= LEAST_BITS {
            // Nothing can save enough.
            return self.runs(best);
        }
        let predictors = self.predictors(&best.field);
        best = self.more(best, MOST_PREDICTORS, |field| {
            add_predictor(field, &predictors)
        });
        if self.has(|cell| matches!(cell, Cell::Number(_))) {
            let bases = self.bases();
            best = self.more(best, MOST_BASES, |field| add_base(field, &bases));
            best = self.better(best, |field| {
                let mut splitting = field.clone();
                splitting.plan.splits = true;
                vec![splitting]
            });
        }
        let contexts = self.contexts();
        for place in 0..2 {
            best = self.better(best, |field| set_context(field, place, &contexts));
        }
        self.runs(best)
    }

    /// The plan with runs, if it costs little more, because runs are read faster.
    fn runs(&self, best: Found) -> Found {
        if best.field.plan.predictors.is_empty() || best.field.plan.is_recent {
            return best;
        }
        let mut field = best.field.clone();
        field.plan.has_runs = true;
        let found = self.found(field);
        let records: u64 = self.values.iter().map(|values| values.len() as u64).sum();
        // Saving a symbol for most values is worth 2 % of the cost and 1/50 bit a
        // record.
        match found.cost <= best.cost + best.cost / 50 + records * 20 {
            true => found,
            false => best,
        }
    }

    /// The commonest value, as the operand of [`Predictor::Value`], and whether at most
    /// one value in 64 differs from it.
    pub(super) fn usual(&self, field: &Field) -> Option<(u64, bool)> {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        let mut all = 0;
        for cell in self
            .values
            .iter()
            .flat_map(|sides| sides.cells.iter().flatten())
        {
            let value = match cell {
                Cell::Id(id) => map_key(Cell::Id(field.ranks.rank(*id)?)),
                cell => map_key(*cell),
            };
            all += usize::from(*cell != Cell::Absent);
            *counts.entry(value.unwrap_or(u64::MAX)).or_default() += usize::from(value.is_some());
        }
        let (value, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (count > 0).then_some((value, all - count < all / 64 + 1))
    }

    fn has(&self, is_one: impl Fn(&Cell) -> bool) -> bool {
        let cells = self
            .values
            .iter()
            .flat_map(|sides| sides.cells.iter().flatten());
        let mut cells = cells;
        cells.any(is_one)
    }

    /// Takes the best of some candidates and repeats this with the result, up to
    /// `times` times or until nothing saves enough.
    fn more(&self, best: Found, times: usize, candidates: impl Fn(&Field) -> Vec<Field>) -> Found {
        let mut best = best;
        for _ in 0..times {
            let cost = best.cost;
            best = self.better(best, &candidates);
            if best.cost == cost {
                break;
            }
        }
        best
    }

    /// The best of some candidates, if it saves enough, else `best`.
    fn better(&self, best: Found, candidates: impl Fn(&Field) -> Vec<Field>) -> Found {
        let candidates = candidates(&best.field);
        let found = parallel::map(candidates, |field| self.found(field));
        let least = best.cost / LEAST_SHARE + LEAST_BITS;
        match found.into_iter().min_by_key(|found| found.cost) {
            Some(found) if found.cost + least < best.cost => found,
            _ => best,
        }
    }

    /// The cost of the sample under a plan.
    fn found(&self, field: Field) -> Found {
        let mut sketch = [Sketch::new(field.plan.families(field.sides()))];
        for (values, sheet) in self.values.iter().zip(self.search.sheets) {
            let has = |side, record| values.has(side, record);
            let given = Given::all(values);
            if code(&field, self.search.fields, sheet, &mut sketch, has, &given).is_err() {
                return Found {
                    field,
                    cost: u64::MAX / 4,
                };
            }
        }
        let map = self.search.share(field.map.len() as u64 * MAP_ENTRY);
        let [sketch] = sketch;
        Found {
            field,
            cost: sketch.cost + map,
        }
    }
}
