//! The names of openings, as the games of the archive give them.

use super::facts::{GameFacts, eco_text};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The most different names. Openings have a few thousand.
const MAX_NAMES: usize = 1 << 16;

/// How many of a hundred games must agree on an opening.
const MIN_PERCENT: usize = 90;

/// The name of an opening, and its code; either may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpeningName {
    pub(crate) eco: String,
    pub(crate) name: String,
}

/// Numbers for names, from 1.
#[derive(Debug, Default)]
pub(super) struct NameNumbers(Mutex<HashMap<Box<str>, u32>>);

impl NameNumbers {
    /// The number of a name; 0 for none, and if there are too many names.
    pub(super) fn number(&self, name: &str) -> u32 {
        if name.is_empty() || name == "?" {
            return 0;
        }
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(name) {
            return *number;
        }
        let next = match numbers.len() {
            MAX_NAMES.. => 0,
            names => u32::try_from(names).unwrap_or(0) + 1,
        };
        if next > 0 {
            numbers.insert(name.into(), next);
        }
        next
    }

    /// The names, of which the first has number 1.
    pub(super) fn finish(self) -> Vec<Box<str>> {
        let numbers = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<(u32, Box<str>)> = numbers
            .into_iter()
            .map(|(name, number)| (number, name))
            .collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name).collect()
    }
}

/// The opening that nearly all of these games have: its full name if they agree on that, else its
/// family, the name up to the first colon, or else its code.
pub(super) fn common_opening(games: &[GameFacts], names: &[Box<str>]) -> Option<OpeningName> {
    let name_of = |game: &GameFacts| -> Option<&str> {
        let at = usize::try_from(game.name).ok()?.checked_sub(1)?;
        names.get(at).map(|name| &**name)
    };
    let family_of = |game: &GameFacts| name_of(game)?.split(':').next();
    let of_most = [majority(games, name_of), majority(games, family_of)];
    if let Some(name) = of_most.into_iter().flatten().next() {
        let of_name = games
            .iter()
            .filter(|game| name_of(game).is_some_and(|other| other.starts_with(name)));
        // The family has the code of its first variation.
        let eco = of_name.map(|game| game.eco).filter(|eco| *eco > 0).min();
        return Some(OpeningName {
            eco: eco.and_then(eco_text).unwrap_or_default(),
            name: name.to_owned(),
        });
    }
    let eco = majority(games, |game| Some(game.eco).filter(|eco| *eco > 0))?;
    Some(OpeningName {
        eco: eco_text(eco)?,
        name: String::new(),
    })
}

/// The value that nearly all items have, if nearly all have one.
fn majority<'g, T: Copy + Eq + std::hash::Hash>(
    items: &'g [GameFacts],
    value_of: impl Fn(&'g GameFacts) -> Option<T>,
) -> Option<T> {
    let mut counts: HashMap<T, usize> = HashMap::new();
    for value in items.iter().filter_map(&value_of) {
        *counts.entry(value).or_default() += 1;
    }
    let is_of_most = |count: usize| 100 * count >= MIN_PERCENT * items.len();
    // At most one value has more than half of the items.
    let found = counts.into_iter().find(|(_, count)| is_of_most(*count));
    found.map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(openings: &[(u16, u32)]) -> Vec<GameFacts> {
        let game = |(eco, name): &(u16, u32)| GameFacts {
            eco: *eco,
            name: *name,
            ..GameFacts::default()
        };
        openings.iter().map(game).collect()
    }

    #[test]
    fn games_agree_on_a_name_a_family_or_a_code() {
        let numbers = NameNumbers::default();
        let names = [
            "Sicilian Defense: Najdorf",
            "Sicilian Defense",
            "French Defense",
        ];
        assert_eq!(names.map(|name| numbers.number(name)), [1, 2, 3]);
        assert_eq!(numbers.number("French Defense"), 3);
        assert_eq!(numbers.number("?"), 0);
        let names = numbers.finish();
        for (openings, expected) in [
            (
                &[(191, 1), (191, 1)][..],
                Some(("B90", "Sicilian Defense: Najdorf")),
            ),
            (&[(191, 1), (121, 2)], Some(("B20", "Sicilian Defense"))),
            (&[(191, 1), (201, 3)], None),
            (&[(201, 0), (201, 0)], Some(("C00", ""))),
            (&[(201, 0), (0, 0)], None),
            (&[(0, 3), (0, 3)], Some(("", "French Defense"))),
            (&[], None),
        ] {
            let found = common_opening(&games(openings), &names);
            let found = found.as_ref().map(|name| (&*name.eco, &*name.name));
            assert_eq!(found, expected, "{openings:?}");
        }
    }

    #[test]
    fn names_are_limited() {
        let numbers = NameNumbers::default();
        for number in 0..MAX_NAMES {
            assert!(numbers.number(&number.to_string()) > 0);
        }
        assert_eq!(numbers.number("one more"), 0);
        assert!(numbers.number("7") > 0);
        assert_eq!(numbers.finish().len(), MAX_NAMES);
    }
}
