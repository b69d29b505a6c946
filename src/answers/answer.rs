//! Answers to requests.

use super::ApiError;
use crate::Error;
use serde::Serialize;

/// An answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiAnswer {
    /// The status of HTTP: 200, 400 for a wrong parameter, 404 for what does not exist, 500 for an
    /// archive that is damaged or cannot be read.
    pub status: u16,
    /// The media type of the body.
    pub media_type: &'static str,
    /// JSON, or the bytes of a game. That of an error is `{"error": "…"}`.
    pub body: Vec<u8>,
}

const JSON: &str = "application/json";

impl ApiAnswer {
    /// # Errors
    /// The value cannot be written as JSON.
    pub(crate) fn json<T: Serialize>(value: &T) -> Result<ApiAnswer, ApiError> {
        let body = serde_json::to_vec(value).map_err(|why| ApiError::internal(why.to_string()))?;
        Ok(ApiAnswer {
            status: 200,
            media_type: JSON,
            body,
        })
    }
}

/// The answer where an archive cannot be opened.
impl From<Error> for ApiAnswer {
    fn from(error: Error) -> ApiAnswer {
        ApiError::from(error).into()
    }
}

impl From<ApiError> for ApiAnswer {
    fn from(error: ApiError) -> ApiAnswer {
        ApiAnswer {
            status: error.status(),
            media_type: JSON,
            body: error.to_json(),
        }
    }
}
