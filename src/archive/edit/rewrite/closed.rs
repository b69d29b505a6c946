//! Complete new files that wait to be renamed together with others.

use crate::archive::fs::file::{NewFile, sync_folder};
use crate::archive::fs::temporary::folder_of;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// A new file that is complete and synced to disk, under a temporary name. It is not
/// open, so their number is not limited by file handles. The file is deleted on drop.
#[derive(Debug)]
pub struct ClosedFile {
    temporary: TempPath,
    target: PathBuf,
}

impl NewFile {
    /// Syncs the file to disk and closes it, so that many files can be completed before the
    /// first is renamed. Closing releases the lock on the target: another program may then
    /// write the same target.
    ///
    /// # Errors
    /// The file cannot be synced, or not renamed to a random temporary name, which it gets
    /// unless it has one.
    pub fn close(self) -> io::Result<ClosedFile> {
        self.file().sync_all()?;
        let (temporary, target) = self.into_parts();
        Ok(ClosedFile {
            temporary: temporary.close()?,
            target,
        })
    }
}

impl ClosedFile {
    /// The path that the file will get.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Renames the file to its target. An existing file is replaced only if `replace` is
    /// set.
    ///
    /// # Errors
    /// The file cannot be renamed, or the target exists and `replace` is not set.
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
        for create in [NewFile::create_with_random_temporary, NewFile::create] {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("a.pgn");
            let file = create(&target).unwrap();
            file.file().write_all(b"first").unwrap();
            let waiting = file.close().unwrap();
            let other = NewFile::create(&target).unwrap();
            waiting.commit(false).unwrap();
            drop(other);
            assert_eq!(fs::read(&target).unwrap(), b"first");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_closed_file_is_deleted_on_drop() {
        for create in [NewFile::create_with_random_temporary, NewFile::create] {
            let folder = tempfile::tempdir().unwrap();
            let file = create(&folder.path().join("a.pgn")).unwrap();
            drop(file.close().unwrap());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
