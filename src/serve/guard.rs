//! What every request passes: the check of the host, the headers of answers, the log.

use super::ServeOptions;
use super::log::log;
use super::response::Failure;
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;
use tower_http::cors::CorsLayer;

/// What pages of this server may do: nothing but run its own scripts and read its own answers.
/// Names and comments of games are the text of strangers.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; font-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The rules that every request passes.
pub(super) struct Guard {
    hosts: Vec<String>,
    origins: Vec<HeaderValue>,
    is_verbose: bool,
}

impl Guard {
    /// # Errors
    /// An origin is malformed.
    pub(super) fn new(options: &ServeOptions) -> io::Result<Guard> {
        let origin = |text: &String| {
            let is_origin = text.split_once("://").is_some_and(|(_, host)| {
                !host.is_empty() && !host.contains(['/', '?', '#', ' ', '@'])
            });
            let value = HeaderValue::from_str(text).ok().filter(|_| is_origin);
            value.ok_or_else(|| {
                let message = format!("{text:?} is not an origin such as https://example.org");
                io::Error::new(io::ErrorKind::InvalidInput, message)
            })
        };
        Ok(Guard {
            hosts: options
                .hosts
                .iter()
                .map(|host| host.to_lowercase())
                .collect(),
            origins: options
                .origins
                .iter()
                .map(origin)
                .collect::<io::Result<_>>()?,
            is_verbose: options.is_verbose,
        })
    }

    /// The rules for pages of other origins.
    pub(super) fn cors(&self) -> CorsLayer {
        let exposed = ["content-range", "etag", "accept-ranges"].map(HeaderName::from_static);
        CorsLayer::new()
            .allow_origin(self.origins.clone())
            .allow_methods([Method::GET, Method::HEAD])
            .expose_headers(exposed)
    }

    /// Whether a request may name this server so. A page of another site can make its own name lead to
    /// this machine (DNS rebinding), but cannot make a browser send an address for it.
    fn is_own(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let name = authority.host().to_lowercase();
        let address = name.trim_start_matches('[').trim_end_matches(']');
        let is_known = name == "localhost" || self.hosts.contains(&name);
        !host.contains('@') && (is_known || address.parse::<IpAddr>().is_ok())
    }

    /// Whether a page of another site asks, other than by a link and without being allowed to. It could
    /// not read the answer, but could give the server work without end.
    fn is_foreign(&self, headers: &HeaderMap) -> bool {
        let is = |name: &str, value: &str| headers.get(name).is_some_and(|other| other == value);
        let origin = headers.get(ORIGIN);
        let is_allowed = origin.is_some_and(|origin| self.origins.contains(origin));
        is("sec-fetch-site", "cross-site") && !is("sec-fetch-mode", "navigate") && !is_allowed
    }
}

/// Checks a request and completes its answer.
pub(super) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let line = guard
        .is_verbose
        .then(|| format!("{} {}", request.method(), request.uri()));
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    // A request without Host names the server in its address.
    let host = host.or_else(|| request.uri().host()).unwrap_or_default();
    let is_read = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    let mut response = if !guard.is_own(host) {
        let message = format!(
            "{} is not a name of this server; `pgna serve --allow-host NAME` allows one",
            host.escape_debug()
        );
        Failure::with_status(StatusCode::MISDIRECTED_REQUEST, message).into_response()
    } else if guard.is_foreign(request.headers()) {
        let message = "a page of another site asks; `pgna serve --allow-origin` allows one";
        Failure::with_status(StatusCode::FORBIDDEN, message).into_response()
    } else if !is_read {
        let message = "this server only reads: GET, HEAD";
        Failure::with_status(StatusCode::METHOD_NOT_ALLOWED, message).into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Some(line) = line {
        let millis = start.elapsed().as_millis();
        log(&format!(
            "{} {line} {millis} ms",
            response.status().as_u16()
        ));
    }
    response
}
