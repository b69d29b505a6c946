//! The values of one tag in all games, each kept once.

use super::date::Days;
use super::value::{is_date, text_of};
use crate::archive::{Archive, ArchiveError, BlockGames, BlockPlace, TagName};
use crate::parallel;
use std::collections::HashMap;

/// Blocks that are read side by side.
const BATCH_BLOCKS: usize = 64;

/// The values of one tag in all games. A value is kept once, however many games have it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagValues {
    /// The different values, in the order in which they are met.
    values: Vec<Vec<u8>>,
    /// Of each game the number of its value plus 1; 0 where it has none.
    games: Vec<u32>,
}

impl TagValues {
    /// The different values, in the order of the first games that have them.
    pub fn values(&self) -> &[Vec<u8>] {
        &self.values
    }

    /// For each game in its order, which of the values it has, if it has one.
    pub fn games(&self) -> impl Iterator<Item = Option<usize>> {
        let place = |value: &u32| usize::try_from(value.checked_sub(1)?).ok();
        self.games.iter().map(place)
    }
}

/// What reading values has found so far.
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
        // So many different values would not fit into memory.
        let number = u32::try_from(self.read.values.len()).unwrap_or_default();
        self.numbers.insert(value, number);
        number
    }
}

impl Archive {
    /// Whether some game may have a value that [`Archive::tag_values`] gives.
    ///
    /// # Errors
    /// A segment is damaged.
    pub fn has_tag_values(&self, name: &str) -> Result<bool, ArchiveError> {
        match other_name(name) {
            Some(other) if self.has_tag(other)? => Ok(true),
            _ => self.has_tag(name),
        }
    }

    /// The values of a tag, named in upper or lower case, in all games. A value that
    /// tells nothing (`?`, `-`, nothing) is none; where `Date` tells nothing, `UTCDate`
    /// counts.
    ///
    /// # Errors
    /// A block is damaged.
    pub fn tag_values(&self, name: &str) -> Result<TagValues, ArchiveError> {
        let mut reading = Reading::default();
        for batch in self.block_places()?.chunks(BATCH_BLOCKS) {
            for values in parallel::map(batch, |place| values_in(self, place, name)) {
                values?.into_iter().for_each(|value| reading.take(value));
            }
        }
        Ok(reading.read)
    }
}

/// The tag that counts where another tells nothing.
fn other_name(name: &str) -> Option<&'static str> {
    name.eq_ignore_ascii_case("Date").then_some("UTCDate")
}

/// The values of a block's games.
fn values_in(
    archive: &Archive,
    place: &BlockPlace,
    name: &str,
) -> Result<Vec<Option<Vec<u8>>>, ArchiveError> {
    let block = archive.block_games(place)?;
    let named = |name| archive.tag_name_in_any_case(place.segment(), name);
    let own = named(name)?;
    let other = other_name(name).map(named).transpose()?;
    let mut values = Vec::with_capacity(block.len());
    // The last first: what it needs of a column is all of it, read once.
    for game in (0..block.len()).rev() {
        let mut value = told(&block, game, &own, name)?;
        if let Some(other) = other.as_ref().filter(|_| value.is_none()) {
            value = told(&block, game, other, name)?;
        }
        values.push(value);
    }
    values.reverse();
    Ok(values)
}

/// The value of a game, if it tells something.
fn told(
    block: &BlockGames<'_>,
    game: usize,
    tag: &TagName,
    name: &str,
) -> Result<Option<Vec<u8>>, ArchiveError> {
    let value = block.tag(game, tag)?;
    let tells = |value: &[u8]| match is_date(name) {
        true => Days::read(&text_of(value)).is_some(),
        false => !value.iter().all(|byte| b"?- ".contains(byte)),
    };
    Ok(value
        .filter(|value| tells(value))
        .map(|value| value.into_owned()))
}
