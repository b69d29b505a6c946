//! Requests and answers as those of axum.

use crate::answers::{ApiAnswer, ApiError, Params};
use axum::extract::{self, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

/// The header of a media type.
pub(super) fn media(media_type: &'static str) -> [(HeaderName, HeaderValue); 1] {
    let value = HeaderValue::from_static(media_type);
    [(header::CONTENT_TYPE, value)]
}

impl IntoResponse for ApiAnswer {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status);
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, media(self.media_type), self.body).into_response()
    }
}

/// Why there is no answer.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    error: ApiError,
    /// Whether the same request may be answered soon.
    is_passing: bool,
}

impl Failure {
    /// The server has too much to do now.
    pub(super) fn busy(message: impl Into<String>) -> Failure {
        Failure {
            is_passing: true,
            ..Failure::too_slow(message)
        }
    }

    /// The answer takes too long.
    pub(super) fn too_slow(message: impl Into<String>) -> Failure {
        Failure::with_status(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    pub(super) fn with_status(status: StatusCode, message: impl Into<String>) -> Failure {
        ApiError::with_status(status.as_u16(), message).into()
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Failure {
        Failure {
            error,
            is_passing: false,
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = ApiAnswer::from(self.error).into_response();
        if self.is_passing {
            let soon = HeaderValue::from_static("1");
            response.headers_mut().insert(header::RETRY_AFTER, soon);
        }
        response
    }
}

/// The parameters of a request.
pub(super) struct Query(pub(super) Params);

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query, Failure> {
        let params = Params::read(parts.uri.query().unwrap_or_default())?;
        Ok(Query(params))
    }
}

/// The parts of a path.
pub(super) struct Path<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, Failure> {
        match extract::Path::from_request_parts(parts, state).await {
            Ok(extract::Path(path)) => Ok(Path(path)),
            Err(error) => {
                let message = format!("the path: {}", error.body_text());
                Err(Failure::with_status(StatusCode::BAD_REQUEST, message))
            }
        }
    }
}
