//! Predictions of a value.

use super::super::block_cells::{BlockCells, PreviousPlace};
use super::super::cell::FieldValue;
use super::super::context::cell;
use super::super::field::{Field, cell_of_key};
use super::super::plan::{MAX_PREDICTORS, NumberBase, ValuePredictor};
use super::FieldCoder;
use crate::codec::distributions::DistributionError;

/// A predictor whose operands in the block are resolved once, not for each value.
#[derive(Debug, Clone, Copy)]
pub(super) enum ResolvedPredictor<'a> {
    Previous,
    /// The cells of the source, by the side that is being coded.
    Map([&'a [FieldValue]; 2]),
    /// The links of the key, and its number of sides.
    Last(&'a [[PreviousPlace; 2]], usize),
    Constant(FieldValue),
}

/// A base whose operands are resolved likewise.
#[derive(Debug, Clone, Copy)]
pub(super) enum ResolvedBase<'a> {
    Of([&'a [FieldValue]; 2]),
    Predicted(ResolvedPredictor<'a>),
}

/// The predictions of a value, and the pattern of their agreement: in base 3, for
/// each predictor 0 if it predicts nothing, 2 if an earlier one predicts the
/// same, else 1.
pub(super) struct Predictions {
    pub(super) cells: [FieldValue; MAX_PREDICTORS],
    pub(super) pattern: u32,
}

impl<'a> ResolvedPredictor<'a> {
    pub(super) fn new(
        predictor: ValuePredictor,
        field: &Field,
        fields: &[Field],
        block_cells: &BlockCells<'a>,
    ) -> ResolvedPredictor<'a> {
        match predictor {
            ValuePredictor::Previous => ResolvedPredictor::Previous,
            ValuePredictor::Map(source) => ResolvedPredictor::Map(block_cells.cells(source)),
            ValuePredictor::Constant(value) => {
                ResolvedPredictor::Constant(match cell_of_key(value) {
                    FieldValue::Id(rank) => field
                        .ranks
                        .id(rank.into())
                        .map_or(FieldValue::Absent, FieldValue::Id),
                    cell => cell,
                })
            }
            ValuePredictor::Last(number) => {
                let sides = fields.get(number).map_or(0, Field::sides);
                match block_cells.field(number) {
                    Some(key) if (1..=field.sides()).contains(&sides) => {
                        ResolvedPredictor::Last(key.links(), sides)
                    }
                    _ => ResolvedPredictor::Constant(FieldValue::Absent),
                }
            }
        }
    }
}

impl<'a> ResolvedBase<'a> {
    pub(super) fn new(
        base: NumberBase,
        field: &Field,
        fields: &[Field],
        block_cells: &BlockCells<'a>,
    ) -> Self {
        let predictor = match base {
            NumberBase::Of(source) => return ResolvedBase::Of(block_cells.cells(source)),
            NumberBase::Previous => ValuePredictor::Previous,
            NumberBase::Last(key) => ValuePredictor::Last(key),
        };
        ResolvedBase::Predicted(ResolvedPredictor::new(
            predictor,
            field,
            fields,
            block_cells,
        ))
    }
}

impl FieldCoder<'_> {
    /// The prediction of the first predictor.
    #[inline]
    pub(super) fn first_prediction(
        &self,
        side: usize,
        record: usize,
    ) -> Result<FieldValue, DistributionError> {
        let predictor = self.predictors.first();
        let cell = predictor.map(|predictor| self.predict(predictor, side, record));
        match cell {
            None | Some(FieldValue::Absent | FieldValue::Literal(_)) => {
                Err(DistributionError::UnknownContext)
            }
            Some(cell) => Ok(cell),
        }
    }

    #[inline]
    pub(super) fn predictions(&self, side: usize, record: usize) -> Predictions {
        let mut predictions = Predictions {
            cells: [FieldValue::Absent; MAX_PREDICTORS],
            pattern: 0,
        };
        for (at, predictor) in self.predictors.iter().enumerate() {
            let cell = self.predict(predictor, side, record);
            let is_known = || {
                predictions
                    .cells
                    .iter()
                    .take(at)
                    .any(|other| *other == cell)
            };
            let agreement = match cell {
                // A literal is never predicted: its number is valid only in its
                // own column.
                FieldValue::Absent | FieldValue::Literal(_) => 0,
                _ if is_known() => 2,
                _ => 1,
            };
            predictions.pattern = 3 * predictions.pattern + agreement;
            if agreement > 0
                && let Some(place) = predictions.cells.get_mut(at)
            {
                *place = cell;
            }
        }
        predictions
    }

    #[inline]
    pub(super) fn predict(
        &self,
        predictor: &ResolvedPredictor<'_>,
        side: usize,
        record: usize,
    ) -> FieldValue {
        match predictor {
            ResolvedPredictor::Previous => self.last.get(side).copied().unwrap_or_default(),
            ResolvedPredictor::Map(cells) => {
                let key = cell(cells, side, record);
                self.field.look_up_map(key).unwrap_or_default()
            }
            ResolvedPredictor::Constant(cell) => *cell,
            ResolvedPredictor::Last(links, sides) => {
                let links = links.get(record);
                let link = links.and_then(|links| links.get(side.min(sides - 1)));
                let place = link.and_then(|link| link.place());
                place.map_or(FieldValue::Absent, |(at, of)| {
                    let side = if *sides == 2 { of } else { side };
                    self.own.cell(side, at)
                })
            }
        }
    }
}
