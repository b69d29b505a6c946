//! New files that are complete, but wait for others before they take their names.

use crate::archive::file::{NewFile, sync_folder};
use crate::archive::temporary::folder_of;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// A new file that is complete and on the disk, under a temporary name. It is not open,
/// so that there can be any number of them; it goes when this is dropped.
#[derive(Debug)]
pub struct ClosedFile {
    temporary: TempPath,
    target: PathBuf,
}

impl NewFile {
    /// Puts the file on the disk and closes it. It is one of [`NewFile::create_beside`]:
    /// without the lock, which goes with the handle, other programs take a temporary file
    /// whose name follows from its target for one that was left.
    ///
    /// # Errors
    /// The system fails.
    pub fn close(self) -> io::Result<ClosedFile> {
        self.file().sync_all()?;
        let (temporary, target) = self.into_parts();
        Ok(ClosedFile {
            temporary: temporary.path,
            target,
        })
    }
}

impl ClosedFile {
    /// The name that it will take.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Gives the file its name. A file that has the name is replaced only if `replace`
    /// is set.
    ///
    /// # Errors
    /// The system fails, or a file has the name.
    pub fn commit(self, replace: bool) -> io::Result<()> {
        if replace {
            self.temporary.persist(&self.target)?;
        } else {
            self.temporary.persist_noclobber(&self.target)?;
        }
        sync_folder(folder_of(&self.target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    #[test]
    fn a_file_that_waits_is_not_taken_for_one_that_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.pgn");
        let file = NewFile::create_beside(&target).unwrap();
        file.file().write_all(b"first").unwrap();
        let waiting = file.close().unwrap();
        let other = NewFile::create(&target).unwrap();
        waiting.commit(false).unwrap();
        drop(other);
        assert_eq!(fs::read(&target).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
