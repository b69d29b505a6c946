//! Explicit coding of values: entries by their ranks, numbers as differences
//! from a base, literals.

use super::super::cell::FieldValue;
use super::super::context::cell;
use super::super::plan::{LENGTH, NUMBER, RANK};
use super::super::shape::NUMBER_BOUND;
use super::predict::ResolvedBase;
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
        let number = match coded {
            FieldValue::Number(number) => number,
            _ => 0,
        };
        let base = self.base_number(at.side, at.record);
        let bases = 1 + u32::from(self.base.is_some());
        let place = SymbolContext {
            family: NUMBER,
            outer: at.outer,
            inner: at.inner * bases + u32::from(base.is_some()),
        };
        let number = match base {
            None => coder.number(place, number)?,
            Some(base) => {
                let difference = number.cast_signed() - base.cast_signed();
                let difference = coder.signed(place, difference)?;
                let number = base.checked_add_signed(difference);
                number.ok_or(DistributionError::TooLarge)?
            }
        };
        match number < NUMBER_BOUND {
            true => Ok(FieldValue::Number(number)),
            false => Err(DistributionError::TooLarge),
        }
    }

    /// The number from which the next one is coded as a difference, if there is one.
    fn base_number(&self, side: usize, record: usize) -> Option<u64> {
        let base = match self.base.as_ref()? {
            ResolvedBase::Of(cells) => cell(cells, side, record),
            ResolvedBase::Predicted(predictor) => self.predict(predictor, side, record),
        };
        match base {
            FieldValue::Number(number) => Some(number),
            _ => None,
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
