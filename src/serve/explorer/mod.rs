//! The routes of the Lichess opening explorer.

mod answer;
mod performance;
mod request;

use super::App;
use super::error::ApiError;
use super::library::{OpenArchive, ServedArchive};
use super::params::{Params, Path};
use crate::query::explorer::{Explored, ExplorerQuery, PlacedGames};
use crate::{Filter, Query};
use answer::{Answer, Joined, Named};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use request::{Kind, Request};
use std::sync::Arc;

/// The media type of a stream of JSON objects, one a line.
const NDJSON: &str = "application/x-ndjson";

/// `/masters`.
pub(super) async fn masters(
    State(app): State<Arc<App>>,
    params: Params,
) -> Result<Json<Answer>, ApiError> {
    answer(app, params, Kind::Masters, None).await.map(Json)
}

/// `/lichess`.
pub(super) async fn lichess(
    State(app): State<Arc<App>>,
    params: Params,
) -> Result<Json<Answer>, ApiError> {
    answer(app, params, Kind::Lichess, None).await.map(Json)
}

/// `/player`: a stream of one answer, since nothing is indexed meanwhile.
pub(super) async fn player(
    State(app): State<Arc<App>>,
    params: Params,
) -> Result<Response, ApiError> {
    let answer = answer(app, params, Kind::Player, None).await?;
    let line = serde_json::to_string(&answer).map_err(|why| ApiError::internal(why.to_string()))?;
    Ok(([(header::CONTENT_TYPE, NDJSON)], line + "\n").into_response())
}

/// `/api/archives/{archive}/explorer`.
pub(super) async fn of_archive(
    State(app): State<Arc<App>>,
    Path(archive): Path<String>,
    params: Params,
) -> Result<Json<Answer>, ApiError> {
    answer(app, params, Kind::Archive, Some(archive))
        .await
        .map(Json)
}

/// `/masters/pgn/{id}`: the bytes of a game.
pub(super) async fn pgn(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let missing = || ApiError::not_found(format!("no game {}", id.escape_debug()));
    let (archive, number) = match id.split_once('-') {
        None => (1, &*id),
        Some((archive, number)) => (archive.parse::<usize>().map_err(|_| missing())?, number),
    };
    let served = archive
        .checked_sub(1)
        .and_then(|at| app.library.archives().get(at));
    let name = served.ok_or_else(missing)?.name.clone();
    super::games::pgn(State(app), Path((name, number.to_owned()))).await
}

async fn answer(
    app: Arc<App>,
    params: Params,
    kind: Kind,
    archive: Option<String>,
) -> Result<Answer, ApiError> {
    let request = Request::read(&params, kind, archive)?;
    read_explorers(&app, request.archive.clone()).await?;
    let shared = Arc::clone(&app);
    app.workers.run(move || explore(&shared, &request)).await
}

/// Waits for explorers that are not in memory. After an archive has grown its explorer is read again,
/// which takes long for a large one; only the request that finds this takes a turn meanwhile.
async fn read_explorers(app: &Arc<App>, name: Option<String>) -> Result<(), ApiError> {
    let is_in_memory = {
        let mut asked = app.library.asked(name.as_deref());
        asked.all(|(_, archive)| archive.has_explorer())
    };
    if is_in_memory {
        return Ok(());
    }
    let shared = Arc::clone(app);
    let read = app.workers.wait(move || {
        for (_, archive) in shared.library.asked(name.as_deref()) {
            // An error comes again with the question.
            let _ = archive.open().and_then(|open| open.explorer().map(drop));
        }
        Ok(())
    });
    read.await
}

/// Asks all archives, and joins what they say.
fn explore(app: &App, request: &Request) -> Result<Answer, ApiError> {
    let archives = app.library.archives();
    if let Some(name) = &request.archive {
        app.library.archive(name)?;
    }
    let mut joined = Joined::default();
    for (index, served) in app.library.asked(request.archive.as_deref()) {
        match explore_one(served, index, request, &mut joined) {
            Ok(()) => {}
            // The others answer, if there are others.
            Err(error) if request.archive.is_none() && archives.len() > 1 => {
                joined.add_unread(error.message());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(joined.finish(request))
}

fn explore_one(
    served: &ServedArchive,
    index: usize,
    request: &Request,
    joined: &mut Joined,
) -> Result<(), ApiError> {
    let open = served.open()?;
    let named = Named {
        archive: &open.archive,
        index,
        unread: open.explorer()?.unread(),
        request,
    };
    let explored = open.explored.get_or_insert_with(&request.key(), || {
        explore_archive(&open, request).map(Arc::new)
    })?;
    Ok(joined.add(&explored, &named)?)
}

fn explore_archive(open: &OpenArchive, request: &Request) -> Result<Explored, ApiError> {
    let explorer = open.explorer()?;
    let mut selection = request.selection.clone();
    if let Some(key) = request.games_key() {
        let games = || placed_games(open, request);
        selection.games = Some(open.placed.get_or_insert_with(&key, games)?);
    }
    let query = ExplorerQuery {
        selection: &selection,
        // A game that is both is listed once.
        top: request.top,
        recent: request.top + request.recent,
        has_months: request.has_history,
    };
    Ok(explorer.explore(&request.position, &query)?)
}

/// The games of the player and those that pass the filter.
fn placed_games(open: &OpenArchive, request: &Request) -> Result<Arc<PlacedGames>, ApiError> {
    let of_player = request.player.as_ref();
    let of_player = of_player
        .map(|player| player.filter(&open.archive))
        .transpose()?;
    let filters: Vec<Filter> = of_player
        .into_iter()
        .chain(request.filter.clone())
        .collect();
    let query = Query {
        filter: Some(Filter::all(filters)),
        ..Query::default()
    };
    // What cannot be read is missing in the explorer as well, which says so.
    let numbers = open.archive.query(&query)?.flatten().map(|hit| hit.number);
    Ok(Arc::new(open.explorer()?.placed_games(numbers)))
}
