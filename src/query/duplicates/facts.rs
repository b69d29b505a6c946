//! When a game was played and how it ended, as far as its tags say.

use crate::archive::{BlockGames, Error};
use crate::chess::{Color, Outcome};
use crate::query::date::Days;
use crate::query::tree::outcome;
use std::collections::BTreeMap;

/// The date and the result of a game. Those of the same game do not contradict each other: a part
/// that one of them does not know may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    first_day: u32,
    last_day: u32,
    result: GameResult,
}

/// A result in the order of [`RetainedGames::by_result`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GameResult {
    Unknown,
    White,
    Black,
    Draw,
}

impl Facts {
    /// Nothing is known.
    pub(super) const UNKNOWN: Facts = Facts {
        first_day: 0,
        last_day: u32::MAX,
        result: GameResult::Unknown,
    };

    /// Whether the facts may be those of one game.
    pub(super) fn agrees_with(self, other: Facts) -> bool {
        let is_unknown = [self, other].map(|facts| facts.result == GameResult::Unknown);
        let may_have_result = self.result == other.result || is_unknown != [false; 2];
        may_have_result && self.first_day <= other.last_day && other.first_day <= self.last_day
    }

    /// What is known if both are facts of one game.
    pub(super) fn and(self, other: Facts) -> Facts {
        Facts {
            first_day: self.first_day.max(other.first_day),
            last_day: self.last_day.min(other.last_day),
            result: match self.result {
                GameResult::Unknown => other.result,
                result => result,
            },
        }
    }

    pub(super) fn of(block: &BlockGames<'_>, game: usize) -> Result<Facts, Error> {
        let encoding = block.archive().encoding();
        let text = |name: &[u8]| -> Result<String, Error> {
            let value = block.tag(game, &block.tag_name(name))?;
            Ok(encoding.decode(&value.unwrap_or_default()).into_owned())
        };
        let days = match Days::read(&text(b"Date")?) {
            Some(days) => Some(days),
            None => Days::read(&text(b"UTCDate")?),
        };
        let days = days.map_or((0, u32::MAX), |days| (days.first, days.last));
        Ok(Facts {
            first_day: days.0,
            last_day: days.1,
            result: match outcome(&text(b"Result")?) {
                None => GameResult::Unknown,
                Some(Outcome::Draw) => GameResult::Draw,
                Some(Outcome::Decisive { winner }) => match winner {
                    Color::White => GameResult::White,
                    Color::Black => GameResult::Black,
                },
            },
        })
    }
}

/// The retained games among those with the same moves, each with what is known of it and of the
/// games that were dropped for it. No two of them may be the same game, so the days of those with
/// the same result do not overlap.
#[derive(Debug, Default)]
pub(super) struct RetainedGames {
    /// For each result the games by their first day, with the last.
    by_result: [BTreeMap<u32, (u32, u64)>; 4],
}

impl RetainedGames {
    /// The retained game that may be the same as one with these facts.
    pub(super) fn find(&self, facts: Facts) -> Option<u64> {
        self.place_of(facts).map(|place| place.game)
    }

    /// As [`find`](Self::find); the game then has these facts too, so that no game is dropped for it
    /// that contradicts them.
    pub(super) fn absorb(&mut self, facts: Facts) -> Option<u64> {
        let place = self.place_of(facts)?;
        if let Some(games) = self.by_result.get_mut(place.facts.result as usize) {
            games.remove(&place.facts.first_day);
        }
        self.push(place.game, place.facts.and(facts));
        Some(place.game)
    }

    /// Adds a game for which there is no other.
    pub(super) fn push(&mut self, game: u64, facts: Facts) {
        if let Some(games) = self.by_result.get_mut(facts.result as usize) {
            games.insert(facts.first_day, (facts.last_day, game));
        }
    }

    /// The games with their facts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, Facts)> {
        let results = RESULTS.into_iter().zip(&self.by_result);
        results.flat_map(|(result, games)| {
            games.iter().map(move |(first_day, (last_day, game))| {
                let facts = Facts {
                    first_day: *first_day,
                    last_day: *last_day,
                    result,
                };
                (*game, facts)
            })
        })
    }

    fn place_of(&self, facts: Facts) -> Option<RetainedPlace> {
        let mut results = RESULTS.into_iter().zip(&self.by_result);
        results.find_map(|(result, games)| {
            let (first_day, (last_day, game)) = games.range(..=facts.last_day).next_back()?;
            let found = Facts {
                first_day: *first_day,
                last_day: *last_day,
                result,
            };
            found.agrees_with(facts).then_some(RetainedPlace {
                game: *game,
                facts: found,
            })
        })
    }
}

/// A retained game, and its facts.
struct RetainedPlace {
    game: u64,
    facts: Facts,
}

const RESULTS: [GameResult; 4] = [
    GameResult::Unknown,
    GameResult::White,
    GameResult::Black,
    GameResult::Draw,
];
