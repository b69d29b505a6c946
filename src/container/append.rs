//! Appending in place (spec/recovery.md, “Writing and appending”).
//!
//! The state that is there stays whole and found until the new one is: it may
//! stop anywhere, and the file opens as it was before or as it is after.

use super::error::ContainerError;
use super::read_at::ReadAt;
use super::reader::Container;
use super::slot::CommitSlot;
use super::storage::{Storage, WriteFrom};
use super::writer::Writer;
use std::io::{self, BufWriter};

/// Writes what is appended.
pub type AppendWriter<T> = Writer<BufWriter<WriteFrom<T>>>;

const BUFFER_BYTES: usize = 1 << 20;

/// An append that has begun. Dropped before [`commit`](Append::commit), it cuts
/// what it has written.
#[derive(Debug)]
pub struct Append<T: Storage> {
    storage: T,
    /// Where the state that is there ends.
    end: u64,
    /// Whether there is something to cut.
    is_open: bool,
}

impl<T: Storage + Clone> Append<T> {
    /// Prepares the file of `container` for an append and gives the writer of
    /// what comes behind. Bytes of an append that was never finished are cut.
    ///
    /// # Errors
    /// A later state than the one that `container` reads may have been committed,
    /// another archive stands behind it, or the file cannot be written to.
    pub fn begin<S: ReadAt>(
        container: &Container<S>,
        storage: T,
    ) -> Result<(Self, AppendWriter<T>), ContainerError> {
        let end = container.committed_bytes();
        let sink = WriteFrom::new(storage.clone(), end);
        let writer = Writer::append(BufWriter::with_capacity(BUFFER_BYTES, sink), container)?;
        let append = Append {
            storage,
            end,
            is_open: true,
        };
        // Behind a stream or a torn slot nothing but the end of the file leads to
        // the footer, and that is about to move.
        if !container.holds_commit_slot()? {
            append.write_slot(container.commit_slot())?;
        }
        append.cut()?;
        Ok((append, writer))
    }

    /// Makes the state of `slot`, which the writer has finished, the one that
    /// counts.
    ///
    /// # Errors
    /// The file cannot be written. Where that hits the slot itself, the file may
    /// open as the new state all the same.
    pub fn commit(mut self, slot: CommitSlot) -> Result<(), ContainerError> {
        self.sync()?;
        self.is_open = false;
        self.write_slot(slot)
    }

    fn write_slot(&self, slot: CommitSlot) -> Result<(), ContainerError> {
        let written = self.storage.write_all_at(slot.offset(), &slot.encode());
        written.map_err(|error| io_error(slot.offset(), error))?;
        self.sync()
    }
}

impl<T: Storage> Append<T> {
    fn cut(&self) -> Result<(), ContainerError> {
        let cut = self.storage.cut(self.end);
        cut.map_err(|error| io_error(self.end, error))
    }

    fn sync(&self) -> Result<(), ContainerError> {
        let synced = self.storage.sync();
        synced.map_err(|error| io_error(self.end, error))
    }
}

impl<T: Storage> Drop for Append<T> {
    fn drop(&mut self) {
        if self.is_open {
            // What cannot be cut now is cut by the next append.
            let _ = self.cut();
        }
    }
}

fn io_error(offset: u64, source: io::Error) -> ContainerError {
    ContainerError::Io { offset, source }
}
