//! Errors of the library as exceptions.

use pgna::{BuiltinModel, Error, ErrorClass, Loss};
use pyo3::exceptions::{PyIndexError, PyOSError, PyRuntimeError, PyStopIteration, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::error::Error as StdError;
use std::fmt::Display;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The module that defines the exceptions of the package.
const MODULE: &str = "pgna._errors";

/// The exception for an error of an archive.
pub(crate) fn of_archive(py: Python<'_>, error: &Error, path: Option<&Path>) -> PyErr {
    of_games(py, error, path, error.games())
}

/// The exception for an error of reading a game.
pub(crate) fn of_game(py: Python<'_>, error: &Error, path: Option<&Path>, number: u64) -> PyErr {
    let game = number..number.saturating_add(1);
    of_games(py, error, path, error.games().or(Some(game)))
}

/// The exception for an error of a search, and the games that could not be searched, if known.
pub(crate) fn of_missed(
    py: Python<'_>,
    error: &Error,
    path: Option<&Path>,
    games: Range<u64>,
) -> PyErr {
    let games = Some(games).filter(|games| !games.is_empty());
    of_games(py, error, path, games)
}

/// The exception for games that cannot be read.
pub(crate) fn of_loss(py: Python<'_>, loss: &Loss, path: Option<&Path>) -> PyErr {
    of_games(py, &loss.error, path, Some(loss.games.clone()))
}

/// The exception for an error of the archive at `path`, if it has one.
fn of_games(
    py: Python<'_>,
    error: &Error,
    path: Option<&Path>,
    games: Option<Range<u64>>,
) -> PyErr {
    if let Some(cause) = io_cause(error) {
        return of_io(py, cause, path, error);
    }
    if let Some(model) = error.missing_model() {
        return raised(py, "ModelError", (of_path(path, missing_model(model)),));
    }
    let message = of_path(path, error);
    match error.class() {
        ErrorClass::Damaged => {
            let games = games.map(|games| (games.start, games.end));
            raised(py, "DamagedError", (message, games))
        }
        ErrorClass::Signature => raised(py, "SignatureError", (message,)),
        ErrorClass::Version => raised(py, "VersionError", (message,)),
        ErrorClass::Limit => raised(py, "LimitError", (message,)),
        ErrorClass::Misuse => PyValueError::new_err(message),
        ErrorClass::NotFound => PyIndexError::new_err(message),
        _ => raised(py, "PgnaError", (message,)),
    }
}

/// A message about the file at `path`, if it is given.
pub(crate) fn of_path(path: Option<&Path>, message: impl Display) -> String {
    match path {
        Some(path) => format!("{}: {message}", path.display()),
        None => message.to_string(),
    }
}

/// An exception of code of Python that was called. `StopIteration` would end an iterator without a
/// word, so it is the cause of another one, as in generators (PEP 479).
pub(crate) fn of_call(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyStopIteration>(py) {
        return error;
    }
    let raised = PyRuntimeError::new_err("StopIteration was raised");
    raised.set_cause(py, Some(error));
    raised
}

/// Whether an exception says that games are damaged. Others concern more than these games: an
/// interrupt, a model that is missing.
pub(crate) fn is_damage(py: Python<'_>, error: &PyErr) -> bool {
    let module = py.import(MODULE);
    let class = module.and_then(|module| module.getattr("DamagedError"));
    class.is_ok_and(|class| error.matches(py, class).unwrap_or(false))
}

/// The exception for files of an archive that could not be unpacked.
pub(crate) fn of_sources(py: Python<'_>, message: String, names: Vec<String>) -> PyErr {
    raised(py, "DamagedError", (message, py.None(), names))
}

/// The exception for an error of the system, of the file at `path` if it is given. An exception
/// that a Python object has raised comes back as it is.
pub(crate) fn of_io(
    py: Python<'_>,
    error: &io::Error,
    path: Option<&Path>,
    message: impl Display,
) -> PyErr {
    let raised = error.get_ref().and_then(|error| error.downcast_ref());
    if let Some(raised) = raised {
        return PyErr::clone_ref(raised, py);
    }
    match (error.raw_os_error(), path) {
        // Python makes of the number the right subclass.
        (Some(number), Some(path)) => {
            PyOSError::new_err((number, text_of(error), path.as_os_str().to_owned()))
        }
        (Some(number), None) => {
            PyOSError::new_err((number, format!("{message}: {}", text_of(error))))
        }
        // As of a path with a NUL, which Python refuses the same way.
        (None, Some(path)) if error.kind() == io::ErrorKind::InvalidInput => {
            PyValueError::new_err(of_path(Some(path), error))
        }
        (None, Some(path)) => PyOSError::new_err(of_path(Some(path), error)),
        (None, None) => PyOSError::new_err(format!("{message}: {error}")),
    }
}

/// The exception for a panic, which is a fault of the library.
pub(crate) fn of_panic(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("internal error: {}", text.unwrap_or("a panic"));
    raised(py, "PgnaError", (message,))
}

/// The message about a model that is missing.
fn missing_model(model: BuiltinModel) -> String {
    let level = model.level();
    format!(
        "this needs the move model `{level}`, which is a package of its own: pip install pgna-{level}"
    )
}

/// The error of the operating system without its number.
fn text_of(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" (os error ") {
        Some((text, _)) => text.to_owned(),
        None => text,
    }
}

fn io_cause(error: &Error) -> Option<&io::Error> {
    error.source().and_then(|cause| cause.downcast_ref())
}

/// An exception of the package.
fn raised<'py, A>(py: Python<'py>, class: &str, args: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let class = py.import(MODULE).and_then(|module| module.getattr(class));
    match class.and_then(|class| class.call1(args)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
