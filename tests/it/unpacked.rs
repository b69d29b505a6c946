//! Unpacking of archives in memory.

use pgna::{Archive, Error, Source, Unpack};
use std::io;

/// Collects the names and texts of the sources.
#[derive(Default)]
struct Unpacked(Vec<(String, Vec<u8>)>);

impl Unpack for Unpacked {
    type Sink = Vec<u8>;

    fn open(&mut self, _: &Source) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, source: &Source, sink: Vec<u8>) -> io::Result<()> {
        self.0.push((source.name.clone(), sink));
        Ok(())
    }
}

/// The names and texts of the sources of an archive.
pub(crate) fn unpack(archive: &[u8]) -> Result<Vec<(String, Vec<u8>)>, Error> {
    unpack_all(&Archive::new(archive)?)
}

/// As [`unpack`], for an open archive.
pub(crate) fn unpack_all(archive: &Archive) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let mut unpacked = Unpacked::default();
    archive.unpack(&mut unpacked)?;
    Ok(unpacked.0)
}
