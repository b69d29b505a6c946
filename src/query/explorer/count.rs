//! Sums over games.

use super::facts::GameFacts;
use crate::chess::Color;
use std::collections::BTreeMap;

/// Results and ratings of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) white: u64,
    pub(crate) draws: u64,
    pub(crate) black: u64,
    /// The sums of the known ratings of White and of Black.
    elo_sums: [u64; 2],
    /// The numbers of games in which they are known.
    elo_games: [u64; 2],
}

impl Sums {
    /// The sums before every `distance`th game, and those of all if that is one.
    pub(super) fn at_distances(facts: &[GameFacts], distance: usize) -> Vec<Sums> {
        let mut sums = Sums::default();
        let mut before = vec![sums];
        for some in facts.chunks_exact(distance) {
            some.iter().for_each(|facts| sums.add(facts));
            before.push(sums);
        }
        before
    }

    /// Adds a game, if it counts.
    pub(super) fn add(&mut self, facts: &GameFacts) {
        if !facts.counts() {
            return;
        }
        match facts.winner() {
            Some(Color::White) => self.white += 1,
            Some(Color::Black) => self.black += 1,
            None => self.draws += 1,
        }
        let sides = self.elo_sums.iter_mut().zip(&mut self.elo_games);
        for ((sum, games), elo) in sides.zip(facts.elos) {
            *sum += u64::from(elo);
            *games += u64::from(elo > 0);
        }
    }

    pub(crate) fn merge(&mut self, other: &Sums) {
        *self = self.with(other, u64::saturating_add);
    }

    /// The sums without those of some of the games.
    pub(super) fn less(&self, some: &Sums) -> Sums {
        self.with(some, u64::saturating_sub)
    }

    fn with(&self, other: &Sums, join: fn(u64, u64) -> u64) -> Sums {
        let both = |[white, black]: [u64; 2], [of_white, of_black]: [u64; 2]| {
            [join(white, of_white), join(black, of_black)]
        };
        Sums {
            white: join(self.white, other.white),
            draws: join(self.draws, other.draws),
            black: join(self.black, other.black),
            elo_sums: both(self.elo_sums, other.elo_sums),
            elo_games: both(self.elo_games, other.elo_games),
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.white + self.draws + self.black
    }

    /// The mean of the known ratings of a side, rounded.
    pub(crate) fn mean_elo(&self, side: Color) -> Option<u64> {
        let [of_white, of_black] = [0, 1].map(|side| {
            let (sum, games) = (self.elo_sums.get(side)?, self.elo_games.get(side)?);
            (sum + games / 2).checked_div(*games)
        });
        side.fold_wb(of_white, of_black)
    }
}

/// The games with a move.
#[derive(Debug, Clone)]
pub(crate) struct MoveCount {
    /// The index of the move, see [`super::ExplorerPosition::texts_of`].
    pub(crate) number: usize,
    pub(crate) sums: Sums,
    /// The game, if it is the only one.
    pub(crate) game: Option<super::ListedGame>,
    pub(crate) opening: Option<super::OpeningName>,
}

/// The results of the games of each month.
#[derive(Debug, Clone, Default)]
pub(crate) struct MonthSums(BTreeMap<u16, Sums>);

impl MonthSums {
    pub(super) fn add(&mut self, facts: &GameFacts) {
        self.0.entry(facts.month).or_default().add(facts);
    }

    /// The months whose year and month are known, ascending.
    pub(crate) fn months(&self) -> impl Iterator<Item = (u16, u16, &Sums)> {
        self.0.iter().filter_map(|(number, sums)| {
            let (year, month) = super::facts::year_and_month(*number)?;
            Some((year, month?, sums))
        })
    }

    /// The sums of all months, also of unknown ones.
    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = &Sums> {
        self.0.values()
    }

    pub(crate) fn merge(&mut self, other: &MonthSums) {
        for (month, sums) in &other.0 {
            self.0.entry(*month).or_default().merge(sums);
        }
    }
}
