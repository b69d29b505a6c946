//! A file on a web server that answers requests for ranges of bytes (RFC 9110).

use std::io::{self, Read as _};
use std::ops::Range;
use std::time::Duration;

use ureq::http::{HeaderMap, Response, StatusCode, header};
use ureq::{Agent, Body};

use super::pages::{FetchRange, PAGE_BYTES};

/// The waits before a failed request is sent again.
const WAITS: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];

/// The longest wait for an address, a connection, and more bytes.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The longest time of a request, however slowly the server sends.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(600);

/// A file on a web server. All its bytes are of one version: if the server shows that the file has
/// changed since it was opened, that is an error.
pub(super) struct HttpFile {
    agent: Agent,
    url: String,
    version: FileVersion,
}

/// A version of a file, as far as the server identifies it.
#[derive(Debug, Clone)]
struct FileVersion {
    size: u64,
    /// The entity tag, or the date of the last modification if there is no strong tag.
    validator: Option<String>,
}

impl FileVersion {
    /// A server that answers from several machines may leave out the validator at times.
    fn may_be(&self, other: &FileVersion) -> bool {
        let validators = self.validator.as_ref().zip(other.validator.as_ref());
        self.size == other.size && validators.is_none_or(|(a, b)| a == b)
    }
}

impl HttpFile {
    /// Opens a file. Returns its first page too.
    ///
    /// # Errors
    /// The server does not answer, has no such file, or does not answer requests for ranges.
    pub(super) fn open(url: &str) -> io::Result<(Self, Vec<u8>)> {
        let is_https = url
            .get(..6)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:"));
        let config = Agent::config_builder()
            .user_agent(concat!("pgna/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            // A redirect must not lead from https to http.
            .https_only(is_https)
            .timeout_resolve(Some(TIMEOUT))
            .timeout_connect(Some(TIMEOUT))
            .timeout_per_read(Some(TIMEOUT))
            .timeout_per_write(Some(TIMEOUT))
            .timeout_per_call(Some(REQUEST_TIMEOUT))
            .build();
        let agent = Agent::new_with_config(config);
        let (version, bytes) = get(&agent, url, &(0..PAGE_BYTES), None)?;
        let file = HttpFile {
            agent,
            url: url.to_owned(),
            version,
        };
        Ok((file, bytes))
    }
}

impl FetchRange for HttpFile {
    fn size(&self) -> u64 {
        self.version.size
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let (_, bytes) = get(&self.agent, &self.url, &range, Some(&self.version))?;
        Ok(bytes)
    }
}

/// A failed request.
struct Failure {
    error: io::Error,
    /// Whether the same request may succeed later.
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

impl Failure {
    fn temporary(message: impl Into<String>) -> Self {
        Failure {
            error: invalid(message),
            is_temporary: true,
        }
    }

    /// The kind of an error of the network is not passed on, because callers take some kinds for
    /// those of files.
    fn network(error: &io::Error) -> Self {
        use io::ErrorKind::*;
        let is_temporary = matches!(
            error.kind(),
            BrokenPipe
                | ConnectionAborted
                | ConnectionRefused
                | ConnectionReset
                | TimedOut
                | UnexpectedEof
        );
        Failure {
            error: io::Error::other(error.to_string()),
            is_temporary,
        }
    }
}

impl From<ureq::Error> for Failure {
    fn from(error: ureq::Error) -> Self {
        match error {
            ureq::Error::Io(error) => Failure::network(&error),
            ureq::Error::Timeout(_) => Failure::temporary("the server did not answer in time"),
            ureq::Error::ConnectionFailed => Failure::temporary("no connection to the server"),
            ureq::Error::HostNotFound => invalid("the server is unknown").into(),
            ureq::Error::BadUri(_) | ureq::Error::Http(_) => invalid("not a valid URL").into(),
            error => invalid(error.to_string()).into(),
        }
    }
}

fn invalid(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message.into())
}

/// Requests a range of bytes of a known version, or, of an unknown one, those that exist. Sends the
/// request again after failures that may pass.
fn get(
    agent: &Agent,
    url: &str,
    range: &Range<u64>,
    expected: Option<&FileVersion>,
) -> io::Result<(FileVersion, Vec<u8>)> {
    let mut waits = WAITS.iter();
    loop {
        let failure = match get_once(agent, url, range, expected) {
            Ok(done) => return Ok(done),
            Err(failure) => failure,
        };
        match waits.next() {
            Some(wait) if failure.is_temporary => std::thread::sleep(*wait),
            _ => return Err(failure.error),
        }
    }
}

fn get_once(
    agent: &Agent,
    url: &str,
    range: &Range<u64>,
    expected: Option<&FileVersion>,
) -> Result<(FileVersion, Vec<u8>), Failure> {
    let request = agent
        .get(url)
        .header(
            header::RANGE,
            format!("bytes={}-{}", range.start, range.end - 1),
        )
        // Ranges of compressed bytes would be of no use.
        .header(header::ACCEPT_ENCODING, "identity");
    let mut response = request.call()?;
    check_status(response.status())?;
    let (sent, version) = range_and_version(&response, range)?;
    if expected.is_some_and(|expected| !expected.may_be(&version)) {
        return Err(invalid("the file has changed since it was opened").into());
    }
    // Nothing is read of a body that could be of any length.
    if sent != (range.start..range.end.min(version.size)) {
        return Err(invalid("the server sent another range than was requested").into());
    }
    let len = sent.end - sent.start;
    let mut bytes = Vec::new();
    let mut body = response.body_mut().as_reader().take(len + 1);
    body.read_to_end(&mut bytes)
        .map_err(|error| Failure::network(&error))?;
    if bytes.len() as u64 != len {
        let message = "the server sent more or fewer bytes than it announced";
        return Err(Failure::temporary(message));
    }
    Ok((version, bytes))
}

fn check_status(status: StatusCode) -> Result<(), Failure> {
    match status.as_u16() {
        200 | 206 => Ok(()),
        408 | 429 | 500..=599 => Err(Failure::temporary(format!("the server answered {status}"))),
        416 => Err(invalid("the file is empty, or has become shorter").into()),
        _ => Err(invalid(format!("the server answered {status}")).into()),
    }
}

/// The range of a response, and the version of the file.
fn range_and_version(
    response: &Response<Body>,
    requested: &Range<u64>,
) -> io::Result<(Range<u64>, FileVersion)> {
    let headers = response.headers();
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).into_iter();
    let is_plain = |value: &[u8]| value.is_empty() || value.eq_ignore_ascii_case(b"identity");
    if !encodings.all(|value| is_plain(value.as_bytes())) {
        return Err(invalid(
            "the server compresses the file, so that ranges of its bytes cannot be read",
        ));
    }
    let (range, size) = match response.status() {
        StatusCode::PARTIAL_CONTENT => content_range(headers)
            .ok_or_else(|| invalid("the server did not say which bytes it sent"))?,
        // A server may send a file whole if all of it was requested.
        _ => match response.body().content_length() {
            Some(size) if *requested == (0..PAGE_BYTES) && (1..=PAGE_BYTES).contains(&size) => {
                (0..size, size)
            }
            _ => {
                return Err(invalid(
                    "the server sends whole files only, not ranges of bytes",
                ));
            }
        },
    };
    let validator = strong_tag(headers).or_else(|| header_text(headers, header::LAST_MODIFIED));
    let validator = validator.map(str::to_owned);
    Ok((range, FileVersion { size, validator }))
}

/// The entity tag of these bytes. A weak one can be that of other bytes too.
fn strong_tag(headers: &HeaderMap) -> Option<&str> {
    header_text(headers, header::ETAG).filter(|tag| !tag.starts_with("W/"))
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// The range and the size of the file, from `bytes FIRST-LAST/SIZE`.
fn content_range(headers: &HeaderMap) -> Option<(Range<u64>, u64)> {
    let (unit, value) = header_text(headers, header::CONTENT_RANGE)?.split_once(' ')?;
    let (range, size) = value.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last, size): (u64, u64, u64) =
        (first.parse().ok()?, last.parse().ok()?, size.parse().ok()?);
    let is_valid = unit.eq_ignore_ascii_case("bytes") && first <= last && last < size;
    is_valid.then_some((first..last + 1, size))
}
