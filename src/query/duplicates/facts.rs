//! When a game was played and how it ended, as far as its tags say.

use super::identity::Identity;
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

/// The retained games among those with the same moves. No two of them may be the same game, so the
/// days of those with the same result do not overlap.
#[derive(Debug, Default)]
pub(super) struct RetainedGames {
    /// For each result the games by their first day, with the last.
    by_result: [BTreeMap<u32, (u32, u64)>; 4],
}

impl RetainedGames {
    /// The retained game that may be the same as one with these facts.
    pub(super) fn find(&self, facts: Facts) -> Option<u64> {
        let results = match facts.result {
            GameResult::Unknown => 0..4,
            result => result as usize..result as usize + 1,
        };
        let unknown = GameResult::Unknown as usize;
        let results = results.chain([unknown]);
        let mut games = results.filter_map(|result| self.by_result.get(result));
        games.find_map(|games| {
            let (_, (last_day, game)) = games.range(..=facts.last_day).next_back()?;
            (*last_day >= facts.first_day).then_some(*game)
        })
    }

    /// Adds a game for which there is no other.
    pub(super) fn push(&mut self, identity: &Identity) {
        let facts = identity.facts;
        if let Some(games) = self.by_result.get_mut(facts.result as usize) {
            games.insert(facts.first_day, (facts.last_day, identity.game));
        }
    }
}
