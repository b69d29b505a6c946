//! The routes of the archives.

use super::App;
use super::explorer::read_explorers;
use super::response::{Failure, Path, Query};
use crate::answers::{ApiAnswer, Request, Summary};
use axum::extract::State;
use axum::http::Uri;
use std::collections::HashMap;
use std::sync::Arc;

/// `/api/archives`.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Query(params): Query,
) -> Result<ApiAnswer, Failure> {
    params.only(&[])?;
    let shared = Arc::clone(&app);
    let summaries = app.workers.run_short(move || {
        let archives = shared.library.archives().iter();
        let summaries = archives.map(|served| {
            let summary = served.open().and_then(|open| Summary::of(&open));
            summary.unwrap_or_else(|error| Summary::unreadable(&served.name, &error))
        });
        ApiAnswer::json(&summaries.collect::<Vec<Summary>>())
    });
    summaries.await
}

/// `/api/archives/{archive}`, and all below it but the file.
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Path(parts): Path<HashMap<String, String>>,
    uri: Uri,
    Query(params): Query,
) -> Result<ApiAnswer, Failure> {
    let archive = parts.get("archive").cloned().unwrap_or_default();
    // As it was sent: a part of it may contain an encoded slash.
    let route = uri.path().splitn(5, '/').nth(4).unwrap_or_default();
    let request = Request::read(route, &params)?;
    if request.needs_explorer() {
        read_explorers(&app, Some(archive.clone())).await?;
    }
    let shared = Arc::clone(&app);
    let is_short = request.is_short();
    let work = move || request.answer(&*shared.library.archive(&archive)?.open()?);
    match is_short {
        true => app.workers.run_short(work).await,
        false => app.workers.run(work).await,
    }
}
