//! A file on a web server that answers requests for ranges of bytes (RFC 9110).

use std::io::{self, Read as _};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ureq::http::{HeaderMap, Response, StatusCode, Uri, header};
use ureq::{Agent, Body, ResponseExt};

use super::agent;
use super::failure::{Failure, invalid};
use crate::container::{ReadAt, START_BYTES};

/// The waits before a failed request is sent again.
const WAITS: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];

/// A file on a web server. All its bytes are of one version: if the server shows that the file has
/// changed since it was opened, that is an error.
pub(super) struct HttpFile {
    address: Address,
    version: FileVersion,
}

/// Where a file is.
struct Address {
    agent: Agent,
    url: String,
    /// Where redirects led, if there were any, so that they are followed once and not for every
    /// request.
    target: Mutex<Option<Uri>>,
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
        // A redirect must not lead from https to http.
        let config = agent::config().https_only(is_https).build();
        let address = Address {
            agent: Agent::new_with_config(config),
            url: url.to_owned(),
            target: Mutex::new(None),
        };
        let (version, bytes) = address.get(&(0..START_BYTES), None)?;
        Ok((HttpFile { address, version }, bytes))
    }
}

impl ReadAt for HttpFile {
    fn size(&self) -> io::Result<u64> {
        Ok(self.version.size)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let range = offset..offset + len as u64;
        let (_, bytes) = self.address.get(&range, Some(&self.version))?;
        Ok(bytes)
    }
}

impl Address {
    /// Requests a range of bytes of a known version, or, of an unknown one, those that exist. Sends
    /// the request again after failures that may pass.
    fn get(
        &self,
        range: &Range<u64>,
        expected: Option<&FileVersion>,
    ) -> io::Result<(FileVersion, Vec<u8>)> {
        let mut waits = WAITS.iter();
        loop {
            let failure = match self.get_once(range, expected) {
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
        &self,
        range: &Range<u64>,
        expected: Option<&FileVersion>,
    ) -> Result<(FileVersion, Vec<u8>), Failure> {
        let mut response = self.answer(range)?;
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

    /// The answer to a request, of the server to which redirects led. Where they led may have been a
    /// signed URL, which expires: then they are followed anew.
    fn answer(&self, range: &Range<u64>) -> Result<Response<Body>, ureq::Error> {
        let target = lock(&self.target).take();
        if let Some(target) = target {
            let response = self.request(&target, range)?;
            if !matches!(response.status().as_u16(), 403 | 404 | 410) {
                *lock(&self.target) = Some(target);
                return Ok(response);
            }
        }
        let uri: Uri = self.url.parse().map_err(ureq::http::Error::from)?;
        let response = self.request(&uri, range)?;
        if response.status().is_success() && *response.get_uri() != uri {
            *lock(&self.target) = Some(response.get_uri().clone());
        }
        Ok(response)
    }

    fn request(&self, uri: &Uri, range: &Range<u64>) -> Result<Response<Body>, ureq::Error> {
        let (first, last) = (range.start, range.end - 1);
        self.agent
            .get(uri)
            .header(header::RANGE, format!("bytes={first}-{last}"))
            // Ranges of compressed bytes would be of no use.
            .header(header::ACCEPT_ENCODING, "identity")
            .call()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
            Some(size) if *requested == (0..START_BYTES) && (1..=START_BYTES).contains(&size) => {
                (0..size, size)
            }
            Some(0) => return Err(invalid("the file is empty")),
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
