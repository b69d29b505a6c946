//! The lock of an archive that is changed or replaced.

use crate::archive::error::{Error, write_error};
use crate::archive::fs::temporary::{is_same_file, lock};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// A lock on the file of an archive, released on drop. While it exists, no other program appends
/// to the archive or replaces it by a version with other indexes. Hold one while you replace an
/// archive yourself; [`Appender`](super::append::Appender) locks its file.
///
/// Some file systems lock only files that are open for writing, so the file is opened for
/// writing if it is writable. On file systems without locks the lock has no effect.
///
/// ```no_run
/// use pgna::{Archive, ArchiveLock, Indexes, Limits, NewFile};
///
/// let path = "games.pgna".as_ref();
/// let lock = ArchiveLock::new(path)?;
/// let archive = Archive::map(path, Limits::default())?;
/// archive.reindex(NewFile::create(path)?, Indexes::Full, true, |_| ())?;
/// drop(lock);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArchiveLock(#[expect(dead_code, reason = "held for its lock")] File);

impl ArchiveLock {
    /// Locks an archive.
    ///
    /// # Errors
    /// The file cannot be opened, it is not a regular file, or another program has locked or just
    /// replaced it.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let open = |path: &Path| {
            let file = OpenOptions::new().read(true).write(true).open(path);
            file.or_else(|_| File::open(path))
        };
        open_locked(open, path).map(ArchiveLock)
    }
}

/// Opens the file of an archive and locks it.
///
/// # Errors
/// As [`ArchiveLock::new`].
pub(super) fn open_locked(
    open: impl Fn(&Path) -> io::Result<File>,
    path: &Path,
) -> Result<File, Error> {
    let locked = || -> io::Result<File> {
        // Opening a pipe would block.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::other("not a file that can be changed in place"));
        }
        let file = open(path)?;
        lock(&file)?;
        match is_same_file(&file, path)? {
            true => Ok(file),
            false => Err(io::Error::other("another program has just replaced it")),
        }
    };
    locked().map_err(|error| write_error(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once_at_a_time_whether_it_is_writable_or_not() {
        for is_read_only in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.pgna");
            std::fs::write(&path, "").unwrap();
            let mut permissions = std::fs::metadata(&path).unwrap().permissions();
            permissions.set_readonly(is_read_only);
            std::fs::set_permissions(&path, permissions).unwrap();
            let lock = ArchiveLock::new(&path).unwrap();
            assert!(ArchiveLock::new(&path).is_err());
            drop(lock);
            ArchiveLock::new(&path).unwrap();
        }
    }
}
