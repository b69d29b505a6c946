//! Coding the values of a field. One function counts, measures, writes and reads
//! them.

mod explicit;
mod predict;
mod recent;
mod value;

use super::block_cells::{BlockCells, FieldCells};
use super::cell::FieldValue;
use super::context::ResolvedContext;
use super::field::Field;
use super::plan::{CLASSES, FieldPlan, RUN};
use crate::codec::distributions::{DistributionError, SymbolCoder, SymbolContext};
use predict::{ResolvedBase, ResolvedPredictor};
use recent::RecencyList;

/// The input of a coding pass over a field of a block: the values for a writer,
/// the number of records for a reader.
#[derive(Debug)]
pub struct CodingInput<'a> {
    /// The values; `None` for a reader.
    pub values: Option<&'a FieldCells>,
    /// The number of records.
    pub records: usize,
    /// The maximum total size of all literals, in bytes.
    pub max_literal_bytes: usize,
}

impl<'a> CodingInput<'a> {
    /// The input of a reader that accepts no literals other than empty ones.
    pub fn for_reader(records: usize) -> CodingInput<'a> {
        CodingInput {
            values: None,
            records,
            max_literal_bytes: 0,
        }
    }

    /// The input of a writer: all values.
    pub fn for_writer(values: &'a FieldCells) -> CodingInput<'a> {
        CodingInput {
            values: Some(values),
            records: values.len(),
            max_literal_bytes: usize::MAX,
        }
    }
}

