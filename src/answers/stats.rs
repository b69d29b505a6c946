//! The statistics of an archive, and its summary.

use super::error::ApiError;
use super::open_archive::OpenArchive;
use super::params::Params;
use super::unread::remembered;
use crate::draw::stats_json;
use crate::{Archive, Error, Filter, Indexes};
use serde::Serialize;
use serde_json::Value;

/// The most players that statistics list, and how many they list unless a request says otherwise.
const MAX_PLAYERS: usize = 1000;
const PLAYERS: usize = 50;

/// The name of the list of players in the JSON of statistics.
const MOST_GAMES: &str = "most_games";

/// What there is to know of an archive without reading games.
#[derive(Serialize, Default)]
pub(crate) struct Summary {
    name: String,
    games: u64,
    bytes: u64,
    text_bytes: u64,
    /// Whether positions are found and counted quickly.
    has_index: bool,
    sources: Vec<String>,
    /// Why the archive cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A request for statistics.
pub(crate) struct StatsRequest {
    filter: Option<Filter>,
    /// The text of the filter, under which the statistics are remembered.
    key: String,
    players: usize,
}

impl Summary {
    pub(crate) fn of(open: &OpenArchive) -> Result<Summary, ApiError> {
        let archive = &open.archive;
        let sources = archive.sources().iter();
        Ok(Summary {
            name: open.name.clone(),
            games: archive.games(),
            bytes: archive.committed_bytes(),
            text_bytes: archive.totals().raw_bytes,
            has_index: archive.indexes()? == Some(Indexes::Full),
            sources: sources.map(|source| source.name.clone()).collect(),
            error: None,
        })
    }

    /// The summary of an archive that cannot be read.
    pub(crate) fn unreadable(name: &str, error: &ApiError) -> Summary {
        Summary {
            name: name.to_owned(),
            error: Some(error.message().to_owned()),
            ..Summary::default()
        }
    }
}

impl StatsRequest {
    pub(super) fn read(params: &Params) -> Result<StatsRequest, ApiError> {
        params.only(&["where", "players"])?;
        Ok(StatsRequest {
            filter: params.parsed("where")?,
            key: params.text("where").unwrap_or_default().to_owned(),
            players: params.number("players", 0..=MAX_PLAYERS, PLAYERS)?,
        })
    }

    pub(super) fn answer(&self, open: &OpenArchive) -> Result<Value, ApiError> {
        let read = || Ok(read(&open.archive, self.filter.as_ref()));
        let stats = remembered(&open.stats, &self.key, read)?;
        let mut stats = Value::clone(&stats);
        if let Some(Value::Array(most_games)) = stats.get_mut(MOST_GAMES) {
            most_games.truncate(self.players);
        }
        Ok(stats)
    }
}

/// The statistics with as many players as any request may ask for, and whether games are missing that
/// may be read another time.
fn read(archive: &Archive, filter: Option<&Filter>) -> (Value, bool) {
    let (stats, errors) = archive.stats(filter, false);
    let mut json = stats_json(&stats, MAX_PLAYERS, false);
    if let Some(object) = json.as_object_mut().filter(|_| !errors.is_empty()) {
        let reasons: Vec<String> = errors.iter().map(ToString::to_string).collect();
        object.insert("unread".to_owned(), reasons.into());
    }
    (json, errors.iter().any(Error::may_pass))
}
