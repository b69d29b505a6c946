//! Predictions of a value.

use super::super::cell::Cell;
use super::super::context::cell;
use super::super::field::{Field, mapped_cell};
use super::super::plan::{Base, MOST_PREDICTORS, Predictor};
use super::super::sheet::{Link, Sheet};
use super::Run;
use crate::codec::forecast::ForecastError;

/// A predictor whose operands in the block are resolved once, not for each value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ready<'a> {
    Previous,
    Partner,
    /// The cells of the source, by the side that is being coded.
    Of([&'a [Cell]; 2]),
    Map([&'a [Cell]; 2]),
    /// The links of the key, and its number of sides.
    Last(&'a [[Link; 2]], usize),
    Always(Cell),
}

/// A base whose operands are resolved likewise.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReadyBase<'a> {
    Value(i64),
    By(Ready<'a>),
    Opposite,
}

/// The predictions of a value, and the pattern of their agreement: in base 3, for
/// each predictor 0 if it predicts nothing, 2 if an earlier one predicts the
/// same, else 1.
pub(super) struct Foreseen {
    pub(super) cells: [Cell; MOST_PREDICTORS],
    pub(super) pattern: u32,
}

impl<'a> Ready<'a> {
    pub(super) fn new(
        predictor: Predictor,
        field: &Field,
        fields: &[Field],
        sheet: &Sheet<'a>,
    ) -> Ready<'a> {
        match predictor {
            Predictor::Previous => Ready::Previous,
            Predictor::Partner => Ready::Partner,
            Predictor::Of(source) => Ready::Of(sheet.cells(source)),
            Predictor::Map(source) => Ready::Map(sheet.cells(source)),
            Predictor::Value(value) => Ready::Always(match mapped_cell(value) {
                Cell::Id(rank) => field.ranks.id(rank.into()).map_or(Cell::Absent, Cell::Id),
                cell => cell,
            }),
            Predictor::Last(number) => {
                let sides = fields.get(number).map_or(0, Field::sides);
                match sheet.field(number) {
                    Some(key) if (1..=field.sides()).contains(&sides) => {
                        Ready::Last(key.links(), sides)
                    }
                    _ => Ready::Always(Cell::Absent),
                }
            }
        }
    }
}

impl<'a> ReadyBase<'a> {
    pub(super) fn new(base: Base, field: &Field, fields: &[Field], sheet: &Sheet<'a>) -> Self {
        match base {
            Base::Value(value) => ReadyBase::Value(value),
            Base::Opposite => ReadyBase::Opposite,
            Base::By(predictor) => ReadyBase::By(Ready::new(predictor, field, fields, sheet)),
        }
    }
}

impl Run<'_> {
    /// The prediction of the first predictor.
    #[inline]
    pub(super) fn first(&self, side: usize, record: usize) -> Result<Cell, ForecastError> {
        let predictor = self.predictors.first();
        let cell = predictor.map(|predictor| self.predicted(predictor, side, record));
        match cell {
            None | Some(Cell::Absent | Cell::Literal(_)) => Err(ForecastError::NoPlace),
            Some(cell) => Ok(cell),
        }
    }

    #[inline]
    pub(super) fn foreseen(&self, side: usize, record: usize) -> Foreseen {
        let mut foreseen = Foreseen {
            cells: [Cell::Absent; MOST_PREDICTORS],
            pattern: 0,
        };
        for (at, predictor) in self.predictors.iter().enumerate() {
            let cell = self.predicted(predictor, side, record);
            let is_known = || foreseen.cells.iter().take(at).any(|other| *other == cell);
            let agrees = match cell {
                // A literal is never predicted: its number is valid only in its
                // own column.
                Cell::Absent | Cell::Literal(_) => 0,
                _ if is_known() => 2,
                _ => 1,
            };
            foreseen.pattern = 3 * foreseen.pattern + agrees;
            if agrees > 0
                && let Some(place) = foreseen.cells.get_mut(at)
            {
                *place = cell;
            }
        }
        foreseen
    }

    #[inline]
    pub(super) fn predicted(&self, predictor: &Ready<'_>, side: usize, record: usize) -> Cell {
        match predictor {
            Ready::Previous => self.last.get(side).copied().unwrap_or_default(),
            Ready::Partner if side == 1 => self.own.cell(0, record),
            Ready::Partner => Cell::Absent,
            Ready::Of(cells) => cell(cells, side, record),
            Ready::Map(cells) => {
                let key = cell(cells, side, record);
                self.field.mapped(key).unwrap_or_default()
            }
            Ready::Always(cell) => *cell,
            Ready::Last(links, sides) => {
                let links = links.get(record);
                let link = links.and_then(|links| links.get(side.min(sides - 1)));
                let place = link.and_then(|link| link.place());
                place.map_or(Cell::Absent, |(at, of)| {
                    let side = if *sides == 2 { of } else { side };
                    self.own.cell(side, at)
                })
            }
        }
    }
}
