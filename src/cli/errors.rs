//! Exit codes, and errors as one line on stderr.

use super::file_names::is_pgn_name;
use super::open::url;
use super::terminal::printable;
use crate::{Error, ErrorClass, without_secrets};
use std::io::{self, Write};
use std::path::Path;

/// The exit status of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Success.
    Done = 0,
    /// Nothing was found.
    NothingFound = 1,
    /// Wrong usage, or an I/O error.
    Usage = 2,
    /// Done with loss, or not as strictly as requested.
    Loss = 3,
    /// The archive is damaged.
    Damaged = 4,
    /// The version of the archive is not supported.
    Version = 5,
    /// A limit was reached.
    Limit = 6,
}

/// Why a verb failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An exit status with a message.
    Message(Exit, String),
    /// The reader of the output has closed it, so there is nothing to report.
    ClosedPipe,
}

impl Failure {
    /// Wrong usage.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Message(Exit::Usage, message.into())
    }

    /// What is to be said of it; nothing if the output is closed.
    #[cfg(feature = "serve")]
    pub(crate) fn message(self) -> String {
        match self {
            Failure::Message(_, message) => message,
            Failure::ClosedPipe => String::new(),
        }
    }

    /// An I/O error of a file.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::ClosedPipe;
        }
        Failure::usage(format!(
            "{}: {}",
            path.display(),
            without_code(&error.to_string())
        ))
    }

    /// An I/O error of stdout.
    pub(crate) fn stdout(error: &io::Error) -> Self {
        Failure::io(Path::new("stdout"), error)
    }

    /// An error of an archive.
    pub(crate) fn archive(path: &Path, error: &Error) -> Self {
        Failure::with_hint(path, path, error, TEST_OR_RECOVER)
    }

    /// An error of a file in an archive.
    pub(crate) fn of_source(archive: &Path, name: &str, error: &Error) -> Self {
        Failure::with_hint(Path::new(name), archive, error, TEST_OR_RECOVER)
    }

    /// An error of an archive that is being tested.
    pub(crate) fn in_test(path: &Path, error: &Error) -> Self {
        Failure::with_hint(path, path, error, RECOVER)
    }

    /// An error of an archive that is being recovered.
    pub(crate) fn in_recovery(path: &Path, error: &Error) -> Self {
        Failure::with_hint(path, path, error, "")
    }

    /// An error of `path`, which is the archive or a file in it; `hint` says what to do about damage.
    fn with_hint(path: &Path, archive: &Path, error: &Error, hint: &str) -> Self {
        if is_closed_pipe(error) {
            return Failure::ClosedPipe;
        }
        let hint = match error.class() {
            // What saves or makes an archive reads files only.
            ErrorClass::Signature if is_url(archive) => String::new(),
            ErrorClass::Damaged if is_url(archive) => of_copy(hint).to_owned(),
            ErrorClass::Signature => signature_hint(archive, hint),
            ErrorClass::Damaged => hint.to_owned(),
            ErrorClass::Version => "; unpack it with the release that made it".to_owned(),
            _ => String::new(),
        };
        let message = format!("{}: {}{hint}", path.display(), described(path, error));
        Failure::Message(exit_of(error), message)
    }

    /// Adds that nothing was written, unless the error is one of usage or of the system.
    pub(crate) fn with_nothing_written(self) -> Self {
        match self {
            Failure::Message(exit, message) if exit != Exit::Usage => {
                Failure::Message(exit, format!("{message}; nothing was written"))
            }
            other => other,
        }
    }

    /// A limit of the format of a file, such as the size of a column.
    #[cfg(feature = "export")]
    pub(crate) fn limit(path: &Path, error: &impl std::fmt::Display) -> Self {
        Failure::Message(Exit::Limit, format!("{}: {error}", path.display()))
    }

    /// An error of a game of an archive.
    pub(crate) fn reading_game(path: &Path, number: u64, error: &Error) -> Self {
        match Failure::archive(path, error) {
            Failure::Message(exit, message) => {
                Failure::Message(exit, format!("{message} (reading game {number})"))
            }
            Failure::ClosedPipe => Failure::ClosedPipe,
        }
    }

    /// Prints the message; returns the exit status.
    pub(crate) fn report(&self) -> Exit {
        match self {
            Failure::Message(exit, message) => {
                print_message(message);
                *exit
            }
            Failure::ClosedPipe => Exit::Done,
        }
    }
}

/// Prints a line on stderr, and ignores errors. The message can contain names
/// from a file, so control characters are removed, and URLs, so passwords are.
pub(crate) fn print_message(message: &str) {
    let message: String = printable(&without_secrets(message)).collect();
    let _ = writeln!(io::stderr(), "pgna: {message}");
}

/// The exit status for an error.
pub(crate) fn exit_of(error: &Error) -> Exit {
    match error.class() {
        ErrorClass::Signature | ErrorClass::Damaged => Exit::Damaged,
        ErrorClass::Version => Exit::Version,
        ErrorClass::Limit => Exit::Limit,
        ErrorClass::NotFound => Exit::NothingFound,
        ErrorClass::Io | ErrorClass::Misuse | ErrorClass::Internal => Exit::Usage,
    }
}

/// What to do about damage.
const TEST_OR_RECOVER: &str =
    "; `pgna test` lists all that is damaged, `pgna recover` saves the rest";
const RECOVER: &str = "; `pgna recover` saves the rest";

/// What to do about damage of an archive that is read by its URL.
fn of_copy(hint: &str) -> &'static str {
    match hint {
        "" => "",
        TEST_OR_RECOVER => {
            "; `pgna test` lists all that is damaged, `pgna recover` saves the rest of a copy on disk"
        }
        _ => "; `pgna recover` saves the rest of a copy on disk",
    }
}

pub(super) fn is_url(path: &Path) -> bool {
    url(path).is_some()
}

/// What to do about a file that is not an archive, or not one any more.
fn signature_hint(path: &Path, damage_hint: &str) -> String {
    let recovery = match damage_hint {
        "" => "",
        _ => ", and `pgna recover` saves the rest of a damaged one",
    };
    match is_pgn_name(path) {
        true => format!("; to make one of a PGN file: pgna pack {}", path.display()),
        false => format!("; archives are made with `pgna pack`{recovery}"),
    }
}

/// The message of an error of the archive at `path`, without the path.
pub(crate) fn described(path: &Path, error: &Error) -> String {
    let message = error.with_cause();
    let path = path.to_string_lossy();
    let path = without_secrets(&path);
    let starts = ["writing", "opening"].map(|what| format!("{what} {path}: "));
    let shortened = starts.iter().find_map(|start| message.strip_prefix(start));
    without_code(shortened.unwrap_or(&message)).to_owned()
}

/// A message without the error number of the operating system at its end.
fn without_code(message: &str) -> &str {
    let parts = message.rsplit_once(" (os error ");
    parts.map_or(message, |(message, _)| message)
}

/// Whether the error is a broken pipe.
fn is_closed_pipe(error: &Error) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref());
    source.is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
}
