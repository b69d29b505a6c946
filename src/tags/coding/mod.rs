//! How the values of a field are told: one function to count, measure, write and
//! read them.

mod values;

use super::cell::Cell;
use super::context::class;
use super::field::{Field, mapped_cell};
use super::plan::{
    CLASSES, Context, HISTORIES, HOW, MOST_PREDICTORS, Plan, Predictor, RECENT, RUN,
};
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
    /// No values, for a reader; no literals either.
    pub fn none(records: usize) -> Given<'a> {
        Given {
            values: None,
            records,
            most_bytes: 0,
        }
    }

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
/// names. There is a coder for each column, or one for all. `has` says whether a
/// record has a value in a column, by side and record.
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

/// The values of a field whose columns have no bytes: they are what is foreseen
/// first.
///
/// # Errors
/// Nothing is foreseen.
pub fn foreseen(
    field: &Field,
    fields: &[Field],
    sheet: &Sheet<'_>,
    has: impl Fn(usize, usize) -> bool,
    records: usize,
) -> Result<Sides, ForecastError> {
    let given = Given::none(records);
    let mut run = Run::new(field, fields, sheet, &given);
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

/// Whether all values of a field are what is foreseen first, so that its columns
/// have no bytes.
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
    /// Contexts of how values are told, in the history.
    histories: u32,
    /// Classes of the first context.
    classes: u32,
    own: Sides,
    /// The value before, of each side.
    last: [Cell; 2],
    /// How it was told.
    history: [u32; 2],
    /// The values that have come, the last last.
    recent: Vec<Cell>,
    /// Of literals.
    bytes: usize,
    /// How many values in a row are still what is foreseen first, of each side.
    left: [Option<u64>; 2],
    /// For a writer, the lengths of such runs to come, the next last.
    runs: [Vec<u64>; 2],
}

/// What predictors foresee, and how far they agree.
struct Foreseen {
    cells: [Cell; MOST_PREDICTORS],
    pattern: u32,
}

/// The contexts of a value.
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
        let [first, _] = field.plan.contexts;
        Run {
            field,
            plan: &field.plan,
            fields,
            sheet,
            given,
            histories: field.plan.histories(),
            classes: if first.is_some() { CLASSES } else { 1 },
            own,
            last: [Cell::Absent; 2],
            history: [0; 2],
            recent: Vec::new(),
            bytes: 0,
            left: [None; 2],
            runs: Default::default(),
        }
    }

    /// What is foreseen first.
    #[inline]
    fn first(&self, side: usize, record: usize) -> Result<Cell, ForecastError> {
        let predictor = self.plan.predictors.first();
        let cell = predictor.map(|predictor| self.predicted(*predictor, side, record));
        match cell {
            None | Some(Cell::Absent | Cell::Literal(_)) => Err(ForecastError::NoPlace),
            Some(cell) => Ok(cell),
        }
    }

    /// Finds the runs of the values that are given.
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

    /// Whether the next value is in a run of what is foreseen first.
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

    #[inline]
    fn foreseen(&self, side: usize, record: usize) -> Foreseen {
        let mut foreseen = Foreseen {
            cells: [Cell::Absent; MOST_PREDICTORS],
            pattern: 0,
        };
        for (at, predictor) in self.plan.predictors.iter().enumerate() {
            let cell = self.predicted(*predictor, side, record);
            let is_known = || foreseen.cells.iter().take(at).any(|other| *other == cell);
            let agrees = match cell {
                // A literal is a text of its own column only.
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
    fn class(&self, context: Option<Context>, side: usize, record: usize) -> u32 {
        context.map_or(0, |context| {
            class(context, self.fields, self.sheet, side, record)
        })
    }

    #[inline]
    fn cell<C: Coder>(
        &mut self,
        side: usize,
        record: usize,
        coder: &mut C,
    ) -> Result<Cell, ForecastError> {
        let foreseen = self.foreseen(side, record);
        let [first, second] = self.plan.contexts;
        let row = if side == 0 { 0 } else { self.classes };
        let at = At {
            side,
            record,
            outer: row + self.class(first, side, record),
            inner: self.class(second, side, record),
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
        let predictors = self.plan.predictors.len();
        let how = match usize::from(how).checked_sub(predictors) {
            None => {
                let cell = foreseen.cells.get(usize::from(how)).copied();
                let cell = cell.and_then(Cell::present).ok_or(ForecastError::NoPlace)?;
                self.note(side, u32::from(how));
                if self.plan.is_recent {
                    let known = self.recent.iter().rposition(|recent| *recent == cell);
                    self.renew(cell, known);
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
            let known = depth
                .checked_add(1)
                .and_then(|d| self.recent.len().checked_sub(d));
            let cell = known.and_then(|at| self.recent.get(at)).copied();
            let cell = cell.ok_or(ForecastError::NoPlace)?;
            self.renew(cell, known);
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
            self.renew(cell, None);
        }
        self.note(side, HISTORIES - 1);
        Ok(cell)
    }

    /// How a value is to be told, and how many recent ones came after it.
    fn told(&self, told: Cell, foreseen: &Foreseen) -> (Cell, u8, usize) {
        let predictors = self.plan.predictors.len();
        let mut cells = foreseen.cells.iter().take(predictors);
        let depth = || self.recent.iter().rev().position(|cell| *cell == told);
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

    /// How values were told before, as a context.
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

    /// Puts a value behind the recent ones, among which it may be.
    fn renew(&mut self, cell: Cell, known: Option<usize>) {
        match known.and_then(|at| self.recent.get_mut(at..)) {
            Some(moved) => {
                moved.copy_within(1.., 0);
                if let Some(last) = moved.last_mut() {
                    *last = cell;
                }
            }
            None => self.recent.push(cell),
        }
    }

    #[inline]
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
}

/// How recent a value was, as a history.
fn history_of_depth(depth: usize) -> u32 {
    match depth {
        0 => 3,
        1 => 4,
        2..8 => 5,
        _ => 6,
    }
}
