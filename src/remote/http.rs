//! A file on a web server that answers requests for ranges of bytes.

use std::io::{self, Read as _};
use std::ops::Range;
use std::time::Duration;

use ureq::http::{HeaderMap, Response, header};
use ureq::{Agent, Body};

use super::pages::{FetchRange, PAGE_BYTES};

/// The waits before a request is repeated.
const WAITS: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];

/// The longest wait for a connection, and for more bytes of an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// A file on a web server. All its bytes are of one state: a file that has changed since it was
/// opened is an error.
pub(super) struct HttpFile {
    agent: Agent,
    url: String,
    state: FileState,
}

/// What identifies a state of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileState {
    size: u64,
    /// The entity tag of its bytes, if the server gives a strong one.
    etag: Option<String>,
}

/// The range of an answer, and the state of the file.
#[derive(Debug, PartialEq, Eq)]
struct Answered {
    range: Range<u64>,
    state: FileState,
}

impl HttpFile {
    /// Opens a file. Returns its first page too.
    ///
    /// # Errors
    /// The server does not answer, has no such file, or does not answer requests for ranges.
    pub(super) fn open(url: &str) -> io::Result<(Self, Vec<u8>)> {
        let config = Agent::config_builder()
            .user_agent(concat!("pgna/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_recv_body(None)
            .build();
        let agent = Agent::new_with_config(config);
        let (answered, bytes) = get(&agent, url, 0..PAGE_BYTES)?;
        let expected = PAGE_BYTES.min(answered.state.size);
        if answered.range != (0..expected) {
            return Err(wrong("the answer has another range than was asked for"));
        }
        let file = HttpFile {
            agent,
            url: url.to_owned(),
            state: answered.state,
        };
        Ok((file, bytes))
    }
}

impl FetchRange for HttpFile {
    fn size(&self) -> u64 {
        self.state.size
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let (answered, bytes) = get(&self.agent, &self.url, range.clone())?;
        if answered.state != self.state {
            return Err(wrong("the file has changed since it was opened"));
        }
        if answered.range != range {
            return Err(wrong("the answer has another range than was asked for"));
        }
        Ok(bytes)
    }
}

/// An error that a repeated request may not meet.
struct Failure {
    error: io::Error,
    is_temporary: bool,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure {
            error,
            is_temporary: false,
        }
    }
}

fn temporary(error: io::Error) -> Failure {
    Failure {
        error,
        is_temporary: true,
    }
}

/// The error of an answer.
fn wrong(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// Requests a range of bytes, repeatedly if that may help.
fn get(agent: &Agent, url: &str, range: Range<u64>) -> io::Result<(Answered, Vec<u8>)> {
    let mut waits = WAITS.iter();
    loop {
        let failure = match get_once(agent, url, &range) {
            Ok(answer) => return Ok(answer),
            Err(failure) => failure,
        };
        match waits.next() {
            Some(wait) if failure.is_temporary => std::thread::sleep(*wait),
            _ => return Err(failure.error),
        }
    }
}

fn get_once(agent: &Agent, url: &str, range: &Range<u64>) -> Result<(Answered, Vec<u8>), Failure> {
    let last = range.end.saturating_sub(1);
    let request = agent
        .get(url)
        .header(header::RANGE, format!("bytes={}-{last}", range.start))
        // The range would be one of the compressed bytes.
        .header(header::ACCEPT_ENCODING, "identity");
    let mut response = request.call().map_err(|error| match error {
        ureq::Error::Io(error) => temporary(error),
        error @ (ureq::Error::Timeout(_) | ureq::Error::ConnectionFailed) => {
            temporary(io::Error::other(error))
        }
        error => io::Error::other(error).into(),
    })?;
    let answered = answered(&response, range)?;
    let len = answered.range.end - answered.range.start;
    // A server that sends more than it announced is not read to its end.
    let mut bytes = Vec::new();
    let body = response.body_mut().as_reader();
    body.take(len + 1)
        .read_to_end(&mut bytes)
        .map_err(temporary)?;
    let sent = bytes.len() as u64;
    match sent == len {
        true => Ok((answered, bytes)),
        false => Err(temporary(wrong(format!(
            "the server announced {len} bytes and sent {}",
            if sent > len {
                "more".to_owned()
            } else {
                sent.to_string()
            }
        )))),
    }
}

/// The range of an answer and the state of the file.
fn answered(response: &Response<Body>, asked: &Range<u64>) -> Result<Answered, Failure> {
    let headers = response.headers();
    let status = response.status();
    if status.is_server_error() || status.as_u16() == 429 {
        return Err(temporary(wrong(format!("the server answers {status}"))));
    }
    if let Some(encoding) = text(headers, header::CONTENT_ENCODING)
        && encoding != "identity"
    {
        let error =
            format!("the server compresses the file ({encoding}), which has then no ranges");
        return Err(wrong(error).into());
    }
    let (range, size) = match status.as_u16() {
        206 => content_range(headers).ok_or_else(|| {
            wrong("the server does not say which bytes it sends, and of how many")
        })?,
        // A server may answer so if the range is the whole file.
        200 => match text(headers, header::CONTENT_LENGTH).and_then(|len| len.parse().ok()) {
            Some(size) if *asked == (0..PAGE_BYTES) && size <= PAGE_BYTES => (0..size, size),
            _ => return Err(wrong("the server sends whole files only, no ranges of bytes").into()),
        },
        416 => return Err(wrong("the file is empty, or shorter than when it was opened").into()),
        _ => return Err(wrong(format!("the server answers {status}")).into()),
    };
    // A weak tag can be the same for other bytes.
    let etag = text(headers, header::ETAG).filter(|etag| !etag.starts_with("W/"));
    let etag = etag.map(str::to_owned);
    let state = FileState { size, etag };
    Ok(Answered { range, state })
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// The range and the size of the file, from `bytes FIRST-LAST/SIZE`.
fn content_range(headers: &HeaderMap) -> Option<(Range<u64>, u64)> {
    let value = text(headers, header::CONTENT_RANGE)?.strip_prefix("bytes ")?;
    let (range, size) = value.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last, size): (u64, u64, u64) =
        (first.parse().ok()?, last.parse().ok()?, size.parse().ok()?);
    (first <= last && last < size).then_some((first..last + 1, size))
}
