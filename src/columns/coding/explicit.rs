//! Explicit coding of values: entries by their ranks, numbers as differences
//! from a base, literals.

use super::super::cell::FieldValue;
use super::super::plan::{LENGTH, LOW_BIT, NUMBER, RANK};
use super::predict::{ResolvedBase, ResolvedPredictor};
use super::{FieldCoder, ValueContext};
use crate::codec::distributions::{DistributionError, SymbolCoder, SymbolContext};

impl FieldCoder<'_> {
    pub(super) fn code_entry<C: SymbolCoder>(
        &mut self,
        at: ValueContext,
        value: FieldValue,
        coder: &mut C,
    ) -> Result<FieldValue, DistributionError> {
        let ranks = &self.field.ranks;
        let rank = match value {
            FieldValue::Id(id) => ranks.rank(id).ok_or(DistributionError::UnknownContext)?,
            _ => 0,
        };
        let place = SymbolContext {
            family: RANK,
            outer: at.outer,
            inner: at.inner,
        };
        let rank = coder.number(place, rank.into())?;
        ranks
            .id(rank)
            .map(FieldValue::Id)
            .ok_or(DistributionError::UnknownContext)
    }

    pub(super) fn code_number<C: SymbolCoder>(
        &mut self,
        at: ValueContext,
        coded: FieldValue,
        coder: &mut C,
    ) -> Result<FieldValue, DistributionError> {
        let plan = self.plan;
        let mut base = None;
        let mut bases = 0;
        for of in &self.bases {
            base = self.base_amount(of, at.side, at.record);
            if base.is_some() {
                break;
            }
            bases += 1;
        }
        let place = SymbolContext {
            family: NUMBER,
            outer: at.outer,
            inner: at.inner * (u32::try_from(self.bases.len()).unwrap_or(0) + 1) + bases,
        };
        let has_base = base.is_some();
        let base = base.unwrap_or(0);
        let value = match coded {
            FieldValue::Number(number) => plan.shape.amount(number),
            _ => base,
        };
        let mut difference = value - base;
        let mut low = 0;
        if plan.splits_low_bit {
            let place = SymbolContext {
                family: LOW_BIT,
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
                    .ok_or(DistributionError::TooLarge)?;
                plan.shape.amount(coder.number(place, number)?)
            }
            true => coder.signed(place, difference)?,
        };
        if plan.splits_low_bit {
            difference = difference
                .checked_mul(2)
                .ok_or(DistributionError::TooLarge)?
                | low;
        }
        let value = base.checked_add(difference);
        let number = value.and_then(|value| plan.shape.number(value));
        Ok(FieldValue::Number(
            number.ok_or(DistributionError::TooLarge)?,
        ))
    }

    fn base_amount(&self, base: &ResolvedBase<'_>, side: usize, record: usize) -> Option<i64> {
        let shape = &self.field.plan.shape;
        let value = |cell| match cell {
            FieldValue::Number(number) => Some(shape.amount(number)),
            _ => None,
        };
        match base {
            ResolvedBase::Value(value) => Some(*value),
            ResolvedBase::By(predictor) => value(self.predict(predictor, side, record)),
            ResolvedBase::Opposite => Some(-value(self.predict(
                &ResolvedPredictor::Partner,
                side,
                record,
            ))?),
        }
    }

    pub(super) fn code_literal<C: SymbolCoder>(
        &mut self,
        coded: FieldValue,
        coder: &mut C,
    ) -> Result<FieldValue, DistributionError> {
        let text = match (coded, self.given.values) {
            (FieldValue::Literal(number), Some(values)) => {
                values.literal(number).unwrap_or_default()
            }
            _ => &[],
        };
        let place = SymbolContext::only(LENGTH);
        let length = coder.number(place, text.len() as u64)?;
        let length = usize::try_from(length).map_err(|_| DistributionError::TooLarge)?;
        self.literal_bytes = self.literal_bytes.saturating_add(length);
        if self.literal_bytes > self.given.max_literal_bytes {
            return Err(DistributionError::Limit);
        }
        let mut read = Vec::new();
        for at in 0..length {
            let byte = coder.bits(8, text.get(at).copied().unwrap_or(0).into())?;
            read.extend(u8::try_from(byte));
        }
        self.own.literals.push(&read);
        let number = u32::try_from(self.own.literals.len() - 1);
        Ok(FieldValue::Literal(
            number.map_err(|_| DistributionError::TooLarge)?,
        ))
    }
}
