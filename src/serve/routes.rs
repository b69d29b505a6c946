//! What answers which path.

use super::guard::{Guard, check};
use super::{App, explorer, file, games, page, players, stats, tags};
use axum::Router;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::Arc;

/// The description of the routes.
const OPENAPI: &str = include_str!("openapi.json");

/// The routes, guarded.
pub(super) fn routes(app: Arc<App>, guard: Guard) -> Router {
    let archive = Router::new()
        .route("/", get(stats::archive))
        .route("/games", get(games::page))
        .route("/games/{number}", get(games::game))
        .route("/games/{number}/pgn", get(games::pgn))
        .route("/players", get(players::list))
        .route("/player", get(players::record))
        .route("/tags", get(tags::names))
        .route("/tags/{tag}", get(tags::values))
        .route("/stats", get(stats::stats))
        .route("/explorer", get(explorer::of_archive))
        .route("/file", get(file::bytes));
    let cors = guard.cors();
    Router::new()
        .route("/masters", get(explorer::masters))
        .route("/masters/pgn/{id}", get(explorer::pgn))
        .route("/lichess", get(explorer::lichess))
        .route("/player", get(explorer::player))
        // Earlier names, which some clients still use.
        .route("/master", get(explorer::masters))
        .route("/master/pgn/{id}", get(explorer::pgn))
        .route("/personal", get(explorer::player))
        .route("/api/archives", get(stats::archives))
        .nest("/api/archives/{archive}", archive)
        .route("/api/openapi.json", get(openapi))
        .fallback(page::file)
        .layer(cors)
        .layer(from_fn_with_state(Arc::new(guard), check))
        .with_state(app)
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
