//! Explicit coding of values: entries by their ranks, numbers as differences
//! from a base, literals.

use super::super::cell::Cell;
use super::super::plan::{LENGTH, LOW, NUMBER, RANK};
use super::foresee::{Ready, ReadyBase};
use super::{At, Run};
use crate::codec::forecast::{Coder, ForecastError, Place};

impl Run<'_> {
    pub(super) fn id<C: Coder>(
        &mut self,
        at: At,
        told: Cell,
        coder: &mut C,
    ) -> Result<Cell, ForecastError> {
        let ranks = &self.field.ranks;
        let rank = match told {
            Cell::Id(id) => ranks.rank(id).ok_or(ForecastError::NoPlace)?,
            _ => 0,
        };
        let place = Place {
            family: RANK,
            outer: at.outer,
            inner: at.inner,
        };
        let rank = coder.number(place, rank.into())?;
        ranks.id(rank).map(Cell::Id).ok_or(ForecastError::NoPlace)
    }

    pub(super) fn number<C: Coder>(
        &mut self,
        at: At,
        told: Cell,
        coder: &mut C,
    ) -> Result<Cell, ForecastError> {
        let plan = self.plan;
        let mut base = None;
        let mut bases = 0;
        for of in &self.bases {
            base = self.base(of, at.side, at.record);
            if base.is_some() {
                break;
            }
            bases += 1;
        }
        let place = Place {
            family: NUMBER,
            outer: at.outer,
            inner: at.inner * (u32::try_from(self.bases.len()).unwrap_or(0) + 1) + bases,
        };
        let has_base = base.is_some();
        let base = base.unwrap_or(0);
        let value = match told {
            Cell::Number(number) => plan.shape.value(number),
            _ => base,
        };
        let mut difference = value - base;
        let mut low = 0;
        if plan.splits {
            let place = Place {
                family: LOW,
                outer: at.outer,
                inner: at.inner,
            };
            let [bit, ..] = (difference & 1).to_le_bytes();
            low = i64::from(coder.symbol(place, bit)?);
            difference >>= 1;
        }
        difference = match has_base {
            false => {
                let number = plan
                    .shape
                    .number(difference)
                    .ok_or(ForecastError::TooLarge)?;
                plan.shape.value(coder.number(place, number)?)
            }
            true => coder.signed(place, difference)?,
        };
        if plan.splits {
            difference = difference.checked_mul(2).ok_or(ForecastError::TooLarge)? | low;
        }
        let value = base.checked_add(difference);
        let number = value.and_then(|value| plan.shape.number(value));
        Ok(Cell::Number(number.ok_or(ForecastError::TooLarge)?))
    }

    fn base(&self, base: &ReadyBase<'_>, side: usize, record: usize) -> Option<i64> {
        let shape = &self.field.plan.shape;
        let value = |cell| match cell {
            Cell::Number(number) => Some(shape.value(number)),
            _ => None,
        };
        match base {
            ReadyBase::Value(value) => Some(*value),
            ReadyBase::By(predictor) => value(self.predicted(predictor, side, record)),
            ReadyBase::Opposite => Some(-value(self.predicted(&Ready::Partner, side, record))?),
        }
    }

    pub(super) fn literal<C: Coder>(
        &mut self,
        told: Cell,
        coder: &mut C,
    ) -> Result<Cell, ForecastError> {
        let text = match (told, self.given.values) {
            (Cell::Literal(number), Some(values)) => values.literal(number).unwrap_or_default(),
            _ => &[],
        };
        let place = Place::in_family(LENGTH);
        let length = coder.number(place, text.len() as u64)?;
        let length = usize::try_from(length).map_err(|_| ForecastError::TooLarge)?;
        self.bytes = self.bytes.saturating_add(length);
        if self.bytes > self.given.most_bytes {
            return Err(ForecastError::Limit);
        }
        let mut read = Vec::new();
        for at in 0..length {
            let byte = coder.bits(8, text.get(at).copied().unwrap_or(0).into())?;
            read.extend(u8::try_from(byte));
        }
        self.own.literals.push(&read);
        let number = u32::try_from(self.own.literals.len() - 1);
        Ok(Cell::Literal(number.map_err(|_| ForecastError::TooLarge)?))
    }
}
