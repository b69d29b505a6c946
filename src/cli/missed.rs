//! Games that cannot be read because the archive is damaged: they are reported, and reading
//! continues after them.

use super::errors::{Exit, Failure, exit_of, print_message};
use crate::{Archive, Error};
use std::ops::RangeInclusive;
use std::path::Path;

/// The games that could not be read so far.
pub(crate) struct MissedGames<'a> {
    path: &'a Path,
    /// The exit status for the first of them.
    exit: Option<Exit>,
}

impl<'a> MissedGames<'a> {
    pub(crate) fn new(path: &'a Path) -> Self {
        MissedGames { path, exit: None }
    }

    /// Reports the unreadable games of a range whose first game cannot be read; returns the number
    /// of the next game to read.
    pub(crate) fn report_unreadable(
        &mut self,
        asked: RangeInclusive<u64>,
        archive: &Archive,
        error: &Error,
    ) -> u64 {
        let (first, last) = asked.into_inner();
        let next_readable = archive.unreadable_with(first).end.max(first + 1);
        self.report(first, last.min(next_readable - 1), error);
        next_readable
    }

    /// Reports games that cannot be read.
    pub(crate) fn report(&mut self, first: u64, last: u64, error: &Error) {
        let games = match first < last {
            true => format!("games {first} to {last}"),
            false => format!("game {first}"),
        };
        // `Failure` adds what to do about the error.
        if let Failure::Message(exit, why) = Failure::archive(Path::new(&games), error) {
            print_message(&format!("{}: cannot read {why}", self.path.display()));
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
