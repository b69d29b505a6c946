//! Duplicate games in an archive.
//!
//! ```text
//! moves, players ─ identity ─► one hash a game ─ sort ─► games with equal hashes
//! those, facts of tags ─ fullness ─► the retained games, and the duplicates of each
//! retained games ─ begins ─► those that are the beginning of another
//! ```

mod begins;
mod equal;
mod facts;
mod fullness;
mod identity;
mod known;
mod retained;

use crate::archive::{Archive, Error};
use begins::Begins;
use equal::equal_games;
use identity::identities;

/// The criteria for duplicates.
///
/// Two games are duplicates if they have the same start position (without move counters)
/// and the same moves in the main line, and if they agree in what is asked for here. Games without
/// moves, games that are not legal to their end, and games whose movetext has words that are no
/// moves, are duplicates only if their texts are equal, except for trailing white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicateCriteria {
    /// Whether the players must be the same. Of the names of White and Black, only letters and
    /// digits are compared, without regard to case and accents. A game with an unknown player, such
    /// as `?`, `NN` or no name, is a duplicate only of one with equal tags.
    pub by_players: bool,
    /// Whether the tags that identify a game must not contradict each other. What one of the games
    /// does not know contradicts nothing.
    ///
    /// - The date, `Date` or else `UTCDate`. A malformed date contradicts every other.
    /// - `Result`.
    /// - `Round`, by what is before the first dot and by what is after it, so that `1` agrees with
    ///   `1.3` and `1.1` does not; and `Board`.
    /// - `UTCTime` and `StartTime`.
    /// - The address of the game, which is the first URL with a path among `Link`, `GameUrl` and
    ///   `Site`; and `GameId`.
    ///
    /// Of games with the same moves and players, each is compared with at most 1,000 that
    /// contradict each other. The others stay.
    pub by_facts: bool,
    /// Shorter games are duplicates only if all their tags are equal.
    pub min_plies: u32,
    /// Whether a game that is the beginning of a longer one is a duplicate of it. Games of fewer
    /// than `min_plies` plies are not.
    pub by_beginning: bool,
}

impl Default for DuplicateCriteria {
    /// The same players, tags that do not contradict each other, at least 20 plies.
    fn default() -> Self {
        DuplicateCriteria {
            by_players: true,
            by_facts: true,
            min_plies: 20,
            by_beginning: false,
        }
    }
}

/// A duplicate game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duplicate {
    /// The number of the duplicate.
    pub dropped: u64,
    /// The number of the game that is retained in its place.
    pub retained: u64,
}

impl DuplicateCriteria {
    /// Nothing but the start position and the moves counts.
    pub fn of_moves() -> Self {
        DuplicateCriteria {
            by_players: false,
            by_facts: false,
            min_plies: 0,
            by_beginning: false,
        }
    }

    /// The number of passes over all games.
    pub fn passes(self) -> u64 {
        1 + u64::from(self.by_beginning)
    }
}

impl Archive {
    /// The duplicates of retained games, in ascending order.
    ///
    /// The game with the most plies is retained; on a tie the one with the most comments,
    /// glyphs and variations, then the most tags whose values are known, then the most exact date,
    /// then the most text, then the first. A game that may be the same as several retained games is
    /// a duplicate of the first of them in this order. From then on, what it knows is known of that
    /// game too, so that no game is dropped for it that contradicts another one dropped for it.
    ///
    /// Takes about 300 bytes of memory per game, and with `by_beginning` up to 700. `on_progress`
    /// is called with the number of games processed, summed over all
    /// [passes](DuplicateCriteria::passes).
    ///
    /// # Errors
    /// A block is damaged.
    pub fn duplicates(
        &self,
        criteria: DuplicateCriteria,
        mut on_progress: impl FnMut(u64),
    ) -> Result<Vec<Duplicate>, Error> {
        let games = identities(self, criteria, &mut on_progress)?;
        let equal = equal_games(self, &games)?;
        let mut duplicates = equal.duplicates;
        if criteria.by_beginning {
            let before = self.games();
            let mut begins = Begins::of(&equal.retained, criteria);
            begins.find(self, criteria, &mut |done| on_progress(before + done))?;
            let dropped = begins.dropped();
            for duplicate in &mut duplicates {
                if let Some(longer) = dropped.get(&duplicate.retained) {
                    duplicate.retained = *longer;
                }
            }
            let beginnings = dropped.into_iter();
            duplicates
                .extend(beginnings.map(|(dropped, retained)| Duplicate { dropped, retained }));
        }
        duplicates.sort_unstable();
        Ok(duplicates)
    }
}
