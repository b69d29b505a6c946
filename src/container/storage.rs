//! What an append writes to.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

/// A file that is changed in place.
///
/// An append relies on nothing but this: what was written before
/// [`sync`](Storage::sync) came back is there after a crash.
pub trait Storage {
    /// Writes all of `bytes` at `offset`; the file grows if it has to.
    ///
    /// # Errors
    /// The system fails. Some of the bytes may have been written.
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts the file to `len` bytes.
    ///
    /// # Errors
    /// The system fails.
    fn cut(&self, len: u64) -> io::Result<()>;

    /// Makes all that was written last.
    ///
    /// # Errors
    /// The system fails. What was written may be lost then.
    fn sync(&self) -> io::Result<()>;
}

impl<T: Storage + ?Sized> Storage for Arc<T> {
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write_all_at(offset, bytes)
    }

    fn cut(&self, len: u64) -> io::Result<()> {
        (**self).cut(len)
    }

    fn sync(&self) -> io::Result<()> {
        (**self).sync()
    }
}

#[cfg(any(unix, windows))]
impl Storage for File {
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        put_at(self, bytes, offset)
    }

    fn cut(&self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

#[cfg(unix)]
fn put_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn put_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
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

/// A sink that writes to a storage from some offset on.
#[derive(Debug)]
pub struct WriteFrom<T> {
    storage: T,
    offset: u64,
}

impl<T> WriteFrom<T> {
    pub(super) fn new(storage: T, offset: u64) -> Self {
        WriteFrom { storage, offset }
    }
}

impl<T: Storage> Write for WriteFrom<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.storage.write_all_at(self.offset, bytes)?;
        self.offset = self.offset.saturating_add(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
