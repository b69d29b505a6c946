//! Sorting the games of an archive.

use super::date::Days;
use super::tag_values::TagValues;
use super::value::{is_date, lower, text_of};
use crate::archive::{Archive, BlockPlace, Error};
use crate::parallel;
use std::cmp::{Ordering, Reverse};
use std::str::FromStr;

/// The value to sort by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SortBy {
    /// The value of the tag with this name, ignoring case.
    ///
    /// Values of tags whose name ends with `Date` are dates. Unknown parts sort before
    /// known ones: `2010.??.??`, `2010.01.??`, `2010.01.01`. In other tags, numbers come
    /// first, compared part by part: 2, 10, 10.2, 10.10. Other text follows, compared
    /// ignoring case and then by its bytes.
    Tag(String),
    /// The number of plies of the main line.
    Plies,
}

/// A sort key.
///
/// ```
/// use pgna::{SortBy, SortKey};
///
/// let key: SortKey = "-Date".parse()?;
/// assert_eq!(key.by, SortBy::Tag("Date".to_owned()));
/// assert!(key.is_descending);
/// # Ok::<(), pgna::SortKeyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The value to sort by.
    pub by: SortBy,
    /// Whether the greatest value comes first. Games without a value come last in either
    /// order.
    pub is_descending: bool,
}

/// A malformed sort key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the name of a tag: write Date, -Date or plies")]
pub struct SortKeyError(String);

impl FromStr for SortKey {
    type Err = SortKeyError;

    /// Parses a tag name or `plies`, with `-` before it for descending order.
    fn from_str(text: &str) -> Result<Self, SortKeyError> {
        let name = text.strip_prefix('-').unwrap_or(text);
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(is_name) {
            return Err(SortKeyError(text.to_owned()));
        }
        Ok(SortKey {
            by: match name.eq_ignore_ascii_case("plies") {
                true => SortBy::Plies,
                false => SortBy::Tag(name.to_owned()),
            },
            is_descending: name.len() < text.len(),
        })
    }
}

/// The rank of a game without a value, which sorts last.
const NONE: u32 = u32::MAX;

impl Archive {
    /// The numbers of all games, sorted by the first key, then by the next, and so on.
    /// The sort is stable. Games without a value come after those with one.
    ///
    /// Takes 8 bytes of memory per game and 4 more per key, besides the distinct values
    /// of the tags.
    ///
    /// # Errors
    /// A block is damaged.
    pub fn sorted(&self, keys: &[SortKey]) -> Result<Vec<u64>, Error> {
        let columns = keys.iter().map(|key| match &key.by {
            SortBy::Tag(name) => Ok(ranks(&self.tag_values(name)?, name, key.is_descending)),
            SortBy::Plies => plies(self, key.is_descending),
        });
        let columns: Vec<Vec<u32>> = columns.collect::<Result<_, Error>>()?;
        let rank = |column: &Vec<u32>, game: &u64| {
            let at = usize::try_from(*game).ok().and_then(|at| column.get(at));
            at.copied().unwrap_or(NONE)
        };
        let compare = |a: &u64, b: &u64| {
            let mut each = columns
                .iter()
                .map(|column| rank(column, a).cmp(&rank(column, b)));
            each.find(|ordering| ordering.is_ne())
                .unwrap_or(Ordering::Equal)
        };
        let games = match columns.first() {
            Some(column) => column.len() as u64,
            None => self
                .block_places()?
                .last()
                .map_or(0, |place| place.games().end - 1),
        };
        let mut order: Vec<u64> = (0..games).collect();
        parallel::sort_by(&mut order, compare);
        order.iter_mut().for_each(|game| *game += 1);
        Ok(order)
    }
}

/// A value in a form that sorts by its meaning.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worth<'v> {
    /// The first day of a date, then the last, longer ranges first.
    Date(u32, Reverse<u32>),
    Numbers(Vec<Number>),
    Text(std::borrow::Cow<'v, str>, &'v [u8]),
}

