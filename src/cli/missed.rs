//! Games that cannot be read because the archive is damaged: they are reported, and reading
//! continues after them.

use super::errors::{Exit, Failure, exit_of, say};
use crate::{Archive, Error};
use std::ops::RangeInclusive;
use std::path::Path;

/// The games that could not be read so far.
pub(crate) struct Missed<'a> {
    path: &'a Path,
    /// The exit status for the first of them.
    exit: Option<Exit>,
}

impl<'a> Missed<'a> {
    pub(crate) fn new(path: &'a Path) -> Self {
        Missed { path, exit: None }
    }

    /// Reports the unreadable games of a range whose first game cannot be read; returns the number
    /// of the next game to read.
    pub(crate) fn games(
        &mut self,
        asked: RangeInclusive<u64>,
        archive: &Archive,
        error: &Error,
    ) -> u64 {
        let (first, last) = asked.into_inner();
        let behind = archive.unreadable_with(first).end.max(first + 1);
        self.tell(first, last.min(behind - 1), error);
        behind
    }

    /// Reports games that cannot be read.
    pub(crate) fn tell(&mut self, first: u64, last: u64, error: &Error) {
        let games = match first < last {
            true => format!("games {first} to {last}"),
            false => format!("game {first}"),
        };
        // `Failure` adds what to do about the error.
        if let Failure::Said(exit, why) = Failure::archive(Path::new(&games), error) {
            say(&format!("{}: cannot read {why}", self.path.display()));
            self.exit.get_or_insert(exit);
        } else {
            self.exit.get_or_insert(exit_of(error));
        }
    }

    /// The exit status; `otherwise` if nothing was missed.
    pub(crate) fn exit(&self, otherwise: Exit) -> Exit {
        self.exit.unwrap_or(otherwise)
    }
}
