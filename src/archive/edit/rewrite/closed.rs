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
    /// first is renamed. The file must come from [`NewFile::create_with_random_temporary`]:
    /// closing releases the lock, and without the lock other programs take a temporary
    /// file whose name is derived from its target for a leftover.
    ///
    /// # Errors
    /// The file cannot be synced.
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
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.pgn");
        let file = NewFile::create_with_random_temporary(&target).unwrap();
        file.file().write_all(b"first").unwrap();
        let waiting = file.close().unwrap();
        let other = NewFile::create(&target).unwrap();
        waiting.commit(false).unwrap();
        drop(other);
        assert_eq!(fs::read(&target).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
