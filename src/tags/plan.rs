//! What is said of a field for a whole segment.

use super::shape::{Shape, fold, unfold};
use crate::bits::{BitsError, ByteReader, put_varint};
use crate::codec::forecast::Family;

/// Most predictors of a field.
pub(super) const MOST_PREDICTORS: usize = 3;
/// Most bases of the numbers of a field.
pub(super) const MOST_BASES: usize = 2;
/// Classes of a context.
pub(super) const CLASSES: u32 = 16;
/// Classes of how a value was told.
pub(super) const HISTORIES: u32 = 8;

/// Which column of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Its first or only one.
    First,
    /// Its second one.
    Second,
    /// That of the side for which a value is foreseen.
    Same,
}

/// A column of an earlier field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The number of the field.
    pub field: usize,
    /// Which of its columns.
    pub side: Side,
}

/// What may foresee a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Predictor {
    /// The value before in the column.
    Previous,
    /// The value of the other column of the field, in the same record.
    Partner,
    /// The value of another column in the same record.
    Of(Source),
    /// The value that stood beside the same value of another field last.
    Last(usize),
    /// What the segment's map has for the value of another column.
    Map(Source),
    /// Always the same: a number is even here, a rank odd.
    Value(u64),
}

/// What a number is told as a difference from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// A value.
    Value(i64),
    /// What a predictor foresees.
    By(Predictor),
    /// The value of the other column of the field with the other sign.
    Opposite,
}

/// What the distributions of a value depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Context {
    /// The class of a value of the same record.
    Of(Source),
    /// The difference of the two values of a field, seen from the own side.
    Difference(usize),
}

/// How the values of a field are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Which texts are numbers.
    pub shape: Shape,
    /// Whether values that have come before are told by how recently.
    pub is_recent: bool,
    /// Whether the lowest bit of a number is a symbol of its own.
    pub splits: bool,
    /// Whether it is told how many values in a row are what is foreseen first.
    pub has_runs: bool,
    /// Whether values may follow from the opening, by the field's book.
    pub follows: bool,
    /// What may foresee a value, the first first.
    pub predictors: Vec<Predictor>,
    /// What numbers are told from: the first that there is.
    pub bases: Vec<Base>,
    /// What the distributions depend on, besides how values were told.
    pub contexts: [Option<Context>; 2],
}

/// The families of a plan's forecast, by number.
pub(super) const HOW: usize = 0;
pub(super) const NUMBER: usize = 1;
pub(super) const RANK: usize = 2;
pub(super) const RECENT: usize = 3;
pub(super) const LOW: usize = 4;
pub(super) const LENGTH: usize = 5;
pub(super) const RUN: usize = 6;

impl Default for Plan {
    fn default() -> Self {
        Plan::of(Shape::Text)
    }
}

impl Plan {
    /// A plan of a shape that foresees nothing.
    pub fn of(shape: Shape) -> Plan {
        Plan {
            shape,
            is_recent: false,
            splits: false,
            has_runs: false,
            follows: false,
            predictors: Vec::new(),
            bases: Vec::new(),
            contexts: [None, None],
        }
    }

    /// The families of its forecast, for a field of so many sides.
    pub fn families(&self, sides: usize) -> Vec<Family> {
        let sides = u32::try_from(sides).unwrap_or(u32::MAX);
        let [a, b] = self.contexts.map(|context| context.map_or(1, |_| CLASSES));
        let outer = sides * a;
        let numbers = |inner| Family::of_numbers(outer, inner);
        let [predictors, bases] = [self.predictors.len(), self.bases.len()]
            .map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let family = |symbols, inner| Family {
            symbols,
            outer,
            inner,
        };
        let hows = u16::try_from(self.predictors.len() + 4 + usize::from(self.follows))
            .unwrap_or(u16::MAX);
        vec![
            family(hows, 3u32.pow(predictors.min(8)) * self.histories()),
            numbers(b * (bases + 1)),
            numbers(b),
            Family::of_numbers(sides, self.histories()),
            family(2, b),
            Family::of_numbers(1, 1),
            Family::of_numbers(sides, 1),
        ]
    }

    /// How many histories are told apart.
    pub(super) fn histories(&self) -> u32 {
        match self.is_recent {
            true => HISTORIES * HISTORIES,
            false => HISTORIES,
        }
    }

    /// All sources and fields that it names.
    pub fn fields(&self) -> impl Iterator<Item = usize> {
        let by = |predictor: &Predictor| match predictor {
            Predictor::Previous | Predictor::Partner | Predictor::Value(_) => None,
            Predictor::Of(source) | Predictor::Map(source) => Some(source.field),
            Predictor::Last(field) => Some(*field),
        };
        let of_base = move |base: &Base| match base {
            Base::Value(_) | Base::Opposite => None,
            Base::By(predictor) => by(predictor),
        };
        let of_context = |context: &Context| match context {
            Context::Of(source) => source.field,
            Context::Difference(field) => *field,
        };
        let predictors = self.predictors.iter().filter_map(by);
        let bases = self.bases.iter().filter_map(of_base);
        let contexts = self.contexts.iter().flatten().map(of_context);
        predictors.chain(bases).chain(contexts)
    }

