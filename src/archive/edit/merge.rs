//! Merging archives by copying their segments.

use crate::archive::error::{Error, write_error};
use crate::archive::fs::file::NewFile;
use crate::archive::fs::names::TakenNames;
use crate::archive::read::archive::Archive;
use crate::archive::write::call_state::CallState;
use crate::container::{self, PartRange, Source};
use std::fmt;
use std::fs::File;
use std::io::BufWriter;

/// Merges archives into a new file. Nothing is decoded or encoded again, and every
/// source keeps its digest.
///
/// After an error no archive can be completed: all later calls return an error.
pub struct Merger {
    writer: container::ContainerWriter<BufWriter<File>>,
    file: NewFile,
    names: TakenNames,
    sources: Vec<Source>,
    calls: CallState,
}

impl fmt::Debug for Merger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Merger")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

impl Merger {
    /// Begins an archive in a new file.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn new(file: NewFile) -> Result<Self, Error> {
        Ok(Merger {
            writer: container::ContainerWriter::new(file.sink()?)?,
            file,
            names: TakenNames::default(),
            sources: Vec::new(),
            calls: CallState::default(),
        })
    }

    /// Adds all segments and sources of an archive. A number is added to a source
    /// name that is taken. `on_progress` is called with the number of bytes of the
    /// archive that each step copies. Mended damage is added to
    /// [`Archive::warnings`].
    ///
    /// # Errors
    /// The archive is damaged, the file cannot be written to, or an earlier call has
    /// failed.
    pub fn add(
        &mut self,
        archive: &Archive,
        mut on_progress: impl FnMut(u64),
    ) -> Result<(), Error> {
        // Models are copied by their digest: a forged one would take the place of the right one of
        // a later archive.
        for id in archive.own_models() {
            archive.model(id)?;
        }
        self.calls.begin()?;
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
                name: self.names.reserve(&source.name),
                ..source.clone()
            });
        }
        self.calls.end();
        Ok(())
    }

    /// Completes the archive and renames the file to its target.
    ///
    /// # Errors
    /// The file cannot be written, the target exists and `replace` is not set, or an
    /// earlier call has failed.
    pub fn finish(self, replace: bool) -> Result<(), Error> {
        let file = self.finish_file()?;
        let target = file.target().to_owned();
        let committed = file.commit(replace);
        committed.map_err(|error| write_error(&target, error))
    }

    /// Completes the archive, which gets its name by [`NewFile::commit`].
    ///
    /// # Errors
    /// The file cannot be written, or an earlier call has failed.
    pub fn finish_file(mut self) -> Result<NewFile, Error> {
        self.calls.begin()?;
        let (sink, slot) = self.writer.finish(self.sources)?;
        self.file.seal(sink, slot)?;
        Ok(self.file)
    }
}
