//! The statistics of an archive, and its summary.

use super::App;
use super::error::ApiError;
use super::library::ServedArchive;
use super::params::{Params, Path};
use crate::draw::stats_json;
use crate::{Archive, Filter, Indexes};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// The most players that statistics list, and how many they list unless a request says otherwise.
const MAX_PLAYERS: usize = 1000;
const PLAYERS: usize = 50;

/// The name of the list of players in the JSON of statistics.
const MOST_GAMES: &str = "most_games";

/// What there is to know of an archive without reading games.
#[derive(Serialize, Default)]
pub(super) struct Summary {
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

impl Summary {
    fn of(served: &ServedArchive) -> Result<Summary, ApiError> {
        let archive = &served.open()?;
        let archive = &archive.archive;
        let sources = archive.sources().iter();
        Ok(Summary {
            name: served.name.clone(),
            games: archive.games(),
            bytes: archive.committed_bytes(),
            text_bytes: archive.totals().raw_bytes,
            has_index: archive.indexes()? == Some(Indexes::Full),
            sources: sources.map(|source| source.name.clone()).collect(),
            error: None,
        })
    }

    /// The summary of an archive that may be unreadable.
    fn or_error(served: &ServedArchive) -> Summary {
        Summary::of(served).unwrap_or_else(|error| Summary {
            name: served.name.clone(),
            error: Some(error.message().to_owned()),
            ..Summary::default()
        })
    }
}

/// `/api/archives`.
pub(super) async fn archives(
    State(app): State<Arc<App>>,
    params: Params,
) -> Result<Json<Vec<Summary>>, ApiError> {
    params.only(&[])?;
    let shared = Arc::clone(&app);
    let summaries = app.workers.run_short(move || {
        let archives = shared.library.archives().iter();
        Ok(archives.map(Summary::or_error).collect())
    });
    summaries.await.map(Json)
}

/// `/api/archives/{archive}`.
pub(super) async fn archive(
    State(app): State<Arc<App>>,
    Path(archive): Path<String>,
    params: Params,
) -> Result<Json<Summary>, ApiError> {
    params.only(&[])?;
    let shared = Arc::clone(&app);
    let summary = app
        .workers
        .run(move || Summary::of(shared.library.archive(&archive)?));
    summary.await.map(Json)
}

/// `/api/archives/{archive}/stats`.
pub(super) async fn stats(
    State(app): State<Arc<App>>,
    Path(archive): Path<String>,
    params: Params,
) -> Result<Json<Value>, ApiError> {
    params.only(&["where", "players"])?;
    let filter = params.parsed::<Filter>("where")?;
    let players = params.number("players", 0..=MAX_PLAYERS, PLAYERS)?;
    let key = params.text("where").unwrap_or_default().to_owned();
    let shared = Arc::clone(&app);
    let stats = app.workers.run(move || {
        let open = shared.library.archive(&archive)?.open()?;
        let read = || Ok::<_, ApiError>(Arc::new(read(&open.archive, filter.as_ref())));
        let stats = open.stats.get_or_insert_with(&key, read)?;
        let mut stats = Value::clone(&stats);
        if let Some(Value::Array(most_games)) = stats.get_mut(MOST_GAMES) {
            most_games.truncate(players);
        }
        Ok(stats)
    });
    stats.await.map(Json)
}

/// The statistics with as many players as any request may ask for.
fn read(archive: &Archive, filter: Option<&Filter>) -> Value {
    let (stats, errors) = archive.stats(filter, false);
    let mut json = stats_json(&stats, MAX_PLAYERS, false);
    if let Some(object) = json.as_object_mut().filter(|_| !errors.is_empty()) {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        object.insert("unread".to_owned(), errors.into());
    }
    json
}
