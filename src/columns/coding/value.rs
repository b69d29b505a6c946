//! Coding a value: by a predictor, by its recency, or explicitly.

use super::super::cell::FieldValue;
use super::super::plan::{METHOD, OUTCOMES, RECENCY};
use super::predict::Predictions;
use super::{FieldCoder, ValueContext};
use crate::codec::distributions::{DistributionError, SymbolCoder, SymbolContext};

impl FieldCoder<'_> {
    #[inline]
    pub(super) fn code_value<C: SymbolCoder>(
        &mut self,
        side: usize,
        record: usize,
        coder: &mut C,
    ) -> Result<FieldValue, DistributionError> {
        let predictions = self.predictions(side, record);
        let [first, second] = &self.contexts;
        let row = if side == 0 { 0 } else { self.classes };
        let at = ValueContext {
            side,
            record,
            outer: row + first.class(side, record),
            inner: second.class(side, record),
        };
        let history = self.history_context(side);
        let (coded, how, depth) = match self.given.values {
            Some(values) => self.choose_method(values.cell(side, record), &predictions),
            None => (FieldValue::Absent, 0, 0),
        };
        let place = SymbolContext {
            family: METHOD,
            outer: at.outer,
            inner: predictions.pattern * self.history_contexts + history,
        };
        let method = coder.symbol(place, how)?;
        let predictors = self.predictors.len();
        let how = match usize::from(method).checked_sub(predictors) {
            None => {
                let cell = predictions.cells.get(usize::from(method)).copied();
                let cell = cell
                    .and_then(FieldValue::present)
                    .ok_or(DistributionError::UnknownContext)?;
                self.set_outcome(side, u32::from(method));
                if self.plan.is_recent {
                    self.recent.move_to_end(cell);
                }
                return Ok(cell);
            }
            Some(how) => how,
        };
        if how == 0 {
            let place = SymbolContext {
                family: RECENCY,
                outer: u32::from(side > 0),
                inner: history,
            };
            let depth = coder.number(place, depth as u64)?;
            let depth = usize::try_from(depth).map_err(|_| DistributionError::TooLarge)?;
            let cell = self.recent.move_to_end_at(depth);
            let cell = cell.ok_or(DistributionError::UnknownContext)?;
            self.set_outcome(side, depth_outcome(depth));
            return Ok(cell);
        }
        let cell = match how {
            1 => self.code_number(at, coded, coder)?,
            2 => self.code_entry(at, coded, coder)?,
            4 => FieldValue::Opening,
            _ => self.code_literal(coded, coder)?,
        };
        if self.plan.is_recent {
            self.recent.append(cell);
        }
        self.set_outcome(side, OUTCOMES - 1);
        Ok(cell)
    }

    /// The method of coding a value, and its depth among the recent values.
    fn choose_method(
        &self,
        value: FieldValue,
        predictions: &Predictions,
    ) -> (FieldValue, u8, usize) {
        let predictors = self.predictors.len();
        let mut cells = predictions.cells.iter().take(predictors);
        let (how, depth) = if let Some(at) = cells.position(|cell| *cell == value) {
            (at, 0)
        } else if let Some(depth) = self.recent.depth(value) {
            (predictors, depth)
        } else {
            let explicit = match value {
                FieldValue::Number(_) | FieldValue::Absent => 1,
                FieldValue::Id(_) => 2,
                FieldValue::Literal(_) => 3,
                FieldValue::Opening => 4,
            };
            (predictors + explicit, 0)
        };
        (value, u8::try_from(how).unwrap_or(u8::MAX), depth)
    }

    /// The outcomes of the previous values, as a context.
    #[inline]
    fn history_context(&self, side: usize) -> u32 {
        let [first, second] = self.outcomes;
        match (self.plan.is_recent, side) {
            (false, 0) => first,
            (false, _) => second,
            (true, 0) => first * OUTCOMES + second,
            (true, _) => second * OUTCOMES + first,
        }
    }

    #[inline]
    fn set_outcome(&mut self, side: usize, history: u32) {
        if let Some(place) = self.outcomes.get_mut(side) {
            *place = history;
        }
    }
}

/// The outcome of a value at this depth among the recent values.
fn depth_outcome(depth: usize) -> u32 {
    match depth {
        0 => 3,
        1 => 4,
        2..8 => 5,
        _ => 6,
    }
}
