//! The functions `pack` and `append`.

use crate::errors;
use crate::interrupt::{Interruptible, SignalCheck, interruptible, on_progress};
use crate::options::Options;
use crate::pool;
use crate::source::{ReadableFile, is_file};
use pgna::cli::{PackSource, named_stream};
use pgna::{Appender, Archive, Error, FileWriter, Limits, PackReport};
use pyo3::exceptions::{PyFileExistsError, PyIsADirectoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Packs PGN files into a new archive, as ``pgna pack`` does.
///
/// ``sources`` is a source or an iterable of sources. A source is the path of a file or folder, a
/// file opened in binary mode, or ``(name, file)`` for one that has no name of its own. Names that
/// end in .zst, .gz, .bz2 or .xz are decompressed and stored without that suffix.
///
/// ``level`` is ``"fast"``, ``"default"`` or ``"max"``, which needs the package ``pgna-max``;
/// ``codec`` restricts the codecs to one; ``index`` is ``"none"``, ``"openings"`` or ``"full"``.
/// The archive appears at ``output`` only when it is complete. If there is a file it is replaced
/// only with ``force``.
///
/// >>> report = pgna.pack(("one.pgn", io.BytesIO(b"1. e4 e5 1-0")), "one.pgna")
/// >>> report.games, pgna.open("one.pgna")[0].pgn
/// (1, '1. e4 e5 1-0')
#[pyfunction]
#[pyo3(signature = (sources, output, *, level="default", codec=None, index="openings", force=false))]
pub(crate) fn pack<'py>(
    sources: &Bound<'py, PyAny>,
    output: PathBuf,
    level: &str,
    codec: Option<&str>,
    index: &str,
    force: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = sources.py();
    let index = Some(index);
    let options = Options {
        level,
        codec,
        index,
    }
    .read(py)?;
    let sources = self::sources(sources)?;
    refuse_input(&sources, &output)?;
    check_output(py, &output, force)?;
    let report = write(py, || {
        let mut writer = FileWriter::create(&output, options)?;
        writer.on_progress(on_progress());
        add(sources, |name, text| writer.add_source(name, text))?;
        Ok(writer.finish(force)?)
    })?;
    self::report(py, &report)
}

/// Adds PGN files to an archive, as ``pgna append`` does.
///
/// ``sources``, ``level`` and ``codec`` are those of ``pack``; ``index`` is by default what the
/// archive has. If this is interrupted at any time, the archive opens as it was.
///
/// >>> pgna.append("one.pgna", ("two.pgn", io.BytesIO(b"1. d4 *"))).games
/// 1
/// >>> len(pgna.open("one.pgna"))
/// 2
#[pyfunction]
#[pyo3(signature = (archive, sources, *, level="default", codec=None, index=None))]
pub(crate) fn append<'py>(
    archive: PathBuf,
    sources: &Bound<'py, PyAny>,
    level: &str,
    codec: Option<&str>,
    index: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = sources.py();
    fs::metadata(&archive).map_err(|error| errors::of_io(py, &error, Some(&archive), ""))?;
    let mut options = Options {
        level,
        codec,
        index,
    }
    .read(py)?;
    let sources = self::sources(sources)?;
    refuse_input(&sources, &archive)?;
    let of_archive = |error| WriteError::Archive(error, Some(archive.clone()));
    let report = write(py, || {
        if index.is_none() {
            let existing = Archive::open_file(&archive, Limits::default());
            let existing = existing
                .and_then(|archive| archive.indexes())
                .map_err(of_archive)?;
            options.indexes = existing.unwrap_or(options.indexes);
        }
        let appender = Appender::open(&archive, options, Limits::default());
        let mut appender = appender.map_err(of_archive)?;
        appender.on_progress(on_progress());
        add(sources, |name, text| appender.add_source(name, text))?;
        Ok(appender.finish()?)
    })?;
    self::report(py, &report)
}

/// A source to be packed.
enum PySource {
    Path(PackSource),
    File {
        name: String,
        file: ReadableFile,
        /// The path that the file says it has.
        path: Option<PathBuf>,
    },
}

/// An error of writing an archive.
#[derive(Debug)]
pub(crate) enum WriteError {
    /// An error of the archive at a path, if it is one that is read.
    Archive(Error, Option<PathBuf>),
    /// A source cannot be opened.
    Io(io::Error, Option<PathBuf>),
}

impl From<Error> for WriteError {
    fn from(error: Error) -> Self {
        WriteError::Archive(error, None)
    }
}

/// Does work that writes files, detached from the interpreter.
pub(crate) fn write<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, WriteError> + Send,
) -> PyResult<T> {
    pool::check()?;
    let done = py.detach(|| interruptible(work))?;
    done.map_err(|error| match error {
        WriteError::Archive(error, path) => errors::of_archive(py, &error, path.as_deref()),
        WriteError::Io(error, path) => errors::of_io(py, &error, path.as_deref(), "reading"),
    })
}

