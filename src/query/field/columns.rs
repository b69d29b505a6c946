//! The values of a field in all games, with each distinct value stored once.

use super::Field;
use super::operand::Operand;
use super::values::FieldReader;
use crate::archive::{Archive, BlockPlace, Error, ReadAhead};
use crate::query::block::QueryBlock;
use std::collections::HashMap;
use std::fmt;

/// A value of a field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FieldValue {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

impl fmt::Display for FieldValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operand = match self {
            FieldValue::Text(text) => Operand::Text(text.into()),
            FieldValue::Number(number) => Operand::Number(*number),
            FieldValue::Flag(flag) => Operand::Flag(*flag),
        };
        operand.fmt(out)
    }
}

impl From<Operand<'_>> for FieldValue {
    fn from(operand: Operand<'_>) -> FieldValue {
        match operand {
            Operand::Number(number) => FieldValue::Number(number),
            Operand::Flag(flag) => FieldValue::Flag(flag),
            text => FieldValue::Text(text.to_string()),
        }
    }
}

/// The values of a field in all games. Each distinct value is stored once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldValues {
    values: Vec<FieldValue>,
    games: GameValues,
}

impl FieldValues {
    /// The distinct values, in the order of the first games that have them.
    pub fn values(&self) -> &[FieldValue] {
        &self.values
    }

    /// For each game in order, the indices of its values.
    pub fn games(&self) -> impl Iterator<Item = &[usize]> {
        self.games.iter()
    }
}

/// For each game, the indices of its values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct GameValues {
    indices: Vec<usize>,
    /// The number of indices up to the end of each game.
    ends: Vec<usize>,
}

impl GameValues {
    fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let indices = self.indices.get(start..*end);
            start = *end;
            indices.unwrap_or_default()
        })
    }
}

/// The values of a field in all games, as they are compared.
#[derive(Default)]
pub(crate) struct FieldColumn {
    pub(crate) values: Vec<Operand<'static>>,
    numbers: HashMap<String, usize>,
    games: GameValues,
}

impl FieldColumn {
    /// For each game in order, the indices of its values.
    pub(crate) fn games(&self) -> impl Iterator<Item = &[usize]> {
        self.games.iter()
    }

    fn push_game(&mut self, values: Vec<Operand<'static>>) {
        for value in values {
            let index = self.index_of(value);
            self.games.indices.push(index);
        }
        self.games.ends.push(self.games.indices.len());
    }

    fn index_of(&mut self, value: Operand<'static>) -> usize {
        let shown = value.shown();
        if let Some(index) = self.numbers.get(&*shown) {
            return *index;
        }
        let index = self.values.len();
        self.numbers.insert(shown.into_owned(), index);
        self.values.push(value);
        index
    }
}

impl Archive {
    /// The values of a field in all games. Placeholders (`?`, `-`, an empty text, and texts of
    /// dates that are no dates) do not count as values.
    ///
    /// # Errors
    /// A block is damaged.
    pub fn field_values(&self, field: &Field) -> Result<FieldValues, Error> {
        all_or_error(self.readable_values(field)?)
    }

    /// The values of a field in all games, and the errors of the blocks that cannot be read, whose
    /// games have no value.
    ///
    /// # Errors
    /// The directory of the archive is damaged.
    pub(crate) fn readable_values(
        &self,
        field: &Field,
    ) -> Result<(FieldValues, Vec<Error>), Error> {
        let (column, errors) = self.field_column(field)?;
        let values = FieldValues {
            values: column.values.into_iter().map(FieldValue::from).collect(),
            games: column.games,
        };
        Ok((values, errors))
    }

    /// As [`Self::readable_values`], with the values as they are compared.
    pub(crate) fn field_column(&self, field: &Field) -> Result<(FieldColumn, Vec<Error>), Error> {
        let (mut column, mut errors) = (FieldColumn::default(), Vec::new());
        let mut blocks = ReadAhead::new(self.block_places()?);
        let read = |place: BlockPlace| {
            let games = QueryBlock::new(self, &place).none().len();
            (games, values_in(self, &place, field))
        };
        while let Some(batch) = blocks.read(read) {
            for (games, values) in batch {
                let values = values.unwrap_or_else(|error| {
                    errors.push(error);
                    vec![Vec::new(); games]
                });
                values
                    .into_iter()
                    .for_each(|values| column.push_game(values));
            }
        }
        Ok((column, errors))
    }
}

/// What was read, if it is all.
///
/// # Errors
/// The first of the errors.
pub(crate) fn all_or_error<T>((all, errors): (T, Vec<Error>)) -> Result<T, Error> {
    match errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(all),
    }
}

/// The known values of each game of a block.
fn values_in(
    archive: &Archive,
    place: &BlockPlace,
    field: &Field,
) -> Result<Vec<Vec<Operand<'static>>>, Error> {
    // Values are read of all games.
    archive.will_read_tags(place)?;
    let block = archive.block_games(place)?;
    let reader = FieldReader::new(field, archive, place.segment())?;
    let mut games = Vec::with_capacity(block.len());
    // From the last game down, so that each column is decoded once to its end.
    for game in (0..block.len()).rev() {
        let mut values = reader.of_game(&block, game)?;
        values.retain(Operand::is_known);
        games.push(values);
    }
    games.reverse();
    Ok(games)
}
