//! The plan of a field: how a segment codes its values.

use super::shape::TextShape;
use crate::bits::{BitsError, ByteReader, put_varint};
use crate::codec::distributions::Family;

/// The maximum number of predictors of a field.
pub(super) const MAX_PREDICTORS: usize = 2;
/// The number of classes of a context.
pub(super) const CLASSES: u32 = 16;
/// The number of outcomes in the history context: how the previous value of a
/// side was coded.
pub(super) const OUTCOMES: u32 = 8;

/// The side of a source: a column of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldSide {
    /// The first or only column.
    First,
    /// The second column.
    Second,
    /// The column of the same side as the value that is being coded.
    Own,
}

/// A column of an earlier field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ColumnSource {
    /// The number of the field.
    pub field: usize,
    /// The side within the field.
    pub side: FieldSide,
}

/// A predictor of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValuePredictor {
    /// The previous value in the same column.
    Previous,
    /// The value that last accompanied the same value of the field with this
    /// number, the key.
    Last(usize),
    /// The value of the field's map for the value of another column in the same
    /// record.
    Map(ColumnSource),
    /// A constant: the opening if it is 0, the number v / 2 − 1 if v is even,
    /// the entry of rank (v − 1) / 2 if it is odd.
    Constant(u64),
}

/// The number from which another is coded as a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberBase {
    /// The previous value in the same column.
    Previous,
    /// The value of another column in the same record.
    Of(ColumnSource),
    /// The value that last accompanied the same value of the field with this
    /// number, as for [`ValuePredictor::Last`].
    Last(usize),
}

/// A context that selects the distributions of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CodingContext {
    /// The class of a value in the same record.
    Of(ColumnSource),
    /// The class of the difference between the two sides of a field: the side
    /// that is being coded less the other.
    Difference(usize),
}

/// How the values of a field are coded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPlan {
    /// The texts that are coded as numbers.
    pub shape: TextShape,
    /// Whether repeated values are coded by their recency rank.
    pub is_recent: bool,
    /// Whether runs of values that the first predictor predicts are coded by
    /// their lengths.
    pub has_runs: bool,
    /// Whether values may be the opening, which the field's book predicts.
    pub has_book: bool,
    /// The predictors, in the order of their numbers.
    pub predictors: Vec<ValuePredictor>,
    /// The base of numbers.
    pub base: Option<NumberBase>,
    /// The contexts, in addition to the history.
    pub contexts: [Option<CodingContext>; 2],
}

/// The indexes of the families in a plan's distributions.
pub(super) const METHOD: usize = 0;
pub(super) const NUMBER: usize = 1;
pub(super) const RANK: usize = 2;
pub(super) const RECENCY: usize = 3;
pub(super) const LENGTH: usize = 4;
pub(super) const RUN: usize = 5;

impl Default for FieldPlan {
    fn default() -> Self {
        FieldPlan::with_shape(TextShape::Text)
    }
}

impl FieldPlan {
    /// A plan of a shape without predictors, bases and contexts.
    pub fn with_shape(shape: TextShape) -> FieldPlan {
        FieldPlan {
            shape,
            is_recent: false,
            has_runs: false,
            has_book: false,
            predictors: Vec::new(),
            base: None,
            contexts: [None, None],
        }
    }

    /// The families of the distributions of a field of `sides` columns.
    pub fn families(&self, sides: usize) -> Vec<Family> {
        let sides = u32::try_from(sides).unwrap_or(u32::MAX);
        let [a, b] = self.contexts.map(|context| context.map_or(1, |_| CLASSES));
        let outer = sides * a;
        let numbers = |inner| Family::numbers(outer, inner);
        let predictors = u32::try_from(self.predictors.len()).unwrap_or(u32::MAX);
        let family = |symbols, inner| Family {
            symbols,
            outer,
            inner,
        };
        let methods = u16::try_from(self.predictors.len() + 4 + usize::from(self.has_book))
            .unwrap_or(u16::MAX);
        vec![
            family(
                methods,
                3u32.pow(predictors.min(8)) * self.history_contexts(),
            ),
            numbers(b * (1 + u32::from(self.base.is_some()))),
            numbers(b),
            Family::numbers(sides, self.history_contexts()),
            Family::numbers(1, 1),
            Family::numbers(sides, 1),
        ]
    }

    /// The number of history contexts.
    pub(super) fn history_contexts(&self) -> u32 {
        match self.is_recent {
            true => OUTCOMES * OUTCOMES,
            false => OUTCOMES,
        }
    }

    /// The numbers of the fields that its predictors, bases and contexts refer
    /// to.
    pub fn fields(&self) -> impl Iterator<Item = usize> {
        let of_predictor = |predictor: &ValuePredictor| match predictor {
            ValuePredictor::Previous | ValuePredictor::Constant(_) => None,
            ValuePredictor::Map(source) => Some(source.field),
            ValuePredictor::Last(field) => Some(*field),
        };
        let of_base = |base: NumberBase| match base {
            NumberBase::Previous => None,
            NumberBase::Of(source) => Some(source.field),
            NumberBase::Last(field) => Some(field),
        };
        let of_context = |context: &CodingContext| match context {
            CodingContext::Of(source) => source.field,
            CodingContext::Difference(field) => *field,
        };
        let predictors = self.predictors.iter().filter_map(of_predictor);
        let base = self.base.and_then(of_base);
        let contexts = self.contexts.iter().flatten().map(of_context);
        predictors.chain(base).chain(contexts)
    }

