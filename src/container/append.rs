//! Appending in place (spec/recovery.md, “Writing and appending”).
//!
//! The existing state stays intact and reachable until the new one is committed. An
//! append may stop at any point: the file then opens either in the old state or in the
//! new one.

use super::directory::Directory;
use super::error::{ContainerError, FilePart, FilePlace};
use super::parity::{ParityWriter, SMALL_FILE_BYTES};
use super::read_at::ReadAt;
use super::reader::Container;
use super::slot::{CommitSlot, FIRST_SECTION};
use super::storage::{OffsetWriter, Storage};
use super::writer::ContainerWriter;
use std::io::{self, BufWriter};

/// The writer of an append.
pub type AppendWriter<T> = ContainerWriter<BufWriter<OffsetWriter<T>>>;

const BUFFER_BYTES: usize = 1 << 20;

/// An append in progress. If it is dropped before [`commit`](Append::commit), it
/// truncates the file to the existing state.
#[derive(Debug)]
pub struct Append<T: Storage> {
    storage: T,
    /// File offset of the end of the existing state.
    end: u64,
    /// Whether `drop` must truncate the file.
    must_truncate: bool,
}

impl<T: Storage + Clone> Append<T> {
    /// Prepares the file of `container` for an append and returns a writer that
    /// continues after the existing state. Bytes of an unfinished append are truncated.
    ///
    /// # Errors
    /// A later state than the one that `container` reads may have been committed, the
    /// state is followed by bytes that no append wrote, or the file cannot be written
    /// to.
    pub fn begin<S: ReadAt>(
        container: &Container<S>,
        storage: T,
    ) -> Result<(Self, AppendWriter<T>), ContainerError> {
        let end = container.committed_bytes();
        let sink = OffsetWriter::new(storage.clone(), end);
        let writer =
            ContainerWriter::append(BufWriter::with_capacity(BUFFER_BYTES, sink), container)?;
        let append = Append {
            storage,
            end,
            must_truncate: true,
        };
        // In a stream, or if a slot is torn, the footer is found only by the end of the
        // file, which is about to move.
        if !container.holds_commit_slot()? {
            append.write_slot(container.commit_slot())?;
        }
        append.truncate()?;
        Ok((append, writer))
    }

    /// Commits the state of `slot`, which the writer returned from
    /// [`finish`](Writer::finish).
    ///
    /// # Errors
    /// The file cannot be written. If the write of the slot itself fails, the file may
    /// still open in the new state.
    pub fn commit(mut self, slot: CommitSlot) -> Result<(), ContainerError> {
        self.sync()?;
        self.must_truncate = false;
        self.write_slot(slot)
    }

    fn write_slot(&self, slot: CommitSlot) -> Result<(), ContainerError> {
        let written = self.storage.write_all_at(slot.offset(), &slot.encode());
        written.map_err(|error| io_error(slot.offset(), error))?;
        self.sync()
    }
}

impl<T: Storage> Append<T> {
    fn truncate(&self) -> Result<(), ContainerError> {
        let cut = self.storage.truncate(self.end);
        cut.map_err(|error| io_error(self.end, error))
    }

    fn sync(&self) -> Result<(), ContainerError> {
        let synced = self.storage.sync();
        synced.map_err(|error| io_error(self.end, error))
    }
}

impl<T: Storage> Drop for Append<T> {
    fn drop(&mut self) {
        if self.must_truncate {
            // If this fails, the next append truncates the file.
            let _ = self.truncate();
        }
    }
}

/// The parity of what an append writes. It also covers the existing state of a small file,
/// which its own does not protect against the loss of a sector.
pub(super) fn parity<S: ReadAt>(
    container: &Container<S>,
    directory: &mut Directory,
) -> Result<ParityWriter, ContainerError> {
    let (end, spans) = (container.committed_bytes(), &container.commit().parity);
    if let Some(last) = spans.last()
        && last.covered().end >= SMALL_FILE_BYTES
    {
        directory.push_parity(*last);
        return Ok(ParityWriter::new(end));
    }
    directory.clear_parity();
    let input = container.input();
    // What is damaged there is covered as it was.
    input.mend(spans, FIRST_SECTION..end)?;
    let place = FilePlace::new(FilePart::Segment, FIRST_SECTION);
    let mut parity = ParityWriter::new(FIRST_SECTION);
    parity.add(&input.read(place, end.saturating_sub(FIRST_SECTION))?);
    Ok(parity)
}

fn io_error(offset: u64, source: io::Error) -> ContainerError {
    ContainerError::Io { offset, source }
}
