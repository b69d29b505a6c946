//! Temporary files in the folder of their targets.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// A temporary file that is deleted on drop, unless it was renamed.
#[derive(Debug)]
pub(crate) struct Temporary {
    pub(crate) file: File,
    pub(crate) path: TempPath,
    /// Whether the name is random, not derived from that of the target.
    has_random_name: bool,
}

impl Temporary {
    /// Creates the temporary file of `target`, in the same folder. Its name is derived
    /// from that of the target, so that a file that a killed program left is found again
    /// and removed. The file is locked: a second program that writes the same target gets
    /// an error. Without locks, the file has a random name.
    ///
    /// # Errors
    /// The folder cannot be written to, or another program is writing the target.
    pub(crate) fn of(target: &Path) -> io::Result<Self> {
        let path = path_for(target);
        loop {
            if !remove_leftover(&path)? {
                return Temporary::with_random_name(target);
            }
            let mut options = File::options();
            match options.read(true).write(true).create_new(true).open(&path) {
                Ok(file) => {
                    let is_locked = lock(&file)?;
                    // Before it was locked, another program may have taken it for a
                    // leftover.
                    if is_same_file(&file, &path)? {
                        let path = TempPath::try_from_path(path)?;
                        if !is_locked {
                            return Temporary::with_random_name(target);
                        }
                        return Ok(Temporary {
                            file,
                            path,
                            has_random_name: false,
                        });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates a temporary file with a random name in the folder of `target`.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub(crate) fn with_random_name(target: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pgna-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The usual permissions of a new file; the umask is applied to them.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let (file, path) = builder.tempfile_in(folder_of(target))?.into_parts();
        Ok(Temporary {
            file,
            path,
            has_random_name: true,
        })
    }

    /// Closes the file and releases its lock. Without the lock, other programs take a file with
    /// a derived name for a leftover, so it first gets a random name.
    ///
    /// # Errors
    /// The file cannot be renamed.
    pub(crate) fn close(self) -> io::Result<TempPath> {
        if self.has_random_name {
            return Ok(self.path);
        }
        let free = Temporary::with_random_name(&self.path)?.path;
        // On Windows an open file cannot be replaced; that of `free` is closed already.
        self.path.persist(&free)?;
        Ok(free)
    }
}

/// The path of the temporary file of `target`.
pub(crate) fn path_for(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default();
    let digest = blake3::hash(name.as_encoded_bytes()).to_hex();
    let (digest, _) = digest.split_at_checked(16).unwrap_or((&digest, ""));
    folder_of(target).join(format!(".pgna-{digest}.tmp"))
}

/// Removes a leftover temporary file; `false` if it cannot be determined whether another
/// program is still writing it. Its content is not needed. It may be a link that somebody
/// placed there, so it is never written to.
fn remove_leftover(path: &Path) -> io::Result<bool> {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return Ok(true);
    };
    // Holds the lock until the file is removed.
    let mut left = None;
    if metadata.is_file() {
        // Some file systems lock only files that are open for writing.
        let file = match File::options().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(error),
        };
        if !lock(&file)? {
            return Ok(false);
        }
        if !is_same_file(&file, path)? {
            return Ok(true);
        }
        left = Some(file);
    }
    let removed = match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(true),
    };
    drop(left);
    removed
}

/// Locks a file exclusively while it is open; `false` if the file system has no locks.
///
/// # Errors
/// Another program has locked the file.
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::WouldBlock,
            "another program is writing it",
        )),
        Err(TryLockError::Error(_)) => Ok(false),
    }
}

/// Whether the path still refers to the open file.
pub(crate) fn is_same_file(file: &File, path: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let open = file.metadata()?;
        Ok(fs::metadata(path).is_ok_and(|at| (at.dev(), at.ino()) == (open.dev(), open.ino())))
    }
    #[cfg(not(unix))]
    {
        // An open file cannot be removed on these systems.
        let _ = file;
        Ok(path.exists())
    }
}

/// The folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn leftovers_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.pgna");
        let first = Temporary::of(&target).unwrap();
        let path = first.path.keep().unwrap();
        drop(first.file);
        fs::write(&path, "left").unwrap();
        let second = Temporary::of(&target).unwrap();
        assert_eq!(*second.path, *path);
        assert_eq!(second.file.metadata().unwrap().len(), 0);
        drop(second);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn one_target_is_written_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        let first = Temporary::of(&a).unwrap();
        let error = Temporary::of(&a).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        assert!(first.path.exists());
        Temporary::of(&b).unwrap();
        drop(first);
        Temporary::of(&a).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_way_is_removed_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let path = Temporary::of(&target).unwrap().path.to_path_buf();
        let precious = folder.path().join("precious");
        fs::write(&precious, "gold").unwrap();
        std::os::unix::fs::symlink(&precious, &path).unwrap();
        let mut temporary = Temporary::of(&target).unwrap();
        temporary.file.write_all(b"x").unwrap();
        drop(temporary);
        assert_eq!(fs::read(&precious).unwrap(), b"gold");
    }
}
