//! The statistics of an archive, and its summary.

use super::App;
use super::error::ApiError;
use super::library::ServedArchive;
use super::params::Params;
use crate::{Filter, Indexes, Score, Stats};
use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::sync::Arc;

/// The most players that statistics list, and how many they list unless a request says otherwise.
const MAX_PLAYERS: usize = 1000;
const PLAYERS: usize = 50;

/// What there is to know of an archive without reading games.
#[derive(Serialize)]
pub(super) struct Summary {
    name: String,
    games: u64,
    bytes: u64,
    text_bytes: u64,
    /// Whether positions are found and counted quickly.
    has_index: bool,
    sources: Vec<String>,
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
        archives.map(Summary::of).collect()
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
    let shared = Arc::clone(&app);
    let stats = app.workers.run(move || {
        let open = shared.library.archive(&archive)?.open()?;
        let (stats, errors) = open.archive.stats(filter.as_ref(), false);
        let mut json = stats_json(&stats, players);
        if let Some(object) = json.as_object_mut().filter(|_| !errors.is_empty()) {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            object.insert("unread".to_owned(), errors.into());
        }
        Ok(json)
    });
    stats.await.map(Json)
}

/// As `pgna stats --json` prints it.
fn stats_json(stats: &Stats, most: usize) -> Value {
    let unknown = || "?".to_owned();
    let years = stats.years.iter();
    let years: Map<_, _> = years
        .map(|(year, games)| {
            (
                year.map_or_else(unknown, |year| year.to_string()),
                (*games).into(),
            )
        })
        .collect();
    let eco = stats.eco.iter();
    let eco: Map<_, _> = eco
        .map(|(letter, games)| (letter.map_or_else(unknown, String::from), (*games).into()))
        .collect();
    let mut players: Vec<_> = stats.players.iter().collect();
    players.sort_by_key(|(_, player)| Reverse((player.score.games, player.score.half_points())));
    let players = players.into_iter().take(most).map(|(name, player)| {
        let mut value = score_json(&player.score);
        if let Some(object) = value.as_object_mut() {
            object.insert("name".to_owned(), name.clone().into());
            object.insert("best_elo".to_owned(), player.best_elo.into());
        }
        value
    });
    json!({
        "white": score_json(&stats.score),
        "plies": stats.plies,
        "events": stats.events.len(),
        "players": stats.players.len(),
        "years": years,
        "eco": eco,
        "most_games": players.collect::<Vec<Value>>(),
    })
}

fn score_json(score: &Score) -> Value {
    json!({
        "games": score.games,
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
    })
}
