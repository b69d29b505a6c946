//! Statistics of a collection: results, years, openings, players, and the
//! crosstable of an event.

use super::filter::Filter;
use super::scan::{BlockScan, fold_blocks};
use super::tree::outcome;
use crate::archive::{Archive, BlockGames, Error};
use crate::chess::{Color, Outcome};
use crate::text::Days;
use std::collections::BTreeMap;

/// Results from the point of view of one side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// The number of games.
    pub games: u64,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

/// The record of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Player {
    /// All games.
    pub score: Score,
    /// The highest rating.
    pub best_elo: Option<u32>,
    /// The games against each opponent.
    pub against: BTreeMap<String, Score>,
}

/// Statistics of games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Results of all games, from White's point of view.
    pub score: Score,
    /// The total number of plies of the main lines.
    pub plies: u64,
    /// Games by year; `None` if the year is unknown.
    pub years: BTreeMap<Option<u32>, u64>,
    /// Games by the letter of the ECO code; `None` if there is none.
    pub eco: BTreeMap<Option<char>, u64>,
    /// Games by event.
    pub events: BTreeMap<String, u64>,
    /// Players by name, including placeholders such as `?`.
    pub players: BTreeMap<String, Player>,
}

impl Score {
    /// Points in half points: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> u64 {
        2 * self.won + self.drawn
    }

    /// The share of points in games with a result, from 0 to 1; `None` if there
    /// are none.
    pub fn share(&self) -> Option<f64> {
        let decided = self.won + self.drawn + self.lost;
        (decided > 0).then(|| self.half_points() as f64 / (2 * decided) as f64)
    }

    pub(super) fn add(&mut self, side: Color, outcome: Option<Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Draw) => self.drawn += 1,
            Some(Outcome::Decisive { winner }) if winner == side => self.won += 1,
            Some(Outcome::Decisive { .. }) => self.lost += 1,
            None => {}
        }
    }

    pub(super) fn merge(&mut self, other: &Score) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}

impl Archive {
    /// The statistics of the games that pass a filter, and the errors of what
    /// could not be read. Opponents are recorded only if `has_opponents` is
    /// set, because they take memory.
    pub fn stats(&self, filter: Option<&Filter>, has_opponents: bool) -> (Stats, Vec<Error>) {
        let add = |stats: &mut Stats, scan: &BlockScan<'_, '_, '_>| {
            scan.try_each_selected(|block, game| stats.add(block, game, has_opponents))
        };
        fold_blocks(self, filter, add, Stats::merge)
    }
}

impl Stats {
    fn add(
        &mut self,
        block: &BlockGames<'_>,
        game: usize,
        has_opponents: bool,
    ) -> Result<(), Error> {
        let encoding = block.archive().encoding();
        let text = |name: &str| -> Result<String, Error> {
            let value = block.tag_by_index(game, &block.tag_name(name.as_bytes()))?;
            Ok(encoding.decode(&value.unwrap_or_default()).into_owned())
        };
        let name = |side: &str| -> Result<String, Error> {
            let value = block.tag_by_index(game, &block.tag_name(side.as_bytes()))?;
            Ok(block
                .archive()
                .player_name(&value.unwrap_or_default())
                .into_owned())
        };
        let outcome = outcome(&text("Result")?);
        let days = Days::read(&text("Date")?);
        let days = days.or(Days::read(&text("UTCDate")?));
        let eco = text("ECO")?.chars().next();
        let eco = eco.filter(|letter| ('A'..='E').contains(letter));
        self.plies += block.plies(game)?;
        self.score.add(Color::White, outcome);
        *self.years.entry(days.map(Days::year)).or_default() += 1;
        *self.eco.entry(eco).or_default() += 1;
        *self.events.entry(text("Event")?).or_default() += 1;
        let [white, black] = [name("White")?, name("Black")?];
        let sides = [
            (Color::White, &white, &black, text("WhiteElo")?),
            (Color::Black, &black, &white, text("BlackElo")?),
        ];
        for (side, name, opponent, elo) in sides {
            let player = self.players.entry(name.clone()).or_default();
            player.score.add(side, outcome);
            player.best_elo = player.best_elo.max(elo.parse().ok());
            if has_opponents {
                let against = player.against.entry(opponent.clone()).or_default();
                against.add(side, outcome);
            }
        }
        Ok(())
    }

    fn merge(&mut self, other: Stats) {
        self.score.merge(&other.score);
        self.plies += other.plies;
        for (year, games) in other.years {
            *self.years.entry(year).or_default() += games;
        }
        for (eco, games) in other.eco {
            *self.eco.entry(eco).or_default() += games;
        }
        for (event, games) in other.events {
            *self.events.entry(event).or_default() += games;
        }
        for (name, other) in other.players {
            let player = self.players.entry(name).or_default();
            player.score.merge(&other.score);
            player.best_elo = player.best_elo.max(other.best_elo);
            for (opponent, score) in &other.against {
                let against = player.against.entry(opponent.clone()).or_default();
                against.merge(score);
            }
        }
    }
}
