//! What programs that divide the work on an archive ask of it: the digests of its sources, and
//! whether it is whole.

use crate::errors;
use crate::interrupt::{interruptible, on_progress};
use crate::open_archive::OpenArchive;
use crate::pool;
use pgna::Archive;
use pyo3::prelude::*;
use std::fmt::Write;

/// The digests of the sources, in hexadecimal digits.
pub(crate) fn digests(archive: &Archive) -> Vec<String> {
    let sources = archive.sources().iter();
    sources.map(|source| hexadecimal(&source.digest)).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Decodes everything. The first loss is an exception.
pub(crate) fn verify(py: Python<'_>, archive: &OpenArchive) -> PyResult<()> {
    pool::check()?;
    archive.check_file()?;
    let losses = py.detach(|| interruptible(|| archive.verify(on_progress())))?;
    match losses.first() {
        Some(loss) => Err(errors::of_loss(py, loss, archive.path())),
        None => Ok(()),
    }
}
