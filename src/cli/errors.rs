//! How the program ends: exit codes, and errors as one line on stderr.

use super::output::printable;
use crate::archive::{Error, ErrorClass};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// How the program exits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// All went well.
    Done = 0,
    /// What was looked for is not there.
    NothingFound = 1,
    /// The program was called wrongly, or the system could not read or write.
    Usage = 2,
    /// Done, but with loss, or not as strictly as was asked.
    Loss = 3,
    /// The archive is damaged.
    Damaged = 4,
    /// The archive's version is not supported.
    Version = 5,
    /// A limit was reached.
    Limit = 6,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a verb could not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What to say, and how to exit.
    Said(Exit, String),
    /// Nobody reads the output any more: there is nobody to complain to.
    ClosedPipe,
}

impl Failure {
    /// The program was called wrongly.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Said(Exit::Usage, message.into())
    }

    /// The system could not read or write a file.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::ClosedPipe;
        }
        Failure::usage(format!("{}: {error}", path.display()))
    }

    /// Stdout could not be written to.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        Failure::io(Path::new("stdout"), error)
    }

    /// An archive could not be read or written.
    pub(crate) fn archive(path: &Path, error: &Error) -> Self {
        if is_closed_pipe(error) {
            return Failure::ClosedPipe;
        }
        let hint = hint(error);
        let message = format!("{}: {error}{hint}", path.display());
        Failure::Said(exit_of(error), message)
    }

    /// A game of an archive could not be read.
    pub(crate) fn game(path: &Path, number: u64, error: &Error) -> Self {
        match Failure::archive(path, error) {
            Failure::Said(exit, message) => {
                Failure::Said(exit, format!("{message} (reading game {number})"))
            }
            Failure::ClosedPipe => Failure::ClosedPipe,
        }
    }

    /// Says what is wrong.
    pub(crate) fn report(&self) -> Exit {
        match self {
            Failure::Said(exit, message) => {
                say(message);
                *exit
            }
            Failure::ClosedPipe => Exit::Done,
        }
    }
}

/// Prints a line on stderr, as far as somebody listens. Names that a file brings
/// along may be part of it.
pub(crate) fn say(message: &str) {
    let message: String = printable(message).collect();
    let _ = writeln!(io::stderr(), "pgna: {message}");
}

/// How to exit because of an error.
pub(crate) fn exit_of(error: &Error) -> Exit {
    match error.class() {
        ErrorClass::Signature | ErrorClass::Damaged => Exit::Damaged,
        ErrorClass::Version => Exit::Version,
        ErrorClass::Limit => Exit::Limit,
        ErrorClass::NotFound => Exit::NothingFound,
        ErrorClass::Io | ErrorClass::Misuse | ErrorClass::Internal => Exit::Usage,
    }
}

/// What to do about an error, where there is something to do.
fn hint(error: &Error) -> &'static str {
    match error.class() {
        ErrorClass::Signature => {
            "; archives are made with `pgna pack`, and `pgna recover` saves the rest of a damaged one"
        }
        ErrorClass::Damaged => {
            "; `pgna test` lists all that is damaged, `pgna recover` saves the rest"
        }
        ErrorClass::Version => {
            "; unpack it with the release that made it, or look for a newer one"
        }
        _ => "",
    }
}

/// Whether the error is that a pipe was closed at the other end.
fn is_closed_pipe(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref());
    source.is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
}
