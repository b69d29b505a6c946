//! The bytes of an archive.

use super::App;
use super::response::{Failure, Path};
use crate::answers::ApiError;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tower_http::services::ServeFile;

/// The media type of archives. Proxies do not compress it, which would break ranges.
const PGNA: &str = "application/vnd.pgna";

/// `/api/archives/{archive}/file`: the file, or a range of it.
pub(super) async fn bytes(
    State(app): State<Arc<App>>,
    Path(archive): Path<String>,
    request: Request,
) -> Result<Response, Failure> {
    let served = app.library.archive(&archive)?;
    let path = served.path.clone();
    let shared = Arc::clone(&app);
    let name = archive.clone();
    // Only an archive is served.
    let open = app
        .workers
        .run_short(move || shared.library.archive(&name)?.open());
    open.await?;
    let answer = ServeFile::new(path).try_call(request).await;
    let answer =
        answer.map_err(|_| ApiError::internal(format!("{archive}: the file cannot be read")))?;
    let mut response = answer.map(axum::body::Body::new).into_response();
    let status = response.status();
    if status.is_client_error() {
        let range = response.headers_mut().remove(header::CONTENT_RANGE);
        let error =
            Failure::with_status(status, "no such range of the file; several are not given");
        response = error.into_response();
        if let Some(range) = range {
            response.headers_mut().insert(header::CONTENT_RANGE, range);
        }
    } else {
        let media_type = HeaderValue::from_static(PGNA);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, media_type);
    }
    Ok(response)
}
