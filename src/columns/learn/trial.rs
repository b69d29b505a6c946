//! The search for the plan of a shape. A candidate is accepted if it saves enough.

use super::super::adaptive_cost::AdaptiveCost;
use super::super::block_cells::FieldCells;
use super::super::cell::FieldValue;
use super::super::coding::{CodingInput, code_field};
use super::super::field::{Field, value_key};
use super::super::plan::{MAX_PREDICTORS, ValuePredictor};
use super::candidates::{TriedPredictor, add_predictor, set_base, set_context};
use super::field_search::{FieldSearch, PlanCandidate};
use super::{ColumnValue, TextIds};
use crate::parallel;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A candidate must save the cost divided by [`MIN_SAVING_SHARE`], plus [`MIN_SAVING`],
/// in 1/1024 bit.
const MIN_SAVING_SHARE: u64 = 200;
const MIN_SAVING: u64 = 48 << 10;
/// The cost of a plan that cannot code the sample.
const IMPOSSIBLE: u64 = u64::MAX / 4;
/// The approximate size of an entry of a map, in 1/1024 bit.
const MAP_ENTRY_COST: u64 = 20 << 10;

/// The search for the plan of a shape.
pub(super) struct PlanTrial<'t, 's, 'a, F> {
    pub(super) search: &'t FieldSearch<'s, 'a, F>,
    /// The cells of the sample's blocks.
    pub(super) values: &'t [FieldCells],
    pub(super) ids: &'t TextIds<'a>,
}

impl<'a, F> PlanTrial<'_, '_, 'a, F>
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    pub(super) fn search(&self, field: Field) -> PlanCandidate {
        let usual = self.commonest(&field);
        let mut best = self.measure(field);
        if let Some((value, true)) = usual {
            // A field that is nearly constant takes almost no space if the constant is
            // the first predictor.
            let mut constant = best.field.clone();
            constant
                .plan
                .predictors
                .push(ValuePredictor::Constant(value));
            best = self.measure(constant);
        }
        if self.has(|cell| matches!(cell, FieldValue::Id(_))) {
            best = self.improve(best, |field| {
                let mut recent = field.clone();
                recent.plan.is_recent = true;
                vec![recent]
            });
        }
        if best.cost <= MIN_SAVING {
            // Nothing can save enough.
            return self.with_runs(best);
        }
        let predictors = self.predictors(&best.field);
        best = self.with_operands(best, &predictors);
        if best.field.plan.is_recent {
            best = self.unless_recent(best, &predictors);
        }
        let contexts = self.contexts();
        for place in 0..2 {
            best = self.improve(best, |field| set_context(field, place, &contexts));
        }
        self.with_runs(best)
    }

    /// The plan with the predictors and the base that save enough.
    fn with_operands(&self, best: PlanCandidate, predictors: &[TriedPredictor]) -> PlanCandidate {
        let mut best = self.improve_repeatedly(best, MAX_PREDICTORS, |field| {
            add_predictor(field, predictors)
        });
        if self.has(|cell| matches!(cell, FieldValue::Number(_))) {
            let bases = self.bases();
            best = self.improve(best, |field| set_base(field, &bases));
        }
        best
    }

    /// The better of a plan with recency and the same without it and perhaps with more
    /// predictors and a base. Recency is tried before these, and may have been in the way
    /// of better ones.
    fn unless_recent(&self, recent: PlanCandidate, predictors: &[TriedPredictor]) -> PlanCandidate {
        let mut field = recent.field.clone();
        field.plan.is_recent = false;
        let other = self.with_operands(self.measure(field), predictors);
        match other.cost < recent.cost {
            true => other,
            false => recent,
        }
    }

    /// The plan with runs, if it costs little more, because runs are read faster.
    fn with_runs(&self, best: PlanCandidate) -> PlanCandidate {
        if best.field.plan.predictors.is_empty() || best.field.plan.is_recent {
            return best;
        }
        let mut field = best.field.clone();
        field.plan.has_runs = true;
        let found = self.measure(field);
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
    pub(super) fn commonest(&self, field: &Field) -> Option<(u64, bool)> {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        let mut all = 0;
        for cell in self
            .values
            .iter()
            .flat_map(|sides| sides.cells.iter().flatten())
        {
            let value = match cell {
                FieldValue::Id(id) => value_key(FieldValue::Id(field.ranks.rank(*id)?)),
                cell => value_key(*cell),
            };
            all += usize::from(*cell != FieldValue::Absent);
            *counts.entry(value.unwrap_or(u64::MAX)).or_default() += usize::from(value.is_some());
        }
        let (value, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (count > 0).then_some((value, all - count < all / 64 + 1))
    }

    fn has(&self, is_one: impl Fn(&FieldValue) -> bool) -> bool {
        let cells = self
            .values
            .iter()
            .flat_map(|sides| sides.cells.iter().flatten());
        let mut cells = cells;
        cells.any(is_one)
    }

    /// Takes the best of some candidates and repeats this with the result, up to
    /// `times` times or until nothing saves enough.
    fn improve_repeatedly(
        &self,
        best: PlanCandidate,
        times: usize,
        candidates: impl Fn(&Field) -> Vec<Field>,
    ) -> PlanCandidate {
        let mut best = best;
        for _ in 0..times {
            let cost = best.cost;
            best = self.improve(best, &candidates);
            if best.cost == cost {
                break;
            }
        }
        best
    }

    /// The best of some candidates, if it saves enough, else `best`.
    fn improve(
        &self,
        best: PlanCandidate,
        candidates: impl Fn(&Field) -> Vec<Field>,
    ) -> PlanCandidate {
        let candidates = candidates(&best.field);
        let minimum_saving = best.cost / MIN_SAVING_SHARE + MIN_SAVING;
        let Some(most) = best.cost.checked_sub(minimum_saving + 1) else {
            return best;
        };
        // What costs more than a candidate that is measured already is not the best, so
        // the result does not depend on the order in which threads measure.
        let most = AtomicU64::new(most);
        let found = parallel::map(candidates, |field| {
            let found = self.measure_up_to(field, || most.load(Ordering::Relaxed))?;
            most.fetch_min(found.cost, Ordering::Relaxed);
            Some(found)
        });
        let found = found.into_iter().flatten().min_by_key(|found| found.cost);
        found.unwrap_or(best)
    }

    /// The cost of the sample under a plan; at most [`IMPOSSIBLE`].
    fn measure(&self, field: Field) -> PlanCandidate {
        let impossible = PlanCandidate {
            field: field.clone(),
            cost: IMPOSSIBLE,
        };
        let found = self.measure_up_to(field, || IMPOSSIBLE);
        found.unwrap_or(impossible)
    }

    /// The cost of the sample under a plan; `None` if it is more than `most`, which is asked
    /// after each block, or the plan cannot code the sample.
    fn measure_up_to(&self, field: Field, most: impl Fn() -> u64) -> Option<PlanCandidate> {
        let map = field.map.len() as u64 * MAP_ENTRY_COST;
        let map = self.search.sample_share(map);
        let mut estimator = [AdaptiveCost::new(field.plan.families(field.sides()))];
        for (values, block_cells) in self.values.iter().zip(self.search.block_cells) {
            let has = |side, record| values.has(side, record);
            let given = CodingInput::for_writer(values);
            let fields = self.search.fields;
            code_field(&field, fields, block_cells, &mut estimator, has, &given).ok()?;
            let [estimated] = &estimator;
            if estimated.cost + map > most() {
                return None;
            }
        }
        let [AdaptiveCost { cost, .. }] = estimator;
        Some(PlanCandidate {
            field,
            cost: cost + map,
        })
    }
}
