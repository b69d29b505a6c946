//! The folder to which the sources of an archive are unpacked.

use crate::archive::fs::file::NewFile;
use crate::archive::fs::names::{local_path, name_key, unsafe_name};
use crate::container::Source;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder in which each source of an archive gets a file with its name. Nothing is written
/// outside it, whatever the names are: an implementation of [`Unpack`](crate::Unpack) calls
/// [`check`](Self::check) first, and [`create`](Self::create) for each source. A `\` in a name
/// is `_` in the name of the file where it separates folders, as on Windows.
///
/// ```no_run
/// use pgna::{Archive, Limits, NewFile, Source, SourceFolder, Unpack};
/// use std::io;
///
/// struct Files(SourceFolder);
///
/// impl Unpack for Files {
///     type Sink = NewFile;
///
///     fn open(&mut self, source: &Source) -> io::Result<NewFile> {
///         self.0.create(source)
///     }
///
///     fn close(&mut self, _: &Source, file: NewFile) -> io::Result<()> {
///         self.0.commit(file)
///     }
/// }
///
/// let archive = Archive::map("games.pgna".as_ref(), Limits::default())?;
/// let folder = SourceFolder::new("unpacked".into(), false);
/// folder.check(archive.sources())?;
/// archive.unpack(&mut Files(folder))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SourceFolder {
    root: PathBuf,
    replaces_files: bool,
}

/// Why a source cannot be unpacked to a folder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceConflict {
    /// The name of the source is not safe to use as a path.
    #[error("{name:?}: a name that is not unpacked: {reason}")]
    UnsafeName {
        /// The name.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// Two sources have the same name on systems that ignore case, or on which `_` takes the
    /// place of `\`.
    #[error("{name:?}: two files of this name in the archive")]
    RepeatedName {
        /// The name of the second.
        name: String,
    },
    /// A folder has the name of the source.
    #[error("{name:?}: a folder of this name exists")]
    Folder {
        /// The name.
        name: String,
    },
    /// A file or link is where the source needs a folder.
    #[error("{}: is not a folder, or is a link", path.display())]
    NoFolder {
        /// The path.
        path: PathBuf,
    },
    /// A file exists and may not be replaced.
    #[error("{}: already exists", path.display())]
    Exists {
        /// Its path.
        path: PathBuf,
    },
}

impl SourceFolder {
    /// The folder at a path, which need not exist, and whether files in it may be replaced.
    pub fn new(root: PathBuf, replaces_files: bool) -> Self {
        SourceFolder {
            root,
            replaces_files,
        }
    }

    /// Checks that all sources of an archive can get their files, before anything is written.
    ///
    /// # Errors
    /// The first source that cannot.
    pub fn check(&self, sources: &[Source]) -> Result<(), SourceConflict> {
        let mut seen = HashSet::new();
        for source in sources {
            let name = || source.name.clone();
            if let Some(reason) = unsafe_name(&source.name) {
                let name = name();
                return Err(SourceConflict::UnsafeName { name, reason });
            }
            if !seen.insert(name_key(&source.name)) {
                return Err(SourceConflict::RepeatedName { name: name() });
            }
            for folder in self.folders(source) {
                is_folder(&folder)?;
            }
            let path = self.path(source);
            if path.is_dir() {
                return Err(SourceConflict::Folder { name: name() });
            }
            if !self.replaces_files && fs::symlink_metadata(&path).is_ok() {
                return Err(SourceConflict::Exists { path });
            }
        }
        Ok(())
    }

    /// Begins the file of a source, and creates the folders that it needs.
    ///
    /// # Errors
    /// The system reports an error, or a file or link is where a folder is needed.
    pub fn create(&self, source: &Source) -> io::Result<NewFile> {
        fs::create_dir_all(&self.root)?;
        for folder in self.folders(source) {
            if !is_folder(&folder).map_err(io::Error::other)? {
                fs::create_dir(&folder)?;
            }
        }
        NewFile::create_with_random_temporary(&self.path(source))
    }

    /// Gives the file of a source its name.
    ///
    /// # Errors
    /// The system reports an error, or the file exists and may not be replaced.
    pub fn commit(&self, file: NewFile) -> io::Result<()> {
        file.commit(self.replaces_files)
    }

    fn path(&self, source: &Source) -> PathBuf {
        let mut path = self.root.clone();
        path.extend(local_path(&source.name).split('/'));
        path
    }

    /// The folders below the root that the file of a source needs, the outer ones first.
    fn folders(&self, source: &Source) -> Vec<PathBuf> {
        let mut folder = self.root.clone();
        let name = local_path(&source.name);
        let mut parts: Vec<&str> = name.split('/').collect();
        parts.pop();
        let folders = parts.into_iter().map(|part| {
            folder.push(part);
            folder.clone()
        });
        folders.collect()
    }
}

/// Whether there is a folder at a path. A link could lead outside the root, so it is none.
fn is_folder(path: &Path) -> Result<bool, SourceConflict> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => Err(SourceConflict::NoFolder {
            path: path.to_owned(),
        }),
        Err(_) => Ok(false),
    }
}
