//! The only module that maps files into memory.
//!
//! # Contract
//!
//! A mapping shows changes that other processes make to the file. No code here
//! or above relies on its bytes staying the same: each section is copied once,
//! the checksum of the copy is verified, and only the copy is decoded (see
//! [`ReadAt`](crate::container::ReadAt)). A file that is changed while it is
//! open thus gives an error, never wrong data. A file that another process
//! *truncates* raises SIGBUS when the lost pages are accessed; no library can
//! prevent that. Callers that cannot rule it out should open the file without a
//! mapping.

#![expect(
    unsafe_code,
    reason = "mapping a file is unsafe by nature; see the contract above"
)]

use crate::archive::error::Error;
use crate::archive::fs::open::{open, open_error};
use crate::archive::read::archive::Archive;
use crate::container::Bytes;
use crate::limits::Limits;
use std::path::Path;

/// A file mapped into memory.
struct Map(memmap2::Mmap);

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Archive {
    /// Opens the archive of a file by mapping it into memory.
    ///
    /// # Errors
    /// As [`Archive::open`]; or the file cannot be opened or mapped.
    pub fn map(path: &Path, limits: Limits) -> Result<Self, Error> {
        let file = open(path)?;
        // SAFETY: the bytes are only ever copied out, and may have any values;
        // the contract above describes the effects of changes to the file.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|error| open_error(path, error))?;
        Archive::open(Bytes(Map(map)), limits)
    }
}
