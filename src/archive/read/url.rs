//! Archives on web servers.

use crate::archive::error::{Error, ErrorKind};
use crate::archive::read::archive::Archive;
use crate::limits::Limits;
use crate::remote;

impl Archive {
    /// Opens the archive at a URL, `http://` or `https://`, of a server that answers requests for
    /// ranges of bytes. Only what is needed is read, in pages of 64 KiB, of which 64 MiB are cached.
    /// If the server shows by the size, the entity tag or the date of the file that it has changed
    /// since, reads fail. A failed request is sent again twice, after a quarter of a second and a
    /// second. One request is sent at a time.
    ///
    /// # Errors
    /// As [`Archive::open`]; or the server cannot be reached, has no such file, does not answer
    /// requests for ranges, or a request fails.
    pub fn open_url(url: &str, limits: Limits) -> Result<Self, Error> {
        let file = remote::open_url(url).map_err(|error| {
            let what = format!("opening {url}");
            ErrorKind::Io { what, error }
        })?;
        Archive::open(file, limits)
    }
}
