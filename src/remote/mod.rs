//! Files on web servers, read by ranges of bytes.
//!
//! A request takes as long as the way to the server, whatever it asks for. Therefore a file is read
//! in pages, which are cached, and ahead where it is read in order.

mod http;
mod pages;

use std::io;
use std::sync::Arc;

use crate::container::AnyBytes;
use http::HttpFile;
use pages::PagedSource;

/// The file at a URL.
///
/// # Errors
/// The server does not answer, has no such file, or does not answer requests for ranges.
pub(crate) fn open_url(url: &str) -> io::Result<AnyBytes> {
    let (file, first_page) = HttpFile::open(url)?;
    Ok(Arc::new(PagedSource::new(file, first_page)))
}
