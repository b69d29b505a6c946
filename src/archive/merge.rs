//! Archives put together: segments are copied as they are.

use super::error::{ArchiveError, write_error};
use super::file::NewFile;
use super::names::Names;
use super::reader::Archive;
use crate::container::{self, PartRange, Source};
use std::fs::File;
use std::io::BufWriter;

/// Puts archives together in a new file. Nothing is decoded or encoded again, and
/// every source keeps its proof.
pub struct Merger {
    writer: container::Writer<BufWriter<File>>,
    file: NewFile,
    names: Names,
    sources: Vec<Source>,
}

impl Merger {
    /// Begins an archive in a new file.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn new(file: NewFile) -> Result<Self, ArchiveError> {
        let sink = file.file().try_clone();
        let sink = sink.map_err(|error| write_error(file.target(), error))?;
        Ok(Merger {
            writer: container::Writer::new(BufWriter::with_capacity(1 << 20, sink))?,
            file,
            names: Names::default(),
            sources: Vec::new(),
        })
    }

    /// Adds all segments and sources of an archive; a source whose name is taken gets
    /// a number. `on_progress` is told how many bytes of the archive have been copied
    /// by each step. What is mended on the way is told by [`Archive::warnings`].
    ///
    /// # Errors
    /// The archive is damaged, or the file cannot be written to. The merger is of no
    /// more use then.
    pub fn add(
        &mut self,
        archive: &Archive,
        mut on_progress: impl FnMut(u64),
    ) -> Result<(), ArchiveError> {
        let before = u32::try_from(self.sources.len());
        let too_many = || container::ContainerError::Misuse("too many sources");
        let before = before.map_err(|_| too_many())?;
        for (number, entry) in archive.container().segments().iter().enumerate() {
            let parts = PartRange {
                first: before.checked_add(entry.parts.first).ok_or_else(too_many)?,
                count: entry.parts.count,
            };
            let copied = self.writer.copy_segment(archive.container(), number, parts);
            archive.warn(copied?);
            on_progress(entry.bytes);
        }
        for source in archive.sources() {
            self.sources.push(Source {
                name: self.names.take(&source.name),
                ..source.clone()
            });
        }
        Ok(())
    }

    /// Completes the archive and gives it its name.
    ///
    /// # Errors
    /// The file cannot be written, or a file has the name and `replace` is not set.
    pub fn finish(self, replace: bool) -> Result<(), ArchiveError> {
        let (sink, slot) = self.writer.finish(self.sources)?;
        self.file.seal(sink, slot, replace)
    }
}
