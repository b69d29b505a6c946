//! The function `unpack`.

use crate::archive::{OpenArchive, archive_of};
use crate::errors;
use crate::interrupt::SignalCheck;
use crate::pack::write;
use pgna::{FailedSource, NewFile, Source, Unpack, unsafe_name};
use pyo3::exceptions::{PyFileExistsError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    let mut to = ToFolder {
        root: folder,
        replaces_files: force,
        signals: SignalCheck::new(),
    };
    to.check(archive.sources())?;
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

/// Writes each source to a file with its name in a folder.
struct ToFolder {
    root: PathBuf,
    replaces_files: bool,
    /// Checked before each file, of which there can be many small ones.
    signals: SignalCheck,
}

impl ToFolder {
    fn path(&self, source: &Source) -> PathBuf {
        let mut path = self.root.clone();
        path.extend(source.name.split('/'));
        path
    }

    /// Checks all names before anything is written.
    fn check(&self, sources: &[Source]) -> PyResult<()> {
        let mut seen = HashSet::new();
        for source in sources {
            let refuse = |why: &str| {
                let message = format!("{:?}: {why}; nothing was written", source.name);
                Err(PyValueError::new_err(message))
            };
            if let Some(reason) = unsafe_name(&source.name) {
                return refuse(&format!("a name that is not unpacked: {reason}"));
            }
            // Some systems ignore case.
            if !seen.insert(source.name.to_lowercase()) {
                return refuse("two files of this name in the archive");
            }
            self.check_folders(source)?;
            let path = self.path(source);
            if path.is_dir() {
                return refuse("a folder of this name exists");
            }
            if !self.replaces_files && fs::symlink_metadata(&path).is_ok() {
                return Err(PyFileExistsError::new_err(format!(
                    "{}: already exists; force=True replaces it; nothing was written",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// Checks that there is nothing else where folders of a source's file are needed.
    fn check_folders(&self, source: &Source) -> io::Result<()> {
        for (end, _) in source.name.match_indices('/') {
            let folder = source.name.get(..end).unwrap_or_default();
            is_folder(&self.root.join(folder))?;
        }
        Ok(())
    }

    /// Creates the folders of a source's file. A link below the root could lead outside, so none
    /// is followed.
    fn make_folders(&self, source: &Source) -> io::Result<()> {
        fs::create_dir_all(&self.root)?;
        let mut folder = self.root.clone();
        let mut parts = source.name.split('/').peekable();
        while let Some(part) = parts.next()
            && parts.peek().is_some()
        {
            folder.push(part);
            make_folder(&folder)?;
        }
        Ok(())
    }
}

/// Whether there is a folder at a path; what else is there is an error.
fn is_folder(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => {
            let message = format!("{}: is not a folder, or is a link", path.display());
            Err(io::Error::other(message))
        }
        Err(_) => Ok(false),
    }
}

fn make_folder(folder: &Path) -> io::Result<()> {
    match is_folder(folder)? {
        true => Ok(()),
        false => fs::create_dir(folder),
    }
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
        self.make_folders(source)?;
        Ok(SourceFile {
            file: NewFile::create_with_random_temporary(&self.path(source))?,
            signals: SignalCheck::new(),
        })
    }

    fn close(&mut self, _: &Source, sink: SourceFile) -> io::Result<()> {
        sink.file.commit(self.replaces_files)
    }
}

impl Write for SourceFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.signals.check_io()?;
        self.file.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.file().flush()
    }
}
