//! Requests that cannot be answered.

use crate::Error;
use serde_json::json;
use std::fmt::Display;

/// Why a request cannot be answered.
#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    status: u16,
    message: String,
}

impl ApiError {
    /// A wrong parameter.
    pub(crate) fn parameter(name: &str, message: &dyn Display) -> ApiError {
        ApiError::with_status(400, format!("{name}: {message}"))
    }

    pub(crate) fn not_found(what: impl Into<String>) -> ApiError {
        ApiError::with_status(404, what)
    }

    pub(crate) fn internal(message: impl Into<String>) -> ApiError {
        ApiError::with_status(500, message)
    }

    /// An error with a status of HTTP.
    pub(crate) fn with_status(status: u16, message: impl Into<String>) -> ApiError {
        ApiError {
            status,
            message: message.into(),
        }
    }

    /// The status of HTTP.
    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The error as JSON.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        json!({ "error": self.message }).to_string().into_bytes()
    }
}

/// Damage of an archive.
impl From<Error> for ApiError {
    fn from(error: Error) -> ApiError {
        ApiError::internal(error.with_cause())
    }
}
