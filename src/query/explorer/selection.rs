//! Which games an explorer counts.

use super::super::field::Speed;
use super::facts::{GameFacts, Mode, RATING_GROUPS, year_and_month};
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use std::ops::Range;
use std::sync::Arc;

/// Games of an archive: for each segment a bit for each place.
#[derive(Debug, Default)]
pub(crate) struct PlacedGames(pub(super) Vec<BitVec<usize, Lsb0>>);

/// The conditions on the games that count. All games meet the default.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    /// The first and the last [month](super::month_number).
    pub(crate) since: Option<u16>,
    pub(crate) until: Option<u16>,
    pub(crate) speeds: Option<Vec<Speed>>,
    /// For each of [`RATING_GROUPS`], whether its games count.
    pub(crate) ratings: Option<[bool; RATING_GROUPS.len()]>,
    pub(crate) modes: Option<Vec<Mode>>,
    pub(crate) games: Option<Arc<PlacedGames>>,
}

impl Selection {
    /// Whether all games meet the conditions.
    pub(crate) fn is_all(&self) -> bool {
        self.games.is_none() && !self.has_facts()
    }

    fn has_facts(&self) -> bool {
        self.since.is_some()
            || self.until.is_some()
            || self.speeds.is_some()
            || self.ratings.is_some()
            || self.modes.is_some()
    }

    /// The games at some places that count, with their places.
    pub(super) fn among<'f>(
        &'f self,
        segment: usize,
        places: Range<usize>,
        facts: &'f [GameFacts],
    ) -> impl Iterator<Item = (usize, &'f GameFacts)> {
        let games = self.games.as_ref().map(|games| games.0.get(segment));
        let has_facts = self.has_facts();
        places.zip(facts).filter(move |(place, facts)| {
            let is_among = |games: &Option<&BitVec<usize, Lsb0>>| {
                games
                    .and_then(|games| games.get(*place))
                    .is_some_and(|bit| *bit)
            };
            facts.counts()
                && games.as_ref().is_none_or(is_among)
                && (!has_facts || self.passes(facts))
        })
    }

    fn passes(&self, facts: &GameFacts) -> bool {
        self.is_in_time(facts.month)
            && is_one_of(self.speeds.as_deref(), facts.speed())
            && is_one_of(self.modes.as_deref(), facts.mode())
            && self.ratings.is_none_or(|groups| {
                let group = facts.rating_group();
                group.is_some_and(|group| groups.get(group) == Some(&true))
            })
    }

    /// Whether a month is within the limits. Of an unknown month the whole year must be.
    fn is_in_time(&self, month: u16) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let (first, last) = match year_and_month(month) {
            None => return false,
            Some((_, None)) => (month.saturating_add(1), month.saturating_add(12)),
            Some(_) => (month, month),
        };
        self.since.is_none_or(|since| since <= first)
            && self.until.is_none_or(|until| last <= until)
    }
}

/// Whether a value is among those that are asked for; an unknown one is not.
fn is_one_of<T: PartialEq>(wanted: Option<&[T]>, value: Option<T>) -> bool {
    wanted.is_none_or(|wanted| value.is_some_and(|value| wanted.contains(&value)))
}

#[cfg(test)]
mod tests {
    use super::super::facts::month_number;
    use super::*;

    #[test]
    fn months_are_compared_with_what_is_known_of_them() {
        let july = month_number(2019, Some(7));
        let in_year = month_number(2019, None);
        let within = |since, until, month| {
            let selection = Selection {
                since,
                until,
                ..Selection::default()
            };
            selection.is_in_time(month)
        };
        assert!(within(None, None, 0));
        assert!(!within(Some(in_year), None, 0));
        assert!(within(Some(july), Some(july), july));
        assert!(!within(Some(july + 1), None, july));
        assert!(!within(None, Some(july - 1), july));
        // Of a game of 2019 it is not known that it is one of July or later.
        assert!(within(Some(in_year), Some(in_year + 12), in_year));
        assert!(within(Some(in_year + 1), Some(in_year + 12), in_year));
        assert!(!within(None, Some(july), u16::MAX - u16::MAX % 13));
        assert!(!within(Some(july), None, in_year));
        assert!(!within(None, Some(july), in_year));
    }
}
