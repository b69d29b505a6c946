//! An archive that is open: what games, searches and scans share.

use crate::lock::CallLock;
use crate::source;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An archive that is open, and what it is read from.
#[derive(Clone)]
pub(crate) struct OpenArchive(Arc<Opened>);

struct Opened {
    archive: pgna::Archive,
    /// The path that was opened.
    path: Option<PathBuf>,
    /// Held while the Python file that was opened is read.
    place: Option<Arc<CallLock<()>>>,
}

impl Deref for OpenArchive {
    type Target = pgna::Archive;

    fn deref(&self) -> &pgna::Archive {
        &self.0.archive
    }
}

impl OpenArchive {
    /// An archive that was read from the path, or from the Python file with this lock.
    pub(crate) fn new(
        archive: pgna::Archive,
        path: Option<PathBuf>,
        place: Option<Arc<CallLock<()>>>,
    ) -> Self {
        OpenArchive(Arc::new(Opened {
            archive,
            path,
            place,
        }))
    }

    /// The path that was opened.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Whether this is the same object, not only the same file.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A number that no other archive has while this one is open.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Refuses reads by the `read` of the file that the archive is in, which would wait for it.
    pub(crate) fn check_file(&self) -> PyResult<()> {
        match self.0.place.as_ref().is_some_and(|place| place.is_mine()) {
            true => Err(PyOSError::new_err(source::READS_ITSELF)),
            false => Ok(()),
        }
    }
}
