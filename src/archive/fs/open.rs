//! Opening the file of an archive.

use crate::archive::error::{Error, ErrorKind};
use crate::archive::read::archive::Archive;
use crate::limits::Limits;
use std::fs::File;
use std::io;
use std::path::Path;

impl Archive {
    /// Opens the archive of a file without mapping it.
    ///
    /// # Errors
    /// As [`Archive::open`]; or the file cannot be opened.
    pub fn open_file(path: &Path, limits: Limits) -> Result<Self, Error> {
        Archive::open(open(path)?, limits)
    }
}

pub(crate) fn open(path: &Path) -> Result<File, Error> {
    // Checked before opening, because opening a pipe blocks until its other end
    // is opened.
    let metadata = std::fs::metadata(path).map_err(|error| open_error(path, error))?;
    if !metadata.is_file() {
        let message = "not a file that can be read out of order";
        return Err(open_error(path, io::Error::other(message)));
    }
    File::open(path).map_err(|error| open_error(path, error))
}

pub(crate) fn open_error(path: &Path, error: io::Error) -> Error {
    let what = format!("opening {}", path.display());
    ErrorKind::Io { what, error }.into()
}