    /// Whether a predictor asks what stood beside the same value of the field.
    pub fn asks_last_of(&self, field: usize) -> bool {
        let last = Predictor::Last(field);
        self.predictors.contains(&last) || self.bases.contains(&Base::By(last))
    }

    /// The source of its map.
    pub fn map(&self) -> Option<Source> {
        let bases = self.bases.iter().filter_map(|base| match base {
            Base::By(predictor) => Some(predictor),
            _ => None,
        });
        self.predictors.iter().chain(bases).find_map(|p| match p {
            Predictor::Map(source) => Some(*source),
            _ => None,
        })
    }

    /// Appends the plan.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.shape.write(out);
        let flags = [self.is_recent, self.splits, self.has_runs, self.follows].map(u64::from);
        put_varint(out, flags[0] + 2 * flags[1] + 4 * flags[2] + 8 * flags[3]);
        put_varint(out, self.predictors.len() as u64);
        for predictor in &self.predictors {
            write_predictor(predictor, out);
        }
        put_varint(out, self.bases.len() as u64);
        for base in &self.bases {
            match base {
                Base::Value(value) => {
                    put_varint(out, 0);
                    put_varint(out, fold(*value));
                }
                Base::Opposite => put_varint(out, 1),
                Base::By(predictor) => {
                    put_varint(out, 2);
                    write_predictor(predictor, out);
                }
            }
        }
        for context in &self.contexts {
            match context {
                None => put_varint(out, 0),
                Some(Context::Of(source)) => {
                    put_varint(out, 1);
                    write_source(source, out);
                }
                Some(Context::Difference(field)) => {
                    put_varint(out, 2);
                    put_varint(out, *field as u64);
                }
            }
        }
    }

    /// Reads a plan; `None` for one that cannot be.
    pub fn read(input: &mut ByteReader<'_>) -> Result<Option<Plan>, BitsError> {
        let Some(shape) = Shape::read(input)? else {
            return Ok(None);
        };
        let flags = input.varint()?;
        let mut plan = Plan {
            is_recent: flags & 1 != 0,
            splits: flags & 2 != 0,
            has_runs: flags & 4 != 0,
            follows: flags & 8 != 0,
            ..Plan::of(shape)
        };
        let predictors = input.length()?;
        if flags > 15 || predictors > MOST_PREDICTORS {
            return Ok(None);
        }
        for _ in 0..predictors {
            let Some(predictor) = read_predictor(input)? else {
                return Ok(None);
            };
            plan.predictors.push(predictor);
        }
        let bases = input.length()?;
        if bases > MOST_BASES {
            return Ok(None);
        }
        for _ in 0..bases {
            plan.bases.push(match input.varint()? {
                0 => Base::Value(unfold(input.varint()?)),
                1 => Base::Opposite,
                2 => match read_predictor(input)? {
                    Some(predictor) => Base::By(predictor),
                    None => return Ok(None),
                },
                _ => return Ok(None),
            });
        }
        for context in &mut plan.contexts {
            *context = match input.varint()? {
                0 => None,
                1 => match read_source(input)? {
                    Some(source) => Some(Context::Of(source)),
                    None => return Ok(None),
                },
                2 => Some(Context::Difference(input.length()?)),
                _ => return Ok(None),
            };
        }
        Ok(Some(plan))
    }
}

fn write_predictor(predictor: &Predictor, out: &mut Vec<u8>) {
    match predictor {
        Predictor::Previous => put_varint(out, 0),
        Predictor::Partner => put_varint(out, 1),
        Predictor::Of(source) => {
            put_varint(out, 2);
            write_source(source, out);
        }
        Predictor::Last(field) => {
            put_varint(out, 3);
            put_varint(out, *field as u64);
        }
        Predictor::Map(source) => {
            put_varint(out, 4);
            write_source(source, out);
        }
        Predictor::Value(value) => {
            put_varint(out, 5);
            put_varint(out, *value);
        }
    }
}

fn read_predictor(input: &mut ByteReader<'_>) -> Result<Option<Predictor>, BitsError> {
    Ok(match input.varint()? {
        0 => Some(Predictor::Previous),
        1 => Some(Predictor::Partner),
        2 => read_source(input)?.map(Predictor::Of),
        3 => Some(Predictor::Last(input.length()?)),
        4 => read_source(input)?.map(Predictor::Map),
        5 => Some(Predictor::Value(input.varint()?)),
        _ => None,
    })
}

fn write_source(source: &Source, out: &mut Vec<u8>) {
    put_varint(out, source.field as u64);
    put_varint(
        out,
        match source.side {
            Side::First => 0,
            Side::Second => 1,
            Side::Same => 2,
        },
    );
}

fn read_source(input: &mut ByteReader<'_>) -> Result<Option<Source>, BitsError> {
    let field = input.length()?;
    let side = match input.varint()? {
        0 => Side::First,
        1 => Side::Second,
        2 => Side::Same,
        _ => return Ok(None),
    };
    Ok(Some(Source { field, side }))
}
