//! The answers of an archive, as JSON. `docs/serve.md` describes its routes: the server gives them over
//! HTTP, and a page without a server asks for them in a worker of the browser.
//!
//! ```text
//! route and parameters ─► Request ─► OpenArchive ─► ApiAnswer
//! ```

mod answer;
mod archive_answers;
mod error;
mod explorer;
mod games;
mod open_archive;
mod params;
mod players;
mod stats;
mod tags;
mod unread;

pub use answer::ApiAnswer;
pub use archive_answers::ArchiveAnswers;
pub(crate) use error::ApiError;
pub(crate) use explorer::{ExplorerAnswer, ExplorerRequest, Joined, Kind};
pub(crate) use games::pgn;
pub(crate) use open_archive::OpenArchive;
pub(crate) use params::Params;
pub(crate) use stats::Summary;

use games::PageRequest;
use percent_encoding::percent_decode_str;
use stats::StatsRequest;
use tags::Completion;

/// A request to an archive.
pub(crate) enum Request {
    Summary,
    Games(PageRequest),
    Game(String),
    Pgn(String),
    Players(Completion),
    Player(String),
    TagNames,
    TagValues(String, Completion),
    Stats(StatsRequest),
    Explorer(Box<ExplorerRequest>),
}

impl Request {
    /// Reads a request: the part of a path after the name of the archive and a slash, as it is in an
    /// address, and the parameters.
    ///
    /// # Errors
    /// There is no such route, or a parameter is wrong.
    pub(crate) fn read(route: &str, params: &Params) -> Result<Request, ApiError> {
        let parts: Vec<String> = route.split('/').map(decoded).collect::<Result<_, _>>()?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let without_params = |request| params.only(&[]).map(|()| request);
        match parts[..] {
            [""] => without_params(Request::Summary),
            ["games"] => PageRequest::read(params).map(Request::Games),
            ["games", number] => without_params(Request::Game(number.to_owned())),
            ["games", number, "pgn"] => Ok(Request::Pgn(number.to_owned())),
            ["players"] => Completion::read(params).map(Request::Players),
            ["player"] => players::name(params).map(Request::Player),
            ["tags"] => without_params(Request::TagNames),
            ["tags", tag] => {
                let completion = Completion::read(params)?;
                Ok(Request::TagValues(tag.to_owned(), completion))
            }
            ["stats"] => StatsRequest::read(params).map(Request::Stats),
            ["explorer"] => {
                let request = ExplorerRequest::read(params, Kind::Archive)?;
                Ok(Request::Explorer(Box::new(request)))
            }
            _ => Err(ApiError::not_found("no such route; see /api/openapi.json")),
        }
    }

    /// Whether the answer takes milliseconds.
    pub(crate) fn is_short(&self) -> bool {
        matches!(self, Request::Game(_) | Request::Pgn(_))
    }

    /// Whether the answer needs the explorer of the archive, which takes long to read.
    pub(crate) fn needs_explorer(&self) -> bool {
        matches!(self, Request::Player(_) | Request::Explorer(_))
    }

    /// # Errors
    /// The archive has no such game, player or tag, or is damaged.
    pub(crate) fn answer(&self, open: &OpenArchive) -> Result<ApiAnswer, ApiError> {
        match self {
            Request::Summary => ApiAnswer::json(&Summary::of(open)?),
            Request::Games(request) => ApiAnswer::json(&request.answer(open)?),
            Request::Game(number) => ApiAnswer::json(&games::game(open, number)?),
            Request::Pgn(number) => pgn(open, number),
            Request::Players(completion) => ApiAnswer::json(&players::list(open, completion)?),
            Request::Player(name) => ApiAnswer::json(&players::record(open, name)?),
            Request::TagNames => ApiAnswer::json(&tags::names(open)?),
            Request::TagValues(tag, completion) => {
                ApiAnswer::json(&tags::values(open, tag, completion)?)
            }
            Request::Stats(request) => ApiAnswer::json(&request.answer(open)?),
            Request::Explorer(request) => {
                let mut joined = Joined::default();
                joined.explore(open, request)?;
                ApiAnswer::json(&joined.finish(request))
            }
        }
    }
}

/// Decodes a part of a path.
fn decoded(part: &str) -> Result<String, ApiError> {
    let decoded = percent_decode_str(part).decode_utf8();
    let decoded = decoded.map_err(|why| ApiError::with_status(400, format!("the path: {why}")))?;
    Ok(decoded.into_owned())
}
