//! What answers which path.

use super::guard::{Guard, check};
use super::response::media;
use super::{App, archive, explorer, file, page};
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::Arc;

/// The description of the routes.
const OPENAPI: &str = include_str!("openapi.json");

/// The routes, guarded.
pub(super) fn routes(app: Arc<App>, guard: Guard) -> Router {
    let cors = guard.cors();
    Router::new()
        .route("/masters", get(explorer::masters))
        .route("/masters/pgn/{id}", get(explorer::pgn_of))
        .route("/lichess", get(explorer::lichess))
        .route("/player", get(explorer::player))
        // Earlier names, which some clients still use.
        .route("/master", get(explorer::masters))
        .route("/master/pgn/{id}", get(explorer::pgn_of))
        .route("/personal", get(explorer::player))
        .route("/api/archives", get(archive::list))
        .route("/api/archives/{archive}", get(archive::answer))
        .route("/api/archives/{archive}/file", get(file::bytes))
        .route("/api/archives/{archive}/{*route}", get(archive::answer))
        .route("/api/openapi.json", get(openapi))
        .fallback(page::file)
        .layer(cors)
        .layer(from_fn_with_state(Arc::new(guard), check))
        .with_state(app)
}

async fn openapi() -> impl IntoResponse {
    (media("application/json"), OPENAPI)
}