/// Passes the text of each source to `add`.
fn add(
    sources: Vec<PySource>,
    mut add: impl FnMut(&str, Interruptible<Box<dyn Read>>) -> Result<(), Error>,
) -> Result<(), WriteError> {
    // There can be many small sources.
    let mut signals = SignalCheck::new();
    for source in sources {
        let checked = signals.check_io();
        checked.map_err(|error| WriteError::Io(error, None))?;
        let opened = match source {
            PySource::Path(source) => match source.open() {
                Ok(text) => Ok((source.name(), text)),
                Err(error) => Err(WriteError::Io(error, source.path().map(Path::to_owned))),
            },
            PySource::File { name, file, .. } => {
                named_stream(&name, file).map_err(|error| WriteError::Io(error, None))
            }
        };
        let (name, text) = opened?;
        add(&name, Interruptible::new(text))?;
    }
    Ok(())
}

/// The sources that an argument names.
fn sources(argument: &Bound<'_, PyAny>) -> PyResult<Vec<PySource>> {
    let mut sources = Vec::new();
    if is_source(argument)? {
        add_source(argument, &mut sources)?;
        return Ok(sources);
    }
    for source in argument.try_iter()? {
        add_source(&source?, &mut sources)?;
    }
    Ok(sources)
}

/// Whether an argument is a single source, and not an iterable of sources.
fn is_source(argument: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_named = match argument.cast::<PyTuple>() {
        Ok(pair) => {
            pair.len() == 2 && is_file(&pair.get_item(1)?)? && !is_file(&pair.get_item(0)?)?
        }
        Err(_) => false,
    };
    Ok(is_named || is_file(argument)? || argument.extract::<PathBuf>().is_ok())
}

fn add_source(source: &Bound<'_, PyAny>, sources: &mut Vec<PySource>) -> PyResult<()> {
    let py = source.py();
    if let Ok(pair) = source.cast::<PyTuple>() {
        let (name, file): (String, Bound<'_, PyAny>) = pair.extract()?;
        if !is_file(&file)? {
            let why = "(name, file): the second is not a file opened in binary mode";
            return Err(PyTypeError::new_err(why));
        }
        sources.push(PySource::File {
            name,
            file: ReadableFile::new(&file),
            path: path_of(&file)?,
        });
    } else if is_file(source)? {
        sources.push(PySource::File {
            name: name_of(source)?,
            file: ReadableFile::new(source),
            path: path_of(source)?,
        });
    } else {
        let path: PathBuf = source.extract()?;
        fs::metadata(&path).map_err(|error| errors::of_io(py, &error, Some(&path), ""))?;
        let found = py.detach(|| PackSource::of(&[path]));
        let found = found.map_err(PyValueError::new_err)?;
        sources.extend(found.into_iter().map(PySource::Path));
    }
    Ok(())
}

/// The path that a file object has as its name.
fn path_of(file: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    let name = file.getattr_opt("name")?;
    Ok(name.and_then(|name| name.extract().ok()))
}

/// The name of a file object, without its folder.
fn name_of(file: &Bound<'_, PyAny>) -> PyResult<String> {
    let path = path_of(file)?;
    let name = path.as_deref().and_then(Path::file_name);
    let name = name.map(|name| name.to_string_lossy().into_owned());
    name.ok_or_else(|| PyTypeError::new_err("a file without a name: give (name, file)"))
}

fn refuse_input(sources: &[PySource], output: &Path) -> PyResult<()> {
    let is_output = |source: &PySource| {
        let path = match source {
            PySource::Path(source) => source.path(),
            PySource::File { path, .. } => path.as_deref(),
        };
        path.is_some_and(|path| is_same(path, output))
    };
    match sources.iter().any(is_output) {
        true => Err(PyValueError::new_err(format!(
            "{}: is a source; it cannot be the archive too",
            output.display()
        ))),
        false => Ok(()),
    }
}

/// Whether two paths lead to the same file.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Refuses an output before work is done that would be lost.
pub(crate) fn check_output(py: Python<'_>, output: &Path, force: bool) -> PyResult<()> {
    // The numbers of the errors are those of Python.
    let errno = |name: &str| -> PyResult<i32> { py.import("errno")?.getattr(name)?.extract() };
    match fs::symlink_metadata(output) {
        Ok(metadata) if metadata.is_dir() => {
            let args = (
                errno("EISDIR")?,
                "is a folder",
                output.as_os_str().to_owned(),
            );
            Err(PyIsADirectoryError::new_err(args))
        }
        Ok(_) if !force => {
            let why = "already exists; force=True replaces it";
            Err(PyFileExistsError::new_err((
                errno("EEXIST")?,
                why,
                output.as_os_str().to_owned(),
            )))
        }
        _ => Ok(()),
    }
}

/// What was packed.
fn report<'py>(py: Python<'py>, report: &PackReport) -> PyResult<Bound<'py, PyAny>> {
    let verbatim = PyDict::new(py);
    for (reason, games) in &report.verbatim {
        verbatim.set_item(snake_case(&format!("{reason:?}")), games)?;
    }
    let class = py.import("pgna._types")?.getattr("PackReport")?;
    class.call1((report.games, report.sources, report.raw_bytes, verbatim))
}

/// The name of a variant as Python would write it: `too_long` for `TooLong`.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
