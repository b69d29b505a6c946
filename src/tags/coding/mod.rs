//! Coding the values of a field. One function counts, measures, writes and reads
//! them.

mod foresee;
mod recent;
mod tell;
mod values;

use super::cell::Cell;
use super::context::Classes;
use super::field::Field;
use super::plan::{CLASSES, Plan, RUN};
use super::sheet::{Sheet, Sides};
use crate::codec::forecast::{Coder, ForecastError, Place};
use foresee::{Ready, ReadyBase};
use recent::Recent;

/// The input of a coding pass over a field of a block: the values for a writer,
/// the number of records for a reader.
#[derive(Debug)]
pub struct Given<'a> {
    /// The values; `None` for a reader.
    pub values: Option<&'a Sides>,
    /// The number of records.
    pub records: usize,
    /// The maximum total size of all literals, in bytes.
    pub most_bytes: usize,
}

impl<'a> Given<'a> {
    /// The input of a reader that accepts no literals other than empty ones.
    pub fn none(records: usize) -> Given<'a> {
        Given {
            values: None,
            records,
            most_bytes: 0,
        }
    }

    /// The input of a writer: all values.
    pub fn all(values: &'a Sides) -> Given<'a> {
        Given {
            values: Some(values),
            records: values.len(),
            most_bytes: usize::MAX,
        }
    }
}

/// Codes the values of a field in the first `given.records` records of a block.
/// `fields` are the earlier fields of the segment. `sheet` holds the cells of
/// those that the plan refers to. There is one coder for each column, or one for
/// all. `has` says whether a record has a value in a column, by side and record.
///
/// # Errors
/// A reader finds damaged bytes or passes a limit, or a writer is given a value
/// that the field cannot code.
pub fn code<C: Coder>(
    field: &Field,
    fields: &[Field],
    sheet: &Sheet<'_>,
    coders: &mut [C],
    has: impl Fn(usize, usize) -> bool,
    given: &Given<'_>,
) -> Result<Sides, ForecastError> {
    let mut run = Run::new(field, fields, sheet, given);
    let last = coders.len().checked_sub(1).ok_or(ForecastError::NoPlace)?;
    if field.plan.has_runs {
        run.find_runs(&has);
    }
    for record in 0..given.records {
        for side in 0..field.sides().min(2) {
            let mut cell = Cell::Absent;
            if has(side, record)
                && let Some(coder) = coders.get_mut(side.min(last))
            {
                cell = match run.is_in_run(side, coder)? {
                    true => run.first(side, record)?,
                    false => run.cell(side, record, coder)?,
                };
            }
            run.push(side, cell);
        }
    }
    Ok(run.own)
}

/// The values of a field whose columns are empty: each is the prediction of the
/// first predictor.
///
/// # Errors
/// The first predictor does not exist or predicts nothing.
pub fn foreseen(
    field: &Field,
    fields: &[Field],
    sheet: &Sheet<'_>,
    has: impl Fn(usize, usize) -> bool,
    records: usize,
) -> Result<Sides, ForecastError> {
    let given = Given::none(records);
    let mut run = Run::new(field, fields, sheet, &given);
    if let Some(Ready::Always(_)) = run.predictors.first() {
        return run.always(has);
    }
    for record in 0..records {
        for side in 0..field.sides().min(2) {
            let mut cell = Cell::Absent;
            if has(side, record) {
                cell = run.first(side, record)?;
            }
            run.push(side, cell);
        }
    }
    Ok(run.own)
}

/// Whether the first predictor predicts all values of a field, so that its columns
/// are empty.
pub fn is_foreseen(field: &Field, fields: &[Field], sheet: &Sheet<'_>, values: &Sides) -> bool {
    let given = Given::all(values);
    let mut run = Run::new(field, fields, sheet, &given);
    run.find_runs(|side, record| values.has(side, record));
    run.runs.iter().all(|runs| runs.len() == 1)
}

struct Run<'a> {
    field: &'a Field,
    plan: &'a Plan,
    fields: &'a [Field],
    sheet: &'a Sheet<'a>,
    given: &'a Given<'a>,
    predictors: Vec<Ready<'a>>,
    bases: Vec<ReadyBase<'a>>,
    contexts: [Classes<'a>; 2],
    /// The number of history contexts.
    histories: u32,
    /// The number of classes of the first context.
    classes: u32,
    own: Sides,
    /// The previous value, by side.
    last: [Cell; 2],
    /// The outcome of the previous value, by side.
    history: [u32; 2],
    recent: Recent,
    /// The total size of the literals so far.
    bytes: usize,
    /// The number of values that remain in the current run of first predictions,
    /// by side; `None` if its length is not coded yet.
    left: [Option<u64>; 2],
    /// For a writer, the lengths of the remaining runs in reverse order, by side.
    runs: [Vec<u64>; 2],
}

