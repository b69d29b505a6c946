//! Coding a value: by a predictor, by its recency, or explicitly.

use super::super::cell::Cell;
use super::super::plan::{HISTORIES, HOW, RECENT};
use super::foresee::Foreseen;
use super::{At, Run};
use crate::codec::forecast::{Coder, ForecastError, Place};

impl Run<'_> {
    #[inline]
    pub(super) fn cell<C: Coder>(
        &mut self,
        side: usize,
        record: usize,
        coder: &mut C,
    ) -> Result<Cell, ForecastError> {
        let foreseen = self.foreseen(side, record);
        let [first, second] = &self.contexts;
        let row = if side == 0 { 0 } else { self.classes };
        let at = At {
            side,
            record,
            outer: row + first.class(side, record),
            inner: second.class(side, record),
        };
        let history = self.history_of(side);
        let (told, how, depth) = match self.given.values {
            Some(values) => self.told(values.cell(side, record), &foreseen),
            None => (Cell::Absent, 0, 0),
        };
        let place = Place {
            family: HOW,
            outer: at.outer,
            inner: foreseen.pattern * self.histories + history,
        };
        let how = coder.symbol(place, how)?;
        let predictors = self.predictors.len();
        let how = match usize::from(how).checked_sub(predictors) {
            None => {
                let cell = foreseen.cells.get(usize::from(how)).copied();
                let cell = cell.and_then(Cell::present).ok_or(ForecastError::NoPlace)?;
                self.note(side, u32::from(how));
                if self.plan.is_recent {
                    self.recent.renew(cell);
                }
                return Ok(cell);
            }
            Some(how) => how,
        };
        if how == 0 {
            let place = Place {
                family: RECENT,
                outer: u32::from(side > 0),
                inner: history,
            };
            let depth = coder.number(place, depth as u64)?;
            let depth = usize::try_from(depth).map_err(|_| ForecastError::TooLarge)?;
            let cell = self.recent.renew_at(depth);
            let cell = cell.ok_or(ForecastError::NoPlace)?;
            self.note(side, history_of_depth(depth));
            return Ok(cell);
        }
        let cell = match how {
            1 => self.number(at, told, coder)?,
            2 => self.id(at, told, coder)?,
            4 => Cell::Opening,
            _ => self.literal(told, coder)?,
        };
        if self.plan.is_recent {
            self.recent.append(cell);
        }
        self.note(side, HISTORIES - 1);
        Ok(cell)
    }

    /// The method of coding a value, and its depth among the recent values.
    fn told(&self, told: Cell, foreseen: &Foreseen) -> (Cell, u8, usize) {
        let predictors = self.predictors.len();
        let mut cells = foreseen.cells.iter().take(predictors);
        let depth = || self.recent.depth(told);
        let (how, depth) = match (cells.position(|cell| *cell == told), depth()) {
            (Some(at), _) => (at, 0),
            (None, Some(depth)) => (predictors, depth),
            (None, None) => match told {
                Cell::Number(_) | Cell::Absent => (predictors + 1, 0),
                Cell::Id(_) => (predictors + 2, 0),
                Cell::Literal(_) => (predictors + 3, 0),
                Cell::Opening => (predictors + 4, 0),
            },
        };
        (told, u8::try_from(how).unwrap_or(u8::MAX), depth)
    }

    /// The outcomes of the previous values, as a context.
    #[inline]
    fn history_of(&self, side: usize) -> u32 {
        let [first, second] = self.history;
        match (self.plan.is_recent, side) {
            (false, 0) => first,
            (false, _) => second,
            (true, 0) => first * HISTORIES + second,
            (true, _) => second * HISTORIES + first,
        }
    }

    #[inline]
    fn note(&mut self, side: usize, history: u32) {
        if let Some(place) = self.history.get_mut(side) {
            *place = history;
        }
    }
}

/// The outcome of a value at this depth among the recent values.
fn history_of_depth(depth: usize) -> u32 {
    match depth {
        0 => 3,
        1 => 4,
        2..8 => 5,
        _ => 6,
    }
}
