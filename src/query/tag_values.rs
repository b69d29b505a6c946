//! The values of one tag in all games, with each distinct value stored once.

use super::date::Days;
use super::value::{is_date, text_of};
use crate::archive::{Archive, BlockGames, BlockPlace, Error, ReadAhead, TagName};
use std::collections::HashMap;

/// The values of one tag in all games. Each distinct value is stored once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagValues {
    /// The distinct values, in the order of first occurrence.
    values: Vec<Vec<u8>>,
    /// For each game the index of its value plus 1, or 0 without a value.
    games: Vec<u32>,
}

impl TagValues {
    /// The distinct values, in the order of the first games that have them.
    pub fn values(&self) -> &[Vec<u8>] {
        &self.values
    }

    /// For each game in order, the index of its value, if it has one.
    pub fn games(&self) -> impl Iterator<Item = Option<usize>> {
        let place = |value: &u32| usize::try_from(value.checked_sub(1)?).ok();
        self.games.iter().map(place)
    }
}

/// The values read so far.
#[derive(Default)]
struct Reading {
    read: TagValues,
    numbers: HashMap<Vec<u8>, u32>,
}

impl Reading {
    fn take(&mut self, value: Option<Vec<u8>>) {
        let number = value.map_or(0, |value| self.number_of(value));
        self.read.games.push(number);
    }

    fn number_of(&mut self, value: Vec<u8>) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        self.read.values.push(value.clone());
        // Memory runs out long before 2^32 distinct values.
        let number = u32::try_from(self.read.values.len()).unwrap_or_default();
        self.numbers.insert(value, number);
        number
    }
}

impl Archive {
    /// Whether any game may have a value in [`Archive::tag_values`].
    ///
    /// # Errors
    /// A segment is damaged.
    pub fn has_tag_values(&self, name: &str) -> Result<bool, Error> {
        match other_name(name) {
            Some(other) if self.has_tag(other)? => Ok(true),
            _ => self.has_tag(name),
        }
    }

    /// The values of the tag with this name, ignoring case, in all games. Placeholders
    /// (`?`, `-`, an empty string) do not count as values. If `Date` has no value,
    /// `UTCDate` is used.
    ///
    /// # Errors
    /// A block is damaged.
    pub fn tag_values(&self, name: &str) -> Result<TagValues, Error> {
        let mut reading = Reading::default();
        let mut blocks = ReadAhead::new(self.block_places()?);
        while let Some(batch) = blocks.read(|place| values_in(self, &place, name)) {
            for values in batch {
                values?.into_iter().for_each(|value| reading.take(value));
            }
        }
        Ok(reading.read)
    }
}

/// The tag that is used if the tag with this name has no value.
fn other_name(name: &str) -> Option<&'static str> {
    name.eq_ignore_ascii_case("Date").then_some("UTCDate")
}

/// The values of a block's games.
fn values_in(
    archive: &Archive,
    place: &BlockPlace,
    name: &str,
) -> Result<Vec<Option<Vec<u8>>>, Error> {
    let block = archive.block_games(place)?;
    let named = |name| archive.tag_name_in_any_case(place.segment(), name);
    let own = named(name)?;
    let other = other_name(name).map(named).transpose()?;
    let mut values = Vec::with_capacity(block.len());
    // From the last game down, so that each column is decoded once to its end.
    for game in (0..block.len()).rev() {
        let mut value = value_of(&block, game, &own, name)?;
        if let Some(other) = other.as_ref().filter(|_| value.is_none()) {
            value = value_of(&block, game, other, name)?;
        }
        values.push(value);
    }
    values.reverse();
    Ok(values)
}

/// The value of a game, unless it is a placeholder.
fn value_of(
    block: &BlockGames<'_>,
    game: usize,
    tag: &TagName,
    name: &str,
) -> Result<Option<Vec<u8>>, Error> {
    let value = block.tag(game, tag)?;
    let has_value = |value: &[u8]| match is_date(name) {
        true => Days::read(&text_of(value)).is_some(),
        false => !value.iter().all(|byte| b"?- ".contains(byte)),
    };
    Ok(value
        .filter(|value| has_value(value))
        .map(|value| value.into_owned()))
}
