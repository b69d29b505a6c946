//! The storage that an append writes to.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

/// A file that is changed in place.
///
/// An append relies only on this guarantee: data written before [`sync`](Storage::sync)
/// returned survives a crash.
pub trait Storage {
    /// Writes all of `bytes` at `offset`. The file grows if necessary.
    ///
    /// # Errors
    /// The system fails. Some of the bytes may have been written.
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Truncates the file to `len` bytes.
    ///
    /// # Errors
    /// The system fails.
    fn truncate(&self, len: u64) -> io::Result<()>;

    /// Makes all data written so far durable.
    ///
    /// # Errors
    /// The system fails. Written data may then be lost.
    fn sync(&self) -> io::Result<()>;
}

impl<T: Storage + ?Sized> Storage for Arc<T> {
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write_all_at(offset, bytes)
    }

    fn truncate(&self, len: u64) -> io::Result<()> {
        (**self).truncate(len)
    }

    fn sync(&self) -> io::Result<()> {
        (**self).sync()
    }
}

impl Storage for File {
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        write_all_at(self, bytes, offset)
    }

    fn truncate(&self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        let written = match file.seek_write(bytes, offset) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            written => written?,
        };
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = bytes.get(written..).unwrap_or_default();
        offset += written as u64;
    }
    Ok(())
}

/// Other platforms have no files that can be written at an offset.
#[cfg(not(any(unix, windows)))]
fn write_all_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A sink that writes to a storage sequentially from a given offset.
#[derive(Debug)]
pub struct OffsetWriter<T> {
    storage: T,
    offset: u64,
}

impl<T> OffsetWriter<T> {
    pub(super) fn new(storage: T, offset: u64) -> Self {
        OffsetWriter { storage, offset }
    }
}

impl<T: Storage> Write for OffsetWriter<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.storage.write_all_at(self.offset, bytes)?;
        self.offset = self.offset.saturating_add(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
