//! Games that cannot be read because the archive is damaged: they are told, and what
//! is behind them is read.

use super::errors::{Exit, Failure, exit_of, say};
use crate::archive::Archive;
use crate::archive::Error;
use std::ops::RangeInclusive;
use std::path::Path;

/// What could not be read so far.
pub(crate) struct Missed<'a> {
    path: &'a Path,
    /// How the program ends because of the first of it.
    exit: Option<Exit>,
}

impl<'a> Missed<'a> {
    pub(crate) fn new(path: &'a Path) -> Self {
        Missed { path, exit: None }
    }

    /// Says which of the games that are asked for cannot be read where the first of them
    /// cannot; gives the number of the next game.
    pub(crate) fn games(
        &mut self,
        asked: RangeInclusive<u64>,
        archive: &Archive,
        error: &Error,
    ) -> u64 {
        let (first, last) = asked.into_inner();
        let behind = archive.missed_with(first).end.max(first + 1);
        self.tell(first, last.min(behind - 1), error);
        behind
    }

    /// Says that games cannot be read.
    pub(crate) fn tell(&mut self, first: u64, last: u64, error: &Error) {
        let games = match first < last {
            true => format!("games {first} to {last}"),
            false => format!("game {first}"),
        };
        // A failure knows what to do about it.
        if let Failure::Said(exit, why) = Failure::archive(Path::new(&games), error) {
            say(&format!("{}: cannot read {why}", self.path.display()));
            self.exit.get_or_insert(exit);
        } else {
            self.exit.get_or_insert(exit_of(error));
        }
    }

    /// How the program ends; as it would otherwise, if nothing was missed.
    pub(crate) fn exit(&self, otherwise: Exit) -> Exit {
        self.exit.unwrap_or(otherwise)
    }
}
