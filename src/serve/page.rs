//! The page for the browser, which `npm run build` in `web/` makes and the program contains.

use super::response::Failure;
use crate::answers::ApiError;
use axum::http::{Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

/// The files of the page.
#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Files;

/// The file that shows every view of the page.
const INDEX: &str = "index.html";

/// Files below this have a hash in their names, so a copy of one is never out of date.
const HASHED: &str = "assets/";

const WITHOUT_PAGE: &str = "\
<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>pgna</title>
<h1>pgna serve</h1>
<p>This program was built without the page. It answers <a href=\"/api/archives\">/api/archives</a>,
<a href=\"/masters\">/masters</a> and what <a href=\"/api/openapi.json\">/api/openapi.json</a> describes.
<p>To build the page, in the source code: <code>cd web &amp;&amp; npm ci &amp;&amp; npm run build</code>, then
<code>cargo install --path . --features full</code>.
";

/// All other paths: a file of the page, or the page itself, which shows what its address says.
pub(super) async fn file(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") {
        return not_found("no such route; see /api/openapi.json");
    }
    if let Some(file) = Files::get(path) {
        let cached = match path.starts_with(HASHED) {
            true => "public, max-age=31536000, immutable",
            false => "no-cache",
        };
        let headers = [
            (header::CONTENT_TYPE, file.metadata.mimetype().to_owned()),
            (header::CACHE_CONTROL, cached.to_owned()),
        ];
        return (headers, file.data).into_response();
    }
    let is_view = path.is_empty() || path == "a" || path.starts_with("a/");
    if !is_view {
        return not_found("no such page or route; see /api/openapi.json");
    }
    let no_cache = [(header::CACHE_CONTROL, "no-cache")];
    match Files::get(INDEX) {
        Some(index) => {
            let html = Html(index.data);
            (no_cache, html).into_response()
        }
        None => (no_cache, Html(WITHOUT_PAGE)).into_response(),
    }
}

fn not_found(what: &str) -> Response {
    Failure::from(ApiError::not_found(what)).into_response()
}