/// The position and the contexts of a value.
#[derive(Clone, Copy)]
struct At {
    side: usize,
    record: usize,
    outer: u32,
    inner: u32,
}

impl<'a> Run<'a> {
    fn new(
        field: &'a Field,
        fields: &'a [Field],
        sheet: &'a Sheet<'a>,
        given: &'a Given<'a>,
    ) -> Run<'a> {
        let mut own = Sides::default();
        for cells in own.cells.iter_mut().take(field.sides()) {
            cells.reserve(given.records);
        }
        let plan = &field.plan;
        let [first, _] = plan.contexts;
        let predictors = plan.predictors.iter();
        let bases = plan.bases.iter();
        Run {
            field,
            plan,
            predictors: predictors
                .map(|predictor| Ready::new(*predictor, field, fields, sheet))
                .collect(),
            bases: bases
                .map(|base| ReadyBase::new(*base, field, fields, sheet))
                .collect(),
            contexts: plan
                .contexts
                .map(|context| Classes::new(context, fields, sheet)),
            fields,
            sheet,
            given,
            histories: field.plan.histories(),
            classes: if first.is_some() { CLASSES } else { 1 },
            own,
            last: [Cell::Absent; 2],
            history: [0; 2],
            recent: match plan.is_recent {
                true => Recent::with_room(field.sides() * given.records),
                false => Recent::default(),
            },
            bytes: 0,
            left: [None; 2],
            runs: Default::default(),
        }
    }

    /// All values, if the first predictor is a constant. Many columns of a block
    /// are constant.
    fn always(mut self, has: impl Fn(usize, usize) -> bool) -> Result<Sides, ForecastError> {
        let always = self.first(0, 0);
        for (side, cells) in self.own.cells.iter_mut().enumerate() {
            if side < self.field.sides() {
                for record in 0..self.given.records {
                    let cell = if has(side, record) {
                        always?
                    } else {
                        Cell::Absent
                    };
                    cells.push(cell);
                }
            }
        }
        Ok(self.own)
    }

    /// Finds the runs of the given values that the first predictor predicts.
    fn find_runs(&mut self, has: impl Fn(usize, usize) -> bool) {
        let Some(values) = self.given.values else {
            return;
        };
        let mut ahead = Run::new(self.field, self.fields, self.sheet, self.given);
        let mut runs = [vec![0], vec![0]];
        for record in 0..self.given.records {
            for (side, runs) in runs.iter_mut().enumerate().take(self.field.sides()) {
                let cell = values.cell(side, record);
                if has(side, record) {
                    match (ahead.first(side, record) == Ok(cell), runs.last_mut()) {
                        (true, Some(run)) => *run += 1,
                        _ => runs.push(0),
                    }
                }
                ahead.push(side, cell);
            }
        }
        self.runs = runs.map(|runs| runs.into_iter().rev().collect());
    }

    /// Whether the next value is in a run of first predictions.
    #[inline]
    fn is_in_run<C: Coder>(&mut self, side: usize, coder: &mut C) -> Result<bool, ForecastError> {
        if !self.plan.has_runs {
            return Ok(false);
        }
        let left = self.left.get(side).copied().flatten();
        let left = match left {
            Some(left) => left,
            None => {
                let run = self.runs.get_mut(side).and_then(Vec::pop).unwrap_or(0);
                let place = Place {
                    family: RUN,
                    outer: u32::from(side > 0),
                    inner: 0,
                };
                coder.number(place, run)?
            }
        };
        if let Some(place) = self.left.get_mut(side) {
            *place = left.checked_sub(1);
        }
        Ok(left > 0)
    }

    #[inline]
    fn push(&mut self, side: usize, cell: Cell) {
        if let Some(cells) = self.own.cells.get_mut(side) {
            cells.push(cell);
        }
        if cell != Cell::Absent
            && let Some(last) = self.last.get_mut(side)
        {
            *last = cell;
        }
    }
}
