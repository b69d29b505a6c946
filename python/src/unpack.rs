//! The function `unpack`.

use crate::archive::archive_of;
use crate::errors;
use crate::interrupt::SignalCheck;
use crate::open_archive::OpenArchive;
use crate::pack::write;
use pgna::{FailedSource, NewFile, Source, SourceConflict, SourceFolder, Unpack};
use pyo3::exceptions::{PyFileExistsError, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;

/// Writes the files of an archive to a folder, as ``pgna unpack`` does.
///
/// ``archive`` is a path or an open archive. The folder is created if there is none. Each file
/// takes its name only after its digest has been verified. Files that exist are replaced only with
/// ``force``; otherwise nothing is written. Nothing is written outside the folder, whatever the
/// archive contains.
///
/// If the archive is damaged, what can be unpacked is, and then ``DamagedError`` is raised, which
/// has the names of the others as ``sources``.
///
/// >>> pgna.unpack("games.pgna", "unpacked")
/// >>> open("unpacked/games.pgn", "rb").read() == open("games.pgn", "rb").read()
/// True
#[pyfunction]
#[pyo3(signature = (archive, folder, *, force=false))]
pub(crate) fn unpack(archive: &Bound<'_, PyAny>, folder: PathBuf, force: bool) -> PyResult<()> {
    let py = archive.py();
    let archive = archive_of(archive)?;
    let folder = SourceFolder::new(folder, force);
    let checked = folder.check(archive.sources());
    checked.map_err(|conflict| refusal(&conflict))?;
    let mut to = ToFolder {
        folder,
        signals: SignalCheck::new(),
    };
    let failed = write(py, || Ok(archive.unpack_intact(&mut to)?))?;
    match failed.first() {
        None => Ok(()),
        Some(first) => Err(failure(py, &archive, &failed, first)),
    }
}

/// The exception for sources that could not be unpacked.
fn failure(
    py: Python<'_>,
    archive: &OpenArchive,
    failed: &[FailedSource],
    first: &FailedSource,
) -> PyErr {
    let error = errors::of_archive(py, &first.error, archive.path());
    if !errors::is_damage(py, &error) {
        return error;
    }
    let message = format!(
        "{} of {} files could not be unpacked: {}",
        failed.len(),
        archive.sources().len(),
        first.error
    );
    let names = failed.iter().map(|source| source.name.clone()).collect();
    let message = errors::of_path(archive.path(), message);
    errors::of_sources(py, message, names)
}

/// The exception for a source that cannot be unpacked to a folder.
fn refusal(conflict: &SourceConflict) -> PyErr {
    let message = match conflict {
        SourceConflict::Exists { path } => {
            let path = path.display();
            let why = "already exists; force=True replaces it; nothing was written";
            return PyFileExistsError::new_err(format!("{path}: {why}"));
        }
        conflict => format!("{conflict}; nothing was written"),
    };
    match conflict {
        SourceConflict::NoFolder { .. } => PyOSError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// Writes each source to a file with its name in a folder.
struct ToFolder {
    folder: SourceFolder,
    /// Checked before each file, of which there can be many small ones.
    signals: SignalCheck,
}

/// A source that is being written to a file.
struct SourceFile {
    file: NewFile,
    signals: SignalCheck,
}

impl Unpack for ToFolder {
    type Sink = SourceFile;

    fn open(&mut self, source: &Source) -> io::Result<SourceFile> {
        self.signals.check_io()?;
        Ok(SourceFile {
            file: self.folder.create(source)?,
            signals: SignalCheck::new(),
        })
    }

    fn close(&mut self, _: &Source, sink: SourceFile) -> io::Result<()> {
        self.folder.commit(sink.file)
    }
}

impl Write for SourceFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.signals.check_io()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
