//! Games that cannot be read because the archive is damaged: they are reported, and reading
//! continues after them.

use super::errors::{Exit, Failure, exit_of, print_message};
use super::figures::{count, game_range};
use crate::{Archive, Error};
use std::ops::RangeInclusive;
use std::path::Path;

/// The most messages that are printed. If a file is replaced while it is searched, each of its
/// games has an error.
const MAX_MESSAGES: u64 = 100;

/// The games that could not be read so far.
pub(crate) struct MissedGames<'a> {
    path: &'a Path,
    /// The number of messages so far, printed or not.
    messages: u64,
    /// The exit status for the first of them.
    exit: Option<Exit>,
}

impl<'a> MissedGames<'a> {
    pub(crate) fn new(path: &'a Path) -> Self {
        MissedGames {
            path,
            messages: 0,
            exit: None,
        }
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
        self.report_named(&game_range(first, last), error);
    }

    /// Reports the errors of a count over all games.
    pub(crate) fn report_all(&mut self, errors: &[Error], archive: &Archive) {
        // An error of a checksum has an offset, but no games. The losses have both.
        let losses = match errors.iter().all(|error| error.games().is_some()) {
            true => Vec::new(),
            false => archive.verify_checksums(|_| {}),
        };
        for error in errors {
            let mut same = losses
                .iter()
                .filter(|loss| loss.error.offset() == error.offset());
            let games = error
                .games()
                .or_else(|| same.next().map(|loss| loss.games.clone()));
            match games.filter(|games| !games.is_empty()) {
                Some(games) => self.report(games.start, games.end.saturating_sub(1), error),
                None => self.report_named("some games", error),
            }
        }
    }

    fn report_named(&mut self, games: &str, error: &Error) {
        // `Failure` adds what to do about the error.
        if let Failure::Message(exit, why) = Failure::archive(Path::new(games), error) {
            self.messages += 1;
            if self.messages <= MAX_MESSAGES {
                print_message(&format!("{}: cannot read {why}", self.path.display()));
            }
            self.exit.get_or_insert(exit);
        } else {
            self.exit.get_or_insert(exit_of(error));
        }
    }

    /// Whether no game was missed.
    pub(crate) fn is_empty(&self) -> bool {
        self.exit.is_none()
    }

    /// Ends the report. Returns the exit status; `otherwise` if nothing was missed.
    pub(crate) fn exit(&self, otherwise: Exit) -> Exit {
        let more = self.messages.saturating_sub(MAX_MESSAGES);
        if more > 0 {
            let more = count(more, "more message");
            let path = self.path.display();
            print_message(&format!(
                "{path}: {more}; `pgna test` lists what is damaged"
            ));
        }
        self.exit.unwrap_or(otherwise)
    }
}
