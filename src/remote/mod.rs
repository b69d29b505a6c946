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

/// Calls `open` with the file at a URL.
///
/// # Errors
/// The server does not answer, has no such file, or does not answer requests for ranges; or a request
/// fails while `open` runs, even if `open` takes the bytes for damaged and uses a copy of them.
pub(crate) fn open_url<T>(url: &str, open: impl FnOnce(AnyBytes) -> T) -> io::Result<T> {
    let (file, first_page) = HttpFile::open(url)?;
    let file = Arc::new(PagedSource::new(file, first_page));
    let opened = open(Arc::clone(&file) as AnyBytes);
    match file.failure() {
        Some(error) => Err(error),
        None => Ok(opened),
    }
}
