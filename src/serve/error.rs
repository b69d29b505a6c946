//! Errors as JSON.

use crate::Error;
use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// The answer to a request that cannot be answered.
#[derive(Debug, Clone)]
pub(super) struct ApiError {
    status: StatusCode,
    message: String,
    /// Whether the same request may be answered soon.
    is_passing: bool,
}

impl ApiError {
    /// A wrong parameter.
    pub(super) fn parameter(name: &str, message: &dyn std::fmt::Display) -> ApiError {
        ApiError::with_status(StatusCode::BAD_REQUEST, format!("{name}: {message}"))
    }

    pub(super) fn not_found(what: impl Into<String>) -> ApiError {
        ApiError::with_status(StatusCode::NOT_FOUND, what)
    }

    /// The server has too much to do now.
    pub(super) fn busy(message: impl Into<String>) -> ApiError {
        ApiError {
            is_passing: true,
            ..ApiError::too_slow(message)
        }
    }

    /// The answer takes too long.
    pub(super) fn too_slow(message: impl Into<String>) -> ApiError {
        ApiError::with_status(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    pub(super) fn internal(message: impl Into<String>) -> ApiError {
        ApiError::with_status(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    pub(super) fn with_status(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError {
            status,
            message: message.into(),
            is_passing: false,
        }
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }
}

/// Damage of an archive.
impl From<Error> for ApiError {
    fn from(error: Error) -> ApiError {
        ApiError::internal(error.to_string())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.message }));
        let mut response = (self.status, body).into_response();
        if self.is_passing {
            let soon = header::HeaderValue::from_static("1");
            response.headers_mut().insert(header::RETRY_AFTER, soon);
        }
        response
    }
}
