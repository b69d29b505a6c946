//! The routes of the Lichess opening explorer.

use super::App;
use super::response::{Failure, Path, Query, media};
use crate::answers::{ApiAnswer, ApiError, ExplorerAnswer, ExplorerRequest, Joined, Kind, pgn};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The media type of a stream of JSON objects, one a line.
const NDJSON: &str = "application/x-ndjson";

/// `/masters`.
pub(super) async fn masters(
    State(app): State<Arc<App>>,
    Query(params): Query,
) -> Result<ApiAnswer, Failure> {
    let request = ExplorerRequest::read(&params, Kind::Masters)?;
    Ok(ApiAnswer::json(&answer(app, request).await?)?)
}

/// `/lichess`.
pub(super) async fn lichess(
    State(app): State<Arc<App>>,
    Query(params): Query,
) -> Result<ApiAnswer, Failure> {
    let request = ExplorerRequest::read(&params, Kind::Lichess)?;
    Ok(ApiAnswer::json(&answer(app, request).await?)?)
}

/// `/player`: a stream of one answer, since nothing is indexed meanwhile.
pub(super) async fn player(
    State(app): State<Arc<App>>,
    Query(params): Query,
) -> Result<Response, Failure> {
    let request = ExplorerRequest::read(&params, Kind::Player)?;
    let mut line = ApiAnswer::json(&answer(app, request).await?)?.body;
    line.push(b'\n');
    Ok((media(NDJSON), line).into_response())
}

/// `/masters/pgn/{id}`: the bytes of a game.
pub(super) async fn pgn_of(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<ApiAnswer, Failure> {
    let named = match id.split_once('-') {
        None => Some((1, &*id)),
        Some((archive, number)) => archive.parse::<usize>().ok().map(|at| (at, number)),
    };
    let served = named.and_then(|(archive, number)| {
        let served = app.library.archives().get(archive.checked_sub(1)?)?;
        Some((served.name.clone(), number.to_owned()))
    });
    let missing = || ApiError::not_found(format!("no game {}", id.escape_debug()));
    let (name, number) = served.ok_or_else(missing)?;
    let shared = Arc::clone(&app);
    let game = app
        .workers
        .run_short(move || pgn(&*shared.library.archive(&name)?.open()?, &number));
    game.await
}

/// Asks all archives, or the one that the request names, and joins what they say.
async fn answer(app: Arc<App>, request: ExplorerRequest) -> Result<ExplorerAnswer, Failure> {
    read_explorers(&app, request.archive.clone()).await?;
    let shared = Arc::clone(&app);
    app.workers.run(move || explore(&shared, &request)).await
}

/// Waits for explorers that are not in memory. After an archive has grown its explorer is read again,
/// which takes long for a large one; only the request that finds this takes a turn meanwhile.
pub(super) async fn read_explorers(app: &Arc<App>, name: Option<String>) -> Result<(), Failure> {
    let is_in_memory = {
        let mut asked = app.library.asked(name.as_deref());
        asked.all(|archive| archive.has_explorer())
    };
    if is_in_memory {
        return Ok(());
    }
    let shared = Arc::clone(app);
    let read = app.workers.wait(move || {
        for archive in shared.library.asked(name.as_deref()) {
            // An error comes again with the question.
            let _ = archive.open().and_then(|open| open.explorer().map(drop));
        }
        Ok(())
    });
    read.await
}

fn explore(app: &App, request: &ExplorerRequest) -> Result<ExplorerAnswer, ApiError> {
    let archives = app.library.archives();
    if let Some(name) = &request.archive {
        app.library.archive(name)?;
    }
    let mut joined = Joined::default();
    for served in app.library.asked(request.archive.as_deref()) {
        let explored = served
            .open()
            .and_then(|open| joined.explore(&open, request));
        match explored {
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
