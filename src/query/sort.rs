//! Sorting the games of an archive.

use super::field::{Field, FieldColumn, FieldError, Worth, all_or_error};
use crate::archive::{Archive, Error};
use crate::parallel;
use std::cmp::Ordering;
use std::str::FromStr;

/// A sort key.
///
/// Unknown parts of a date sort before known ones: `2010.??.??`, `2010.01.??`, `2010.01.01`. A date
/// that is malformed, and a rating that is no number, count as no value. In
/// other tags, numbers come first, compared part by part: 2, 10, 10.2, 10.10. Other text follows,
/// compared without regard to case and accents, and then by its characters.
///
/// ```
/// use pgna::{Field, SortKey};
///
/// let key: SortKey = "-Date".parse()?;
/// assert_eq!(key.by, "date".parse::<Field>()?);
/// assert!(key.is_descending);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The field to sort by. Of several values of a game the greatest counts.
    pub by: Field,
    /// Whether the greatest value comes first. Games without a value come last in either
    /// order.
    pub is_descending: bool,
}

/// A malformed sort key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}, with - before it for descending order")]
pub struct SortKeyError(FieldError);

impl FromStr for SortKey {
    type Err = SortKeyError;

    /// Parses the name of a field or tag, with `-` before it for descending order.
    fn from_str(text: &str) -> Result<Self, SortKeyError> {
        let name = text.strip_prefix('-').unwrap_or(text);
        Ok(SortKey {
            by: name.parse().map_err(SortKeyError)?,
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
        all_or_error(self.readable_sorted(keys)?)
    }

    /// As [`Self::sorted`], with the errors of the blocks that cannot be read, whose games have no
    /// value.
    ///
    /// # Errors
    /// The directory of the archive is damaged.
    pub(crate) fn readable_sorted(
        &self,
        keys: &[SortKey],
    ) -> Result<(Vec<u64>, Vec<Error>), Error> {
        let (mut columns, mut errors) = (Vec::new(), Vec::new());
        for key in keys {
            let (column, of_key) = self.field_column(&key.by)?;
            columns.push(ranks(&column, key));
            errors.extend(of_key);
        }
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
        Ok((order, errors))
    }
}

/// For each game, the number of distinct values before its own.
fn ranks(column: &FieldColumn, key: &SortKey) -> Vec<u32> {
    let worths = column.values.iter().zip(0..);
    let worths = worths.filter_map(|(value, at)| Some((Worth::in_field(&key.by, value)?, at)));
    let mut sorted: Vec<(Worth<'_>, usize)> = worths.collect();
    parallel::sort_by(&mut sorted, |a, b| a.0.order(&b.0));
    let mut ranks = vec![None; column.values.len()];
    let mut rank = 0;
    let mut last = None;
    for (worth, value) in &sorted {
        if last.is_some_and(|last: &Worth<'_>| last.order(worth).is_ne()) {
            rank += 1;
        }
        last = Some(worth);
        if let Some(place) = ranks.get_mut(*value) {
            *place = Some(rank);
        }
    }
    let of_game = |values: &[usize]| {
        let ranks = values
            .iter()
            .filter_map(|value| ranks.get(*value).copied()?);
        ranks
            .max()
            .map_or(NONE, |greatest| match key.is_descending {
                true => rank - greatest,
                false => greatest,
            })
    };
    column.games().map(of_game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read() {
        let by = |text: &str| text.parse::<SortKey>();
        assert!(by("PLIES").is_ok_and(|key| !key.by.is_tag() && !key.is_descending));
        assert!(by("-elo.mean").is_ok_and(|key| !key.by.is_tag() && key.is_descending));
        assert!(by("-WhiteElo").is_ok_and(|key| key.by.is_tag() && key.is_descending));
        for text in ["", "-", "White Elo", "a,b", "--Date", "elo.max"] {
            assert!(by(text).is_err(), "{text}");
        }
    }
}
