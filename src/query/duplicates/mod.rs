//! Games that an archive holds more than once.
//!
//! ```text
//! moves ─ identity ─► one hash a game ─ sort ─► equal games ─ fullness ─► the one to keep
//!                         └─ begins ─► games with which others begin
//! ```

mod begins;
mod equal;
mod fullness;
mod identity;

use crate::archive::{Archive, ArchiveError};
use begins::Begins;
use equal::equal_games;
use identity::identities;

/// Which games are the same.
///
/// Games are the same that start from the same position (the counters of moves aside)
/// and have the same moves in their main line. Games without moves, and such that are no
/// legal game to their end, are the same only if their text is, but for white space at
/// its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sameness {
    /// Whether the players have to be the same, too: White's and Black's name, of which
    /// only letters and digits count, in upper or lower case.
    pub by_players: bool,
    /// Whether a game also counts as a duplicate of one that begins with all its moves.
    pub by_beginning: bool,
}

/// A game that need not be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duplicate {
    /// Its number.
    pub dropped: u64,
    /// The number of the game that is kept in its place.
    pub kept: u64,
}

impl Sameness {
    /// How often all games are looked through.
    pub fn passes(self) -> u64 {
        1 + u64::from(self.by_beginning)
    }
}

impl Archive {
    /// The games that are the same as another that is kept, in their order.
    ///
    /// Kept is the game with more plies; of those with as many the one with more comments,
    /// glyphs and variations; then with more tags; then with more text; then the first.
    ///
    /// Takes about 50 bytes a game. `on_progress` is called with the number of games that
    /// have been looked through, in all [passes](Sameness::passes).
    ///
    /// # Errors
    /// A block is damaged.
    pub fn duplicates(
        &self,
        sameness: Sameness,
        mut on_progress: impl FnMut(u64),
    ) -> Result<Vec<Duplicate>, ArchiveError> {
        let games = identities(self, sameness, &mut on_progress)?;
        let equal = equal_games(self, &games)?;
        let mut duplicates = equal.duplicates;
        if sameness.by_beginning {
            let before = self.games();
            let mut begins = Begins::of(equal.kept);
            begins.find(self, sameness, &mut |done| on_progress(before + done))?;
            for duplicate in &mut duplicates {
                duplicate.kept = begins.kept_for(duplicate.kept);
            }
            duplicates.extend(begins.duplicates());
        }
        duplicates.sort_unstable();
        Ok(duplicates)
    }
}