/// A number of any length: the count of its digits, and the digits without leading zeros.
type Number = (usize, String);

impl<'v> Worth<'v> {
    fn of(value: &'v [u8], name: &str) -> Worth<'v> {
        let text = text_of(value);
        if is_date(name)
            && let Some(days) = Days::read(&text)
        {
            return Worth::Date(days.first, Reverse(days.last));
        }
        if let Some(numbers) = numbers(&text) {
            return Worth::Numbers(numbers);
        }
        let lower = lower(&text).into_owned();
        Worth::Text(lower.into(), value)
    }
}

/// Parses the numbers of a value such as `12` or `3.10`.
fn numbers(text: &str) -> Option<Vec<Number>> {
    let numbers = text.trim().split('.').map(|part| {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let digits = part.trim_start_matches('0');
        is_number.then(|| (digits.len(), digits.to_owned()))
    });
    numbers.collect()
}

/// For each game, the number of distinct lesser values.
fn ranks(values: &TagValues, name: &str, is_descending: bool) -> Vec<u32> {
    let worths = values.values().iter().map(|value| Worth::of(value, name));
    let mut sorted: Vec<(Worth<'_>, usize)> = worths.zip(0..).collect();
    match is_descending {
        true => parallel::sort_by(&mut sorted, |a, b| b.0.cmp(&a.0)),
        false => parallel::sort_by(&mut sorted, |a, b| a.0.cmp(&b.0)),
    }
    let mut ranks = vec![0; sorted.len()];
    let mut rank = 0;
    let mut last = None;
    for (worth, value) in &sorted {
        if last.is_some_and(|last| last != worth) {
            rank += 1;
        }
        last = Some(worth);
        if let Some(place) = ranks.get_mut(*value) {
            *place = rank;
        }
    }
    let rank_of = |value: Option<usize>| value.and_then(|value| ranks.get(value).copied());
    let games = values.games().map(|value| rank_of(value).unwrap_or(NONE));
    games.collect()
}

/// The rank of each game by its number of plies.
fn plies(archive: &Archive, is_descending: bool) -> Result<Vec<u32>, Error> {
    let rank = |plies: u64| {
        let plies = u32::try_from(plies).unwrap_or(NONE).min(NONE - 1);
        match is_descending {
            true => NONE - 1 - plies,
            false => plies,
        }
    };
    let of_block = |place: &BlockPlace| -> Result<Vec<u32>, Error> {
        let block = archive.block_games(place)?;
        let plies = (0..block.len()).map(|game| block.plies(game).map(rank));
        plies.collect()
    };
    let places = archive.block_places()?;
    Ok(parallel::try_map(&places, of_block)?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_by_what_they_are() {
        for (name, order) in [
            (
                "Date",
                vec![
                    "1999.12.31",
                    "2010.??.??",
                    "2010.01.??",
                    "2010.01.01",
                    "2010.02.??",
                ],
            ),
            (
                "Round",
                vec!["1", "1.2", "1.10", "2", "10", "final", "Semi"],
            ),
            ("WhiteElo", vec!["900", "2700", "100000000000000000000"]),
            (
                "White",
                vec!["Anand", "anand", "Carlsen", "d'Orville", "Ünal"],
            ),
        ] {
            let worths = order.iter().map(|value| Worth::of(value.as_bytes(), name));
            let worths: Vec<Worth<'_>> = worths.collect();
            assert!(worths.is_sorted_by(|a, b| a < b), "{name}: {worths:?}");
        }
        assert_eq!(Worth::of(b"007", "Round"), Worth::of(b"7", "Round"));
    }

    #[test]
    fn keys_are_read() {
        let by = |text: &str| text.parse::<SortKey>();
        assert_eq!(by("PLIES").map(|key| key.by), Ok(SortBy::Plies));
        assert!(by("-WhiteElo").is_ok_and(|key| key.is_descending));
        for text in ["", "-", "White Elo", "a,b", "--Date"] {
            assert!(by(text).is_err(), "{text}");
        }
    }
}