/// Codes the values of a field in the first `given.records` records of a block.
/// `fields` are the earlier fields of the segment. `block_cells` holds the cells of
/// those that the plan refers to. There is one coder for each column, or one for
/// all. `has` says whether a record has a value in a column, by side and record.
///
/// # Errors
/// A reader finds damaged bytes or passes a limit, or a writer is given a value
/// that the field cannot code.
pub fn code_field<C: SymbolCoder>(
    field: &Field,
    fields: &[Field],
    block_cells: &BlockCells<'_>,
    coders: &mut [C],
    has: impl Fn(usize, usize) -> bool,
    input: &CodingInput<'_>,
) -> Result<FieldCells, DistributionError> {
    let mut run = FieldCoder::new(field, fields, block_cells, input);
    let last = coders
        .len()
        .checked_sub(1)
        .ok_or(DistributionError::UnknownContext)?;
    if field.plan.has_runs {
        run.find_runs(&has);
    }
    for record in 0..input.records {
        for side in 0..field.sides().min(2) {
            let mut cell = FieldValue::Absent;
            if has(side, record)
                && let Some(coder) = coders.get_mut(side.min(last))
            {
                cell = match run.is_in_run(side, coder)? {
                    true => run.first_prediction(side, record)?,
                    false => run.code_value(side, record, coder)?,
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
pub fn predict_field(
    field: &Field,
    fields: &[Field],
    block_cells: &BlockCells<'_>,
    has: impl Fn(usize, usize) -> bool,
    records: usize,
) -> Result<FieldCells, DistributionError> {
    let given = CodingInput::for_reader(records);
    let mut run = FieldCoder::new(field, fields, block_cells, &given);
    if let Some(ResolvedPredictor::Constant(_)) = run.predictors.first() {
        return run.constant(has);
    }
    for record in 0..records {
        for side in 0..field.sides().min(2) {
            let mut cell = FieldValue::Absent;
            if has(side, record) {
                cell = run.first_prediction(side, record)?;
            }
            run.push(side, cell);
        }
    }
    Ok(run.own)
}

/// Whether the first predictor predicts all values of a field, so that its columns
/// are empty.
pub fn is_fully_predicted(
    field: &Field,
    fields: &[Field],
    block_cells: &BlockCells<'_>,
    values: &FieldCells,
) -> bool {
    let given = CodingInput::for_writer(values);
    let mut run = FieldCoder::new(field, fields, block_cells, &given);
    run.find_runs(|side, record| values.has(side, record));
    run.runs.iter().all(|runs| runs.len() == 1)
}

struct FieldCoder<'a> {
    field: &'a Field,
    plan: &'a FieldPlan,
    fields: &'a [Field],
    block_cells: &'a BlockCells<'a>,
    given: &'a CodingInput<'a>,
    predictors: Vec<ResolvedPredictor<'a>>,
    base: Option<ResolvedBase<'a>>,
    contexts: [ResolvedContext<'a>; 2],
    /// The number of history contexts.
    history_contexts: u32,
    /// The number of classes of the first context.
    classes: u32,
    own: FieldCells,
    /// The previous value, by side.
    last: [FieldValue; 2],
    /// The outcome of the previous value, by side.
    outcomes: [u32; 2],
    recent: RecencyList,
    /// The total size of the literals so far.
    literal_bytes: usize,
    /// The number of values that remain in the current run of first predictions,
    /// by side; `None` if its length is not coded yet.
    run_remaining: [Option<u64>; 2],
    /// For a writer, the lengths of the remaining runs in reverse order, by side.
    runs: [Vec<u64>; 2],
}

/// The position and the contexts of a value.
#[derive(Clone, Copy)]
struct ValueContext {
    side: usize,
    record: usize,
    outer: u32,
    inner: u32,
}

impl<'a> FieldCoder<'a> {
    fn new(
        field: &'a Field,
        fields: &'a [Field],
        block_cells: &'a BlockCells<'a>,
        given: &'a CodingInput<'a>,
    ) -> FieldCoder<'a> {
        let mut own = FieldCells::default();
        for cells in own.cells.iter_mut().take(field.sides()) {
            cells.reserve(given.records);
        }
        let plan = &field.plan;
        let [first, _] = plan.contexts;
        let predictors = plan.predictors.iter();
        FieldCoder {
            field,
            plan,
            predictors: predictors
                .map(|predictor| ResolvedPredictor::new(*predictor, field, fields, block_cells))
                .collect(),
            base: plan
                .base
                .map(|base| ResolvedBase::new(base, field, fields, block_cells)),
            contexts: plan
                .contexts
                .map(|context| ResolvedContext::new(context, fields, block_cells)),
            fields,
            block_cells,
            given,
            history_contexts: field.plan.history_contexts(),
            classes: if first.is_some() { CLASSES } else { 1 },
            own,
            last: [FieldValue::Absent; 2],
            outcomes: [0; 2],
            recent: match plan.is_recent {
                true => RecencyList::with_capacity(field.sides() * given.records),
                false => RecencyList::default(),
            },
            literal_bytes: 0,
            run_remaining: [None; 2],
            runs: Default::default(),
        }
    }

    /// All values, if the first predictor is a constant. Many columns of a block
    /// are constant.
    fn constant(
        mut self,
        has: impl Fn(usize, usize) -> bool,
    ) -> Result<FieldCells, DistributionError> {
        let always = self.first_prediction(0, 0);
        for (side, cells) in self.own.cells.iter_mut().enumerate() {
            if side < self.field.sides() {
                for record in 0..self.given.records {
                    let cell = if has(side, record) {
                        always?
                    } else {
                        FieldValue::Absent
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
        let mut ahead = FieldCoder::new(self.field, self.fields, self.block_cells, self.given);
        let mut runs = [vec![0], vec![0]];
        for record in 0..self.given.records {
            for (side, runs) in runs.iter_mut().enumerate().take(self.field.sides()) {
                let cell = values.cell(side, record);
                if has(side, record) {
                    match (
                        ahead.first_prediction(side, record) == Ok(cell),
                        runs.last_mut(),
                    ) {
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
    fn is_in_run<C: SymbolCoder>(
        &mut self,
        side: usize,
        coder: &mut C,
    ) -> Result<bool, DistributionError> {
        if !self.plan.has_runs {
            return Ok(false);
        }
        let left = self.run_remaining.get(side).copied().flatten();
        let left = match left {
            Some(left) => left,
            None => {
                let run = self.runs.get_mut(side).and_then(Vec::pop).unwrap_or(0);
                let place = SymbolContext {
                    family: RUN,
                    outer: u32::from(side > 0),
                    inner: 0,
                };
                coder.number(place, run)?
            }
        };
        if let Some(place) = self.run_remaining.get_mut(side) {
            *place = left.checked_sub(1);
        }
        Ok(left > 0)
    }

    #[inline]
    fn push(&mut self, side: usize, cell: FieldValue) {
        if let Some(cells) = self.own.cells.get_mut(side) {
            cells.push(cell);
        }
        if cell != FieldValue::Absent
            && let Some(last) = self.last.get_mut(side)
        {
            *last = cell;
        }
    }
}
