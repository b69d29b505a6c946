//! How the values of a field are told: one function to count, measure, write and
//! read them.

use super::cell::Cell;
use super::context::class;
use super::field::{Field, mapped_cell};
use super::plan::{Base, CLASSES, HISTORIES, HOW, LENGTH, LOW, NUMBER, Predictor, RANK, RECENT};
use super::sheet::{Sheet, Sides};
use crate::codec::forecast::{Coder, ForecastError, Place};

/// What is told of a field and a block: for a writer all, for a reader how many
/// records to read.
#[derive(Debug)]
pub struct Given<'a> {
    /// The values; none for a reader.
    pub values: Option<&'a Sides>,
    /// How many records there are.
    pub records: usize,
    /// Most bytes that all literals may have together.
    pub most_bytes: usize,
}

impl<'a> Given<'a> {
    /// All values.
    pub fn all(values: &'a Sides) -> Given<'a> {
        Given {
            values: Some(values),
            records: values.len(),
            most_bytes: usize::MAX,
        }
    }
}

/// Codes the values of a field, of the first records of a block. `fields` are
/// those before it in the segment; `sheet` holds the cells of those that it
/// names. There is a coder for each column, or one for all. `has` says whether a record has a
/// value in a column, by side and record.
///
/// # Errors
/// A reader finds bytes that no writer gives.
pub fn code<C: Coder>(
    field: &Field,
    fields: &[Field],
    sheet: &Sheet<'_>,
    coders: &mut [C],
    has: impl Fn(usize, usize) -> bool,
    given: &Given<'_>,
) -> Result<Sides, ForecastError> {
    let mut run = Run {
        field,
        fields,
        sheet,
        given,
        own: Sides::default(),
        last: [Cell::Absent; 2],
        history: [0; 2],
        recent: Vec::new(),
        bytes: 0,
    };
    for record in 0..given.records {
        for side in 0..field.sides().min(2) {
            let coder = coders.len().checked_sub(1).map(|last| side.min(last));
            let coder = coder
                .and_then(|at| coders.get_mut(at))
                .ok_or(ForecastError::NoPlace)?;
            let cell = match has(side, record) {
                true => run.cell(side, record, coder)?,
                false => Cell::Absent,
            };
            if let Some(cells) = run.own.cells.get_mut(side) {
                cells.push(cell);
            }
        }
    }
    Ok(run.own)
}

struct Run<'a> {
    field: &'a Field,
    fields: &'a [Field],
    sheet: &'a Sheet<'a>,
    given: &'a Given<'a>,
    own: Sides,
    /// The value before, of each side.
    last: [Cell; 2],
    /// How it was told.
    history: [u32; 2],
    /// The values that have come, the last last.
    recent: Vec<Cell>,
    /// Of literals.
    bytes: usize,
}

