//! An open archive, and what is remembered of it between requests.

use super::error::ApiError;
use super::games::Found;
use super::tags::Values;
use crate::parallel::{TryOnce, uncancelled};
use crate::query::explorer::{Explored, Explorer, PlacedGames};
use crate::{Archive, Error, Filter, Query};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use serde_json::Value;
use std::sync::Arc;

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

/// An open archive, and what is remembered of it.
pub(crate) struct OpenArchive {
    /// The name under which it is asked for.
    pub(crate) name: String,
    /// Its index among the archives that are answered for.
    pub(super) index: usize,
    pub(crate) archive: Arc<Archive>,
    /// Reports what cannot be read, and is missing in an answer.
    report: fn(&str),
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

impl OpenArchive {
    pub(crate) fn new(name: String, index: usize, archive: Archive, report: fn(&str)) -> Self {
        OpenArchive {
            name,
            index,
            archive: Arc::new(archive),
            report,
            explorer: TryOnce::default(),
            explored: Cache::new(MAX_EXPLORED),
            placed: Cache::new(MAX_SELECTIONS),
            values: Cache::new(MAX_VALUES),
            stats: Cache::new(MAX_STATS),
            searches: searches(),
        }
    }

    /// Whether the explorer is in memory.
    pub(crate) fn has_explorer(&self) -> bool {
        self.explorer.get().is_some()
    }

    /// The explorer of the archive.
    ///
    /// # Errors
    /// The archive is damaged, or cannot be read now.
    pub(crate) fn explorer(&self) -> Result<&Explorer, ApiError> {
        // If the request is cancelled, the next one has the explorer.
        let explorer =
            self.explorer
                .get_or_try_init(|| match uncancelled(|| self.read_explorer()) {
                    Err(error) if error.may_pass() => Err(ApiError::from(error)),
                    done => Ok(done.map_err(ApiError::from)),
                })?;
        match explorer {
            Ok(explorer) => Ok(explorer),
            Err(error) => Err(error.clone()),
        }
    }

    /// The numbers of the games that pass a filter. Those of damaged blocks are missing, as in the
    /// explorer, which says so.
    ///
    /// # Errors
    /// The filter is of no use for the archive, or a block cannot be read now.
    pub(super) fn numbers(&self, filter: Filter) -> Result<Vec<u64>, ApiError> {
        let query = Query {
            filter: Some(filter),
            ..Query::default()
        };
        let mut numbers = Vec::new();
        for hit in self.archive.query(&query)? {
            match hit {
                Ok(hit) => numbers.push(hit.number),
                Err(error) if error.may_pass() => return Err(error.into()),
                Err(_) => {}
            }
        }
        Ok(numbers)
    }

    fn read_explorer(&self) -> Result<Arc<Explorer>, Error> {
        let explorer = Explorer::new(Arc::clone(&self.archive))?;
        for error in explorer.unread() {
            (self.report)(&format!("pgna: {}: {error}", self.name));
        }
        let explorer = Arc::new(explorer);
        let prepared = Arc::downgrade(&explorer);
        let thread = std::thread::Builder::new();
        // Without it, questions only take longer.
        let _ = thread.spawn(move || Explorer::prepare(&prepared));
        Ok(explorer)
    }
}
