//! Files on web servers and objects in object stores, read by ranges of bytes.
//!
//! A request takes as long as the way to the server, whatever it asks for. Therefore a file is read
//! in pages, which are cached, and ahead where it is read in order.

mod agent;
mod failure;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "object-store")]
mod store;

use std::io;
use std::sync::Arc;

use crate::container::{AnyBytes, PagedSource, ReadAt};
use failure::invalid;

/// The file at a URL.
///
/// # Errors
/// The server does not answer, has no such file, or does not answer requests for ranges; or this
/// build lacks the feature for the scheme.
pub(crate) fn open_url(url: &str) -> io::Result<AnyBytes> {
    let (scheme, _) = url
        .split_once("://")
        .ok_or_else(|| invalid("not a valid URL"))?;
    let scheme = scheme.to_ascii_lowercase();
    match &scheme[..] {
        "http" | "https" => open_web(url, &scheme),
        "s3" | "s3a" | "gs" | "az" | "azure" | "adl" | "abfs" | "abfss" => open_store(url, &scheme),
        _ => Err(invalid(format!("{scheme}:// is not known"))),
    }
}

#[cfg(feature = "http")]
fn open_web(url: &str, _: &str) -> io::Result<AnyBytes> {
    let (file, start) = http::HttpFile::open(url)?;
    Ok(paged(file, &start))
}

#[cfg(not(feature = "http"))]
fn open_web(_: &str, scheme: &str) -> io::Result<AnyBytes> {
    Err(needs_feature(scheme, "http"))
}

#[cfg(feature = "object-store")]
fn open_store(url: &str, _: &str) -> io::Result<AnyBytes> {
    let (object, start) = store::StoredObject::open(url)?;
    Ok(paged(object, &start))
}

#[cfg(not(feature = "object-store"))]
fn open_store(_: &str, scheme: &str) -> io::Result<AnyBytes> {
    Err(needs_feature(scheme, "object-store"))
}

fn paged(file: impl ReadAt + Send + Sync + 'static, start: &[u8]) -> AnyBytes {
    Arc::new(PagedSource::with_start(file, start))
}

#[cfg(not(all(feature = "http", feature = "object-store")))]
fn needs_feature(scheme: &str, feature: &str) -> io::Error {
    let message = format!("{scheme}:// needs a pgna with the feature `{feature}`");
    io::Error::new(io::ErrorKind::Unsupported, message)
}
