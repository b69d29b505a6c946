//! The retained games among those with the same moves.

use super::facts::Facts;

/// The most retained games of a group to which a game is compared. Later ones stay without being
/// compared, so that the time is not quadratic.
const MOST: usize = 1000;

/// The retained games among those with the same moves, in the order in which they were found, each
/// with what is known of it and of the games that were dropped for it. No two of them may be the
/// same game.
#[derive(Debug, Default)]
pub(super) struct RetainedGames(Vec<(u64, Facts)>);

impl RetainedGames {
    /// The first game that may be the same as one with these facts.
    pub(super) fn find(&self, facts: Facts) -> Option<u64> {
        let mut games = self.0.iter();
        let found = games.find(|(_, own)| own.and(facts).is_some());
        found.map(|(game, _)| *game)
    }

    /// As [`find`](Self::find); the game then has these facts too, so that no game is dropped for it
    /// that contradicts them.
    pub(super) fn absorb(&mut self, facts: Facts) -> Option<u64> {
        self.0.iter_mut().find_map(|(game, own)| {
            *own = own.and(facts)?;
            Some(*game)
        })
    }

    /// Adds a game for which there is no other, unless there are too many.
    pub(super) fn push(&mut self, game: u64, facts: Facts) {
        if self.0.len() < MOST {
            self.0.push((game, facts));
        }
    }

    /// The games with their facts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, Facts)> {
        self.0.iter().copied()
    }
}
