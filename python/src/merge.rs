//! The function `merge`.

use crate::archive::{Archive, archive_of};
use crate::interrupt::on_progress;
use crate::open_archive::OpenArchive;
use crate::pack::{WriteError, check_output, is_same, write};
use pgna::{Merger, NewFile};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// Merges archives into a new one, as ``pgna merge`` does: nothing is packed again.
///
/// ``archives`` are paths or open archives. The archive appears at ``output`` only when it is
/// complete. If there is a file it is replaced only with ``force``.
///
/// >>> pgna.merge(["games.pgna", archive], "both.pgna")
/// >>> len(pgna.open("both.pgna"))
/// 6
#[pyfunction]
#[pyo3(signature = (archives, output, *, force=false))]
pub(crate) fn merge(archives: &Bound<'_, PyAny>, output: PathBuf, force: bool) -> PyResult<()> {
    let py = archives.py();
    if archives.extract::<PathBuf>().is_ok() || archives.is_instance_of::<Archive>() {
        let why = "archives is an iterable of archives, not a single one";
        return Err(PyTypeError::new_err(why));
    }
    let mut opened: Vec<OpenArchive> = Vec::new();
    for archive in archives.try_iter()? {
        py.check_signals()?;
        let archive = archive?;
        let path: Option<PathBuf> = match archive.getattr_opt("path")? {
            Some(path) => path.extract()?,
            None => archive.extract().ok(),
        };
        if path.is_some_and(|path| is_same(&path, &output)) {
            let message = format!("{}: is one of the archives to merge", output.display());
            return Err(PyValueError::new_err(message));
        }
        opened.push(archive_of(&archive)?);
    }
    check_output(py, &output, force)?;
    write(py, || {
        let created = NewFile::create(&output);
        let file = created.map_err(|error| WriteError::Io(error, Some(output.clone())))?;
        let mut merger = Merger::new(file)?;
        // One for all: of many small archives each is done before it would look for signals.
        let mut progress = on_progress();
        for archive in opened {
            let added = merger.add(&archive, &mut progress);
            added
                .map_err(|error| WriteError::Archive(error, archive.path().map(Path::to_owned)))?;
        }
        Ok(merger.finish(force)?)
    })
}