impl Run<'_> {
    fn cell<C: Coder>(
        &mut self,
        side: usize,
        record: usize,
        coder: &mut C,
    ) -> Result<Cell, ForecastError> {
        let told = self
            .given
            .values
            .map_or(Cell::Absent, |v| v.cell(side, record));
        let plan = &self.field.plan;
        let mut predicted = [Cell::Absent; 8];
        let mut pattern = 0;
        for (at, predictor) in plan.predictors.iter().enumerate() {
            let cell = match self.predicted(*predictor, side, record) {
                // A literal is a text of its own column only.
                Cell::Literal(_) => Cell::Absent,
                cell => cell,
            };
            let before = predicted.get(..at).unwrap_or_default();
            pattern = 3 * pattern
                + match cell {
                    Cell::Absent => 0,
                    cell if before.contains(&cell) => 2,
                    _ => 1,
                };
            if let Some(place) = predicted.get_mut(at) {
                *place = cell;
            }
        }
        let count = plan.predictors.len();
        let predicted = predicted.get(..count).unwrap_or_default();
        let [a, b] = plan.contexts.map(|context| {
            context.map_or(0, |context| {
                class(context, self.fields, self.sheet, side, record)
            })
        });
        let classes = plan.contexts[0].map_or(1, |_| CLASSES);
        let outer = u32::try_from(side).unwrap_or(0) * classes + a;
        let history = self.history_of(side);
        let at = predicted.iter().position(|cell| *cell == told);
        let is_told = plan.is_recent && self.given.values.is_some();
        let depth = match is_told {
            true => self.recent.iter().rev().position(|cell| *cell == told),
            false => None,
        };
        let how = match (at, depth, told) {
            (Some(at), ..) => at,
            (None, Some(_), _) => count,
            (.., Cell::Number(_) | Cell::Absent) => count + 1,
            (.., Cell::Id(_)) => count + 2,
            (.., Cell::Literal(_)) => count + 3,
        };
        let place = Place {
            family: HOW,
            outer,
            inner: pattern * plan.histories() + history,
        };
        let how = usize::from(coder.symbol(place, u8::try_from(how).unwrap_or(u8::MAX))?);
        let mut index = 0;
        let cell = match how.checked_sub(count) {
            None => {
                let cell = predicted.get(how).copied().unwrap_or_default();
                cell.present().ok_or(ForecastError::NoPlace)?
            }
            Some(0) => {
                let place = Place {
                    family: RECENT,
                    outer: u32::try_from(side).unwrap_or(0),
                    inner: history,
                };
                let depth = coder.number(place, depth.unwrap_or(0) as u64)?;
                index = usize::try_from(depth).map_err(|_| ForecastError::TooLarge)?;
                let at = self.recent.len().checked_sub(index + 1);
                let cell = at.and_then(|at| self.recent.get(at)).copied();
                cell.ok_or(ForecastError::NoPlace)?
            }
            Some(1) => self.number(side, record, [outer, b], told, coder)?,
            Some(2) => {
                let rank = match told {
                    Cell::Id(id) => self.field.ranks.rank(id).ok_or(ForecastError::NoPlace)?,
                    _ => 0,
                };
                let place = Place {
                    family: RANK,
                    outer,
                    inner: b,
                };
                let rank = coder.number(place, rank.into())?;
                Cell::Id(self.field.ranks.id(rank).ok_or(ForecastError::NoPlace)?)
            }
            Some(_) => self.literal(told, coder)?,
        };
        self.note(side, cell, how, count, index);
        Ok(cell)
    }

    /// How values were told before, as a context.
    fn history_of(&self, side: usize) -> u32 {
        let [first, second] = self.history;
        let (own, other) = if side == 0 {
            (first, second)
        } else {
            (second, first)
        };
        match self.field.plan.is_recent {
            true => own * HISTORIES + other,
            false => own,
        }
    }

    fn note(&mut self, side: usize, cell: Cell, how: usize, predictors: usize, depth: usize) {
        if self.field.plan.is_recent {
            let at = match how.checked_sub(predictors) {
                Some(0) => self.recent.len().checked_sub(depth + 1),
                Some(_) => None,
                None => self.recent.iter().rposition(|recent| *recent == cell),
            };
            match at.and_then(|at| self.recent.get_mut(at..)) {
                Some(moved) => moved.rotate_left(1),
                None => self.recent.push(cell),
            }
        }
        let history = match how.checked_sub(predictors) {
            None => u32::try_from(how).unwrap_or(0),
            Some(0) => match depth {
                0 => 3,
                1 => 4,
                2..8 => 5,
                _ => 6,
            },
            Some(_) => HISTORIES - 1,
        };
        if let Some(place) = self.history.get_mut(side) {
            *place = history;
        }
        if let Some(place) = self.last.get_mut(side) {
            *place = cell;
        }
    }

    fn predicted(&self, predictor: Predictor, side: usize, record: usize) -> Cell {
        match predictor {
            Predictor::Previous => self.last.get(side).copied().unwrap_or_default(),
            Predictor::Partner if side == 1 => self.own.cell(0, record),
            Predictor::Partner => Cell::Absent,
            Predictor::Of(source) => self.sheet.cell(source, side, record),
            Predictor::Map(source) => {
                let key = self.sheet.cell(source, side, record);
                self.field.mapped(key).unwrap_or_default()
            }
            Predictor::Value(value) => match mapped_cell(value) {
                Cell::Id(rank) => {
                    let id = self.field.ranks.id(rank.into());
                    id.map_or(Cell::Absent, Cell::Id)
                }
                cell => cell,
            },
            Predictor::Last(field) => self.last_beside(field, side, record).unwrap_or_default(),
        }
    }

    /// The value that stood beside the same value of another field last.
    fn last_beside(&self, field: usize, side: usize, record: usize) -> Option<Cell> {
        let of_key = self.fields.get(field)?.sides();
        let key = self.sheet.field(field)?;
        if of_key > self.field.sides() {
            return None;
        }
        let (at, of) = key.link(side.min(of_key - 1), record).place()?;
        let side = if of_key == 2 { of } else { side };
        self.own.cell(side, at).present()
    }

    fn number<C: Coder>(
        &mut self,
        side: usize,
        record: usize,
        [outer, b]: [u32; 2],
        told: Cell,
        coder: &mut C,
    ) -> Result<Cell, ForecastError> {
        let plan = &self.field.plan;
        let bases = plan.bases.iter().map(|base| self.base(*base, side, record));
        let base = bases.enumerate().find_map(|(at, base)| Some((at, base?)));
        let (at, base) = base.unwrap_or((plan.bases.len(), 0));
        let inner =
            b * (u32::try_from(plan.bases.len()).unwrap_or(0) + 1) + u32::try_from(at).unwrap_or(0);
        let place = Place {
            family: NUMBER,
            outer,
            inner,
        };
        let value = match told {
            Cell::Number(number) => plan.shape.value(number),
            _ => base,
        };
        let mut difference = value - base;
        let mut low = 0;
        if plan.splits {
            let place = Place {
                family: LOW,
                outer,
                inner: b,
            };
            let [bit, ..] = (difference & 1).to_le_bytes();
            low = i64::from(coder.symbol(place, bit)?);
            difference >>= 1;
        }
        difference = match at == plan.bases.len() {
            true => {
                let number = plan
                    .shape
                    .number(difference)
                    .ok_or(ForecastError::TooLarge)?;
                plan.shape.value(coder.number(place, number)?)
            }
            false => coder.signed(place, difference)?,
        };
        if plan.splits {
            difference = difference.checked_mul(2).ok_or(ForecastError::TooLarge)? | low;
        }
        let value = base.checked_add(difference);
        let number = value.and_then(|value| plan.shape.number(value));
        Ok(Cell::Number(number.ok_or(ForecastError::TooLarge)?))
    }

    fn base(&self, base: Base, side: usize, record: usize) -> Option<i64> {
        let shape = &self.field.plan.shape;
        let value = |cell| match cell {
            Cell::Number(number) => Some(shape.value(number)),
            _ => None,
        };
        match base {
            Base::Value(value) => Some(value),
            Base::By(predictor) => value(self.predicted(predictor, side, record)),
            Base::Opposite => Some(-value(self.predicted(Predictor::Partner, side, record))?),
        }
    }

    fn literal<C: Coder>(&mut self, told: Cell, coder: &mut C) -> Result<Cell, ForecastError> {
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
