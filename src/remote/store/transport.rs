//! Requests of object stores, sent by ureq. The crate object_store would bring another client, which
//! needs a runtime with I/O, and finds certificates and a library of cryptography in other ways.

use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use object_store::{ClientConfigKey, ClientOptions};
use ureq::Agent;
use ureq::http::{Request, StatusCode, header};

use super::super::agent;
use super::super::failure::{Failure, invalid};

/// The longest body of an answer that is read: that of the longest range, and the tokens and errors
/// of a store are shorter.
const MAX_BODY: u64 = 8 << 20;

/// The wait for a connection to the service of the same machine that has credentials. The crate sets
/// it for that service alone.
const METADATA_TIMEOUT: Duration = Duration::from_secs(1);

/// An answer that refuses a request.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    /// The name of the error in the body, such as `NoSuchKey`.
    pub(super) code: Option<String>,
}

/// The refusal of the last request, if it was refused. The errors of the crate have its text only,
/// with the URL that was requested, in which there can be a signature.
#[derive(Debug, Clone, Default)]
pub(super) struct Refusals(Arc<Mutex<Option<Refusal>>>);

impl Refusals {
    pub(super) fn last(&self) -> Option<Refusal> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.clone()
    }

    fn set(&self, refusal: Option<Refusal>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = refusal;
    }
}

/// Makes the clients of a store.
#[derive(Debug)]
pub(super) struct Transport {
    refusals: Refusals,
}

impl Transport {
    pub(super) fn new(refusals: Refusals) -> Self {
        Transport { refusals }
    }
}

impl HttpConnector for Transport {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let allows_http = options.get_config_value(&ClientConfigKey::AllowHttp);
        let mut config = agent::config()
            .https_only(allows_http.is_none_or(|allowed| allowed != "true"))
            // A redirect is an error, whose answer says why: it would need another signature.
            .max_redirects(0)
            .max_redirects_will_error(false);
        if is_of_metadata(options) {
            let limit = Some(METADATA_TIMEOUT);
            config = config
                .proxy(None)
                .timeout_resolve(limit)
                .timeout_connect(limit);
        }
        Ok(HttpClient::new(Client {
            agent: Agent::new_with_config(config.build()),
            refusals: self.refusals.clone(),
        }))
    }
}

fn is_of_metadata(options: &ClientOptions) -> bool {
    let metadata = ClientOptions::new().with_connect_timeout(METADATA_TIMEOUT);
    let timeout =
        |options: &ClientOptions| options.get_config_value(&ClientConfigKey::ConnectTimeout);
    timeout(options) == timeout(&metadata)
}

#[derive(Debug)]
struct Client {
    agent: Agent,
    refusals: Refusals,
}

#[async_trait]
impl HttpService for Client {
    /// Blocks its thread, in which nothing else runs.
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        self.refusals.set(None);
        self.send(request).map_err(|failure| {
            let kind = match failure.is_temporary {
                true => HttpErrorKind::Interrupted,
                false => HttpErrorKind::Unknown,
            };
            HttpError::new(kind, failure.error)
        })
    }
}

impl Client {
    fn send(&self, request: HttpRequest) -> Result<HttpResponse, Failure> {
        let (parts, body) = request.into_parts();
        let wants_range = parts.headers.contains_key(header::RANGE);
        let response = match body.as_bytes().filter(|bytes| !bytes.is_empty()) {
            Some(bytes) => self.agent.run(Request::from_parts(parts, &bytes[..]))?,
            None => self.agent.run(Request::from_parts(parts, ()))?,
        };
        let (parts, mut body) = response.into_parts();
        if wants_range && parts.status == StatusCode::OK {
            return Err(invalid("the server sends whole files only, not ranges of bytes").into());
        }
        let mut bytes = Vec::new();
        let mut reader = body.as_reader().take(MAX_BODY + 1);
        reader
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::network(&error))?;
        if bytes.len() as u64 > MAX_BODY {
            return Err(invalid("the server sent more bytes than were requested").into());
        }
        if !parts.status.is_success() {
            let (status, code) = (parts.status, code_of(&bytes));
            self.refusals.set(Some(Refusal { status, code }));
        }
        Ok(HttpResponse::from_parts(parts, bytes.into()))
    }
}

/// The name of an error, from the XML of Amazon, Google and Azure.
fn code_of(body: &[u8]) -> Option<String> {
    let text = str::from_utf8(body).ok()?;
    let (_, after) = text.split_once("<Code>")?;
    let (code, _) = after.split_once("</Code>")?;
    let is_name = code.len() <= 64 && code.chars().all(|c| c.is_ascii_alphanumeric());
    is_name.then(|| code.to_owned())
}
