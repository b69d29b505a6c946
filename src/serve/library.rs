//! The archives that are served.

use super::error::ApiError;
use super::games::Found;
use super::log::log;
use super::tags::Values;
use crate::parallel::TryOnce;
use crate::query::explorer::{Explored, Explorer, PlacedGames};
use crate::{Archive, Error, ErrorClass};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// How many selections of games, at a bit a game, are remembered for an archive.
const MAX_SELECTIONS: usize = 64;

/// About how many results of searches are remembered; [`MAX_SEARCH_BYTES`] limits them.
const SEARCHES: usize = 64;

/// The memory of an entry of the cache beside its key and its value.
const ENTRY_BYTES: u64 = 256;

/// The most memory for the results of searches of an archive, in bytes.
const MAX_SEARCH_BYTES: u64 = 256 << 20;

/// Of how many fields the values are remembered.
const MAX_VALUES: usize = 32;

/// How many statistics are remembered, at some hundred kilobytes each.
const MAX_STATS: usize = 32;

/// How many answers of the explorer are remembered, at a few kilobytes each.
const MAX_EXPLORED: usize = 4096;

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
    open: Arc<Opener>,
    current: Mutex<Option<Arc<OpenArchive>>>,
}

/// The state of a file when it was last read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// An open archive, and what is remembered of it.
pub(super) struct OpenArchive {
    name: String,
    pub(super) archive: Arc<Archive>,
    stamp: FileStamp,
    explorer: TryOnce<Result<Arc<Explorer>, ApiError>>,
    /// What the explorer answers.
    pub(super) explored: Cache<String, Arc<Explored>>,
    /// The games that a filter selects, for the explorer.
    pub(super) placed: Cache<String, Arc<PlacedGames>>,
    /// The values of fields, for completion.
    pub(super) values: Cache<String, Arc<Values>>,
    /// The statistics of selections of games.
    pub(super) stats: Cache<String, Arc<Value>>,
    /// The numbers of the games that a search found, with the plies, in the order that was asked for.
    pub(super) searches: Cache<String, Arc<Found>, FoundBytes>,
}

/// A cache in one part: a result may take all of its memory.
fn searches() -> Cache<String, Arc<Found>, FoundBytes> {
    let mut options = OptionsBuilder::new();
    options
        .estimated_items_capacity(SEARCHES)
        .weight_capacity(MAX_SEARCH_BYTES)
        .shards(1);
    match options.build() {
        Ok(options) => Cache::with_options(
            options,
            FoundBytes,
            DefaultHashBuilder::default(),
            DefaultLifecycle::default(),
        ),
        Err(_) => Cache::with_weighter(SEARCHES, MAX_SEARCH_BYTES, FoundBytes),
    }
}

/// The weight of the result of a search is the memory that it takes.
#[derive(Debug, Clone)]
pub(super) struct FoundBytes;

impl Weighter<String, Arc<Found>> for FoundBytes {
    fn weight(&self, key: &String, found: &Arc<Found>) -> u64 {
        found.bytes().saturating_add(key.len() as u64 + ENTRY_BYTES)
    }
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
        for path in paths {
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

    /// The archive of this name, or without one all archives, each with its index.
    pub(super) fn asked(
        &self,
        name: Option<&str>,
    ) -> impl Iterator<Item = (usize, &ServedArchive)> {
        let archives = self.archives.iter().enumerate();
        archives.filter(move |(_, archive)| name.is_none_or(|name| *name == archive.name))
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
        let explorer = current.as_ref().map(|open| &open.explorer);
        explorer.is_some_and(|explorer| explorer.get().is_some())
    }

    /// The archive as it is in the file now.
    ///
    /// # Errors
    /// The file is no archive any more.
    pub(super) fn open(&self) -> Result<Arc<OpenArchive>, ApiError> {
        let unreadable = || ApiError::internal(format!("{}: the file cannot be read", self.name));
        let stamp = FileStamp::of(&self.path).ok_or_else(unreadable)?;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = current.as_ref().filter(|open| open.stamp == stamp) {
            return Ok(Arc::clone(open));
        }
        let archive = (self.open)(&self.path).map_err(|why| {
            // The message names the file, the answer does not.
            log(&why);
            ApiError::internal(format!("{}: cannot be opened", self.name))
        });
        let open = Arc::new(OpenArchive::new(self.name.clone(), archive?, stamp));
        *current = Some(Arc::clone(&open));
        Ok(open)
    }
}

impl OpenArchive {
    fn new(name: String, archive: Archive, stamp: FileStamp) -> OpenArchive {
        OpenArchive {
            name,
            archive: Arc::new(archive),
            stamp,
            explorer: TryOnce::default(),
            explored: Cache::new(MAX_EXPLORED),
            placed: Cache::new(MAX_SELECTIONS),
            values: Cache::new(MAX_VALUES),
            stats: Cache::new(MAX_STATS),
            searches: searches(),
        }
    }

    /// Reports what could not be read, and is missing in an answer.
    fn log(&self, error: &str) {
        log(&format!("pgna: {}: {error}", self.name));
    }

    /// The explorer of the archive.
    ///
    /// # Errors
    /// The archive is damaged, or cannot be read now.
    pub(super) fn explorer(&self) -> Result<&Explorer, ApiError> {
        // A thread of its own: if the request is cancelled, the next one has the explorer.
        let read = || -> Result<_, Error> {
            let explorer = Explorer::new(Arc::clone(&self.archive))?;
            explorer.unread().iter().for_each(|error| self.log(error));
            explorer.prepare();
            let explorer = Arc::new(explorer);
            let prepared = Arc::downgrade(&explorer);
            let thread = std::thread::Builder::new();
            // Without it, questions only take longer.
            let _ = thread.spawn(move || Explorer::prepare_first_positions(&prepared));
            Ok(explorer)
        };
        let explorer = self.explorer.get_or_try_init(|| {
            let done = std::thread::scope(|scope| scope.spawn(read).join());
            match done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
                Err(error) if error.class() == ErrorClass::Io => Err(ApiError::from(error)),
                done => Ok(done.map_err(ApiError::from)),
            }
        })?;
        match explorer {
            Ok(explorer) => Ok(explorer),
            Err(error) => Err(error.clone()),
        }
    }
}