    /// Whether a predictor or the base is the last value by the field.
    pub fn uses_last_of(&self, field: usize) -> bool {
        self.predictors.contains(&ValuePredictor::Last(field))
            || self.base == Some(NumberBase::Last(field))
    }

    /// The source of its map.
    pub fn map(&self) -> Option<ColumnSource> {
        self.predictors.iter().find_map(|p| match p {
            ValuePredictor::Map(source) => Some(*source),
            _ => None,
        })
    }

    /// Appends the encoded plan to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.shape.write(out);
        let flags = [self.is_recent, self.has_runs, self.has_book].map(u64::from);
        put_varint(out, flags[0] + 2 * flags[1] + 4 * flags[2]);
        put_varint(out, self.predictors.len() as u64);
        for predictor in &self.predictors {
            write_predictor(predictor, out);
        }
        match &self.base {
            None => put_varint(out, 0),
            Some(NumberBase::Previous) => put_varint(out, 1),
            Some(NumberBase::Of(source)) => {
                put_varint(out, 2);
                write_source(source, out);
            }
            Some(NumberBase::Last(field)) => {
                put_varint(out, 3);
                put_varint(out, *field as u64);
            }
        }
        for context in &self.contexts {
            match context {
                None => put_varint(out, 0),
                Some(CodingContext::Of(source)) => {
                    put_varint(out, 1);
                    write_source(source, out);
                }
                Some(CodingContext::Difference(field)) => {
                    put_varint(out, 2);
                    put_varint(out, *field as u64);
                }
            }
        }
    }

    /// Reads a plan. Returns `None` for an unknown enumerator, unknown flags,
    /// or too many predictors.
    pub fn read(input: &mut ByteReader<'_>) -> Result<Option<FieldPlan>, BitsError> {
        let Some(shape) = TextShape::read(input)? else {
            return Ok(None);
        };
        let flags = input.varint()?;
        let mut plan = FieldPlan {
            is_recent: flags & 1 != 0,
            has_runs: flags & 2 != 0,
            has_book: flags & 4 != 0,
            ..FieldPlan::with_shape(shape)
        };
        let predictors = input.length()?;
        if flags > 7 || predictors > MAX_PREDICTORS {
            return Ok(None);
        }
        for _ in 0..predictors {
            let Some(predictor) = read_predictor(input)? else {
                return Ok(None);
            };
            plan.predictors.push(predictor);
        }
        plan.base = match input.varint()? {
            0 => None,
            1 => Some(NumberBase::Previous),
            2 => match read_source(input)? {
                Some(source) => Some(NumberBase::Of(source)),
                None => return Ok(None),
            },
            3 => Some(NumberBase::Last(input.length()?)),
            _ => return Ok(None),
        };
        for context in &mut plan.contexts {
            *context = match input.varint()? {
                0 => None,
                1 => match read_source(input)? {
                    Some(source) => Some(CodingContext::Of(source)),
                    None => return Ok(None),
                },
                2 => Some(CodingContext::Difference(input.length()?)),
                _ => return Ok(None),
            };
        }
        Ok(Some(plan))
    }
}

fn write_predictor(predictor: &ValuePredictor, out: &mut Vec<u8>) {
    match predictor {
        ValuePredictor::Previous => put_varint(out, 0),
        ValuePredictor::Last(field) => {
            put_varint(out, 1);
            put_varint(out, *field as u64);
        }
        ValuePredictor::Map(source) => {
            put_varint(out, 2);
            write_source(source, out);
        }
        ValuePredictor::Constant(value) => {
            put_varint(out, 3);
            put_varint(out, *value);
        }
    }
}

fn read_predictor(input: &mut ByteReader<'_>) -> Result<Option<ValuePredictor>, BitsError> {
    Ok(match input.varint()? {
        0 => Some(ValuePredictor::Previous),
        1 => Some(ValuePredictor::Last(input.length()?)),
        2 => read_source(input)?.map(ValuePredictor::Map),
        3 => Some(ValuePredictor::Constant(input.varint()?)),
        _ => None,
    })
}

fn write_source(source: &ColumnSource, out: &mut Vec<u8>) {
    put_varint(out, source.field as u64);
    put_varint(
        out,
        match source.side {
            FieldSide::First => 0,
            FieldSide::Second => 1,
            FieldSide::Own => 2,
        },
    );
}

fn read_source(input: &mut ByteReader<'_>) -> Result<Option<ColumnSource>, BitsError> {
    let field = input.length()?;
    let side = match input.varint()? {
        0 => FieldSide::First,
        1 => FieldSide::Second,
        2 => FieldSide::Own,
        _ => return Ok(None),
    };
    Ok(Some(ColumnSource { field, side }))
}
