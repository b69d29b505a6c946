//! Duplicate games in an archive.
//!
//! ```text
//! moves ─ identity ─► one hash a game ─ sort ─► equal games ─ fullness ─► the retained game
//!                         └─ begins ─► games that are the beginning of another
//! ```

mod begins;
mod equal;
mod fullness;
mod identity;

use crate::archive::{Archive, Error};
use begins::Begins;
use equal::equal_games;
use identity::identities;

/// The criteria for duplicates.
///
/// Two games are duplicates if they have the same start position (without move counters)
/// and the same moves in the main line. Games without moves, and games that are not legal
/// to their end, are duplicates only if their texts are equal, except for trailing white
/// space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DuplicateCriteria {
    /// Whether the players must be the same as well. Of the names of White and Black, only
    /// letters and digits are compared, ignoring case.
    pub by_players: bool,
    /// Whether a game that is the beginning of a longer one is a duplicate of it.
    pub by_beginning: bool,
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
    /// The number of passes over all games.
    pub fn passes(self) -> u64 {
        1 + u64::from(self.by_beginning)
    }
}

impl Archive {
    /// The duplicates of retained games, in ascending order.
    ///
    /// The game with the most plies is retained; on a tie the one with the most comments,
    /// glyphs and variations, then the most tags, then the most text, then the first.
    ///
    /// Takes about 50 bytes of memory per game. `on_progress` is called with the number of
    /// games processed, summed over all [passes](DuplicateCriteria::passes).
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
            let mut begins = Begins::of(equal.retained);
            begins.find(self, criteria, &mut |done| on_progress(before + done))?;
            for duplicate in &mut duplicates {
                duplicate.retained = begins.retained_for(duplicate.retained);
            }
            duplicates.extend(begins.duplicates());
        }
        duplicates.sort_unstable();
        Ok(duplicates)
    }
}
