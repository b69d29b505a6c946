//! The answers of an archive for programs that are not the server.

use super::{ApiAnswer, OpenArchive, Params, Request};
use crate::Archive;

/// What `pgna serve` answers about an archive, without a server: for a page of its own, or a worker of
/// a browser. What takes long to find is remembered for the next question.
///
/// `docs/serve.md` describes the routes below `/api/archives/{archive}`.
pub struct ArchiveAnswers(OpenArchive);

impl ArchiveAnswers {
    /// Answers requests about an archive under a name.
    pub fn new(name: impl Into<String>, archive: Archive) -> Self {
        ArchiveAnswers(OpenArchive::new(name.into(), 0, archive, |_| {}))
    }

    /// Answers a request: what follows `/api/archives/{archive}` in an address, such as
    /// `/games?limit=50`, or nothing for the summary of the archive.
    pub fn answer(&self, address: &str) -> ApiAnswer {
        let (route, query) = address.split_once('?').unwrap_or((address, ""));
        let route = route.strip_prefix('/').unwrap_or(route);
        let answer = Params::read(query)
            .and_then(|params| Request::read(route, &params))
            .and_then(|request| request.answer(&self.0));
        answer.unwrap_or_else(ApiAnswer::from)
    }
}
