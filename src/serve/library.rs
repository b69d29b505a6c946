//! The archives that are served.

use super::log::log;
use crate::Archive;
use crate::answers::{ApiError, OpenArchive};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Opens an archive; the error is a message.
pub(crate) type Opener = Box<dyn Fn(&Path) -> Result<Archive, String> + Send + Sync>;

/// The archives, by their names.
pub(crate) struct Library {
    archives: Vec<ServedArchive>,
}

/// A file with an archive.
pub(super) struct ServedArchive {
    /// Its file name without the extension; unique.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Its index among the archives.
    index: usize,
    open: Arc<Opener>,
    current: Mutex<Option<(FileStamp, Arc<OpenArchive>)>>,
}

/// The state of a file when it was last read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Library {
    /// Opens archives. The second of a name gets a number.
    ///
    /// # Errors
    /// The message of the first archive that cannot be opened.
    pub(crate) fn open(paths: &[PathBuf], open: Opener) -> Result<Library, String> {
        let open = Arc::new(open);
        let mut names = HashSet::new();
        let mut archives = Vec::new();
        for (index, path) in paths.iter().enumerate() {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let numbered = (2..).map(|number| format!("{stem}-{number}"));
            let mut names_of = std::iter::once(stem.to_string()).chain(numbered);
            let name = names_of
                .find(|name| !names.contains(name))
                .unwrap_or_default();
            names.insert(name.clone());
            let archive = ServedArchive {
                name,
                path: path.clone(),
                index,
                open: Arc::clone(&open),
                current: Mutex::new(None),
            };
            archive.open().map_err(|error| error.message().to_owned())?;
            archives.push(archive);
        }
        Ok(Library { archives })
    }

    pub(super) fn archives(&self) -> &[ServedArchive] {
        &self.archives
    }

    /// # Errors
    /// There is no archive of this name.
    pub(super) fn archive(&self, name: &str) -> Result<&ServedArchive, ApiError> {
        let archive = self.archives.iter().find(|archive| archive.name == name);
        archive.ok_or_else(|| ApiError::not_found(format!("no archive {:?}", shown(name))))
    }

    /// The archive of this name, or without one all archives.
    pub(super) fn asked(&self, name: Option<&str>) -> impl Iterator<Item = &ServedArchive> {
        let archives = self.archives.iter();
        archives.filter(move |archive| name.is_none_or(|name| *name == archive.name))
    }

    /// Reads what the explorers count, before the first question.
    pub(super) fn read_explorers(&self) {
        for archive in &self.archives {
            // An error comes again, and is answered, with the first question.
            if let Ok(open) = archive.open() {
                let _ = open.explorer();
            }
        }
    }
}

/// A name in a message.
fn shown(name: &str) -> String {
    name.chars().take(80).collect()
}

impl FileStamp {
    fn of(path: &Path) -> Option<FileStamp> {
        let metadata = fs::metadata(path).ok()?;
        Some(FileStamp {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

impl ServedArchive {
    /// Whether the explorer is in memory, of the archive as it was last opened.
    pub(super) fn has_explorer(&self) -> bool {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let current = current.as_ref();
        current.is_some_and(|(_, open)| open.has_explorer())
    }

    /// The archive as it is in the file now.
    ///
    /// # Errors
    /// The file is no archive any more.
    pub(super) fn open(&self) -> Result<Arc<OpenArchive>, ApiError> {
        let unreadable = || ApiError::internal(format!("{}: the file cannot be read", self.name));
        let stamp = FileStamp::of(&self.path).ok_or_else(unreadable)?;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, open)) = current.as_ref().filter(|(of_open, _)| *of_open == stamp) {
            return Ok(Arc::clone(open));
        }
        let archive = (self.open)(&self.path).map_err(|why| {
            // The message names the file, the answer does not.
            log(&why);
            ApiError::internal(format!("{}: cannot be opened", self.name))
        });
        let open = OpenArchive::new(self.name.clone(), self.index, archive?, log);
        let open = Arc::new(open);
        *current = Some((stamp, Arc::clone(&open)));
        Ok(open)
    }
}
