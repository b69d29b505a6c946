//! Sources of the bytes of a container.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::error::{ContainerError, Damage, FilePlace};
use super::mend::Mended;
use crate::limits::Limits;

/// Bytes that can be read at any offset, from several threads at once.
///
/// Reads return a copy. A file that changes while it is open can cause an error later,
/// but a value cannot change after it was checked.
pub trait ReadAt {
    /// The number of bytes.
    ///
    /// # Errors
    /// The system cannot determine the size.
    fn size(&self) -> io::Result<u64>;

    /// Reads a copy of the `len` bytes at `offset`. The caller has checked that they
    /// lie within [`ReadAt::size`].
    ///
    /// # Errors
    /// The bytes cannot be read, or no longer exist. An error with the system's code for a medium
    /// that cannot read them (`EIO`) may count as damage. All others are passed on.
    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>>;

    /// Announces that the bytes in these ranges will be read soon. A source to which each request
    /// takes long may fetch them together; if that fails, reading them will show it. Other sources
    /// do nothing.
    fn will_read(&self, ranges: &[Range<u64>]) {
        let _ = ranges;
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        (**self).read_at(offset, len)
    }

    fn will_read(&self, ranges: &[Range<u64>]) {
        (**self).will_read(ranges);
    }
}

impl<T: ReadAt + ?Sized> ReadAt for Arc<T> {
    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        (**self).read_at(offset, len)
    }

    fn will_read(&self, ranges: &[Range<u64>]) {
        (**self).will_read(ranges);
    }
}

/// A type-erased source of bytes. With it the code that reads archives is compiled
/// once, not once for each kind of source.
pub type AnyBytes = Arc<dyn ReadAt + Send + Sync>;

/// A source of bytes in memory or in a memory-mapped file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes<D>(pub D);

impl<D: AsRef<[u8]>> ReadAt for Bytes<D> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.as_ref().len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(len)?));
        range
            .and_then(|range| self.0.as_ref().get(range))
            .map(<[u8]>::to_vec)
            .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl ReadAt for std::fs::File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        read_exact_at(self, &mut bytes, offset)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &std::fs::File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &std::fs::File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        let read = match file.seek_read(bytes, offset) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = bytes.get_mut(read..).unwrap_or_default();
        offset += read as u64;
    }
    Ok(())
}

/// Other platforms have no files that can be read at an offset.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &std::fs::File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A source with its size, and the limits for reading it.
#[derive(Debug, Clone)]
pub(super) struct SectionInput<S> {
    source: S,
    size: u64,
    limits: Limits,
    mended: Arc<Mended>,
}

impl<S: ReadAt> SectionInput<S> {
    pub(super) fn new(source: S, limits: Limits) -> Result<Self, ContainerError> {
        let size = source
            .size()
            .map_err(|source| ContainerError::Io { offset: 0, source })?;
        Ok(SectionInput {
            source,
            size,
            limits,
            mended: Arc::default(),
        })
    }

    pub(super) fn source(&self) -> &S {
        &self.source
    }

    /// Size of the file in bytes.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What was restored by parity.
    pub(super) fn mended(&self) -> &Mended {
        &self.mended
    }

    /// Reads a copy of the `len` bytes of the structure at `place`, with what was restored
    /// of them. The caller has checked `len` against a limit.
    pub(super) fn read(&self, place: FilePlace, len: u64) -> Result<Vec<u8>, ContainerError> {
        let read = self.read_unmended(place, len);
        if !self.mended.has_any() {
            return read;
        }
        match read {
            Ok(mut bytes) => {
                self.mended.patch(place.offset, &mut bytes);
                Ok(bytes)
            }
            Err(error) if error.is_of_medium() => {
                let range = place.offset..place.offset.saturating_add(len);
                self.read_restored(range)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads a copy of the `len` bytes at `place` as they are in the file.
    pub(super) fn read_unmended(
        &self,
        place: FilePlace,
        len: u64,
    ) -> Result<Vec<u8>, ContainerError> {
        let needed = place.offset.saturating_add(len);
        if needed > self.size || needed == u64::MAX {
            return Err(place.damaged(Damage::Truncated {
                needed,
                available: self.size,
            }));
        }
        let len = usize::try_from(len).map_err(|_| ContainerError::Limit {
            place,
            what: "size in bytes",
            needed: len,
            allowed: usize::MAX as u64,
        })?;
        self.source
            .read_at(place.offset, len)
            .map_err(|source| ContainerError::Io {
                offset: place.offset,
                source,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::{ErrorClass, FilePart};
    use super::*;
    use std::io::Write;

    #[test]
    fn memory_and_file_agree() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let memory = Bytes(&bytes);
        for (offset, len) in [(0, 0), (0, 256), (100, 7), (256, 0)] {
            assert_eq!(
                ReadAt::read_at(&file, offset, len).unwrap(),
                memory.read_at(offset, len).unwrap()
            );
        }
        for (offset, len) in [(0, 257), (256, 1), (u64::MAX >> 1, 1)] {
            assert!(ReadAt::read_at(&file, offset, len).is_err());
            assert!(memory.read_at(offset, len).is_err());
        }
        assert!(memory.read_at(u64::MAX, usize::MAX).is_err());
        assert_eq!(file.size().unwrap(), memory.size().unwrap());
    }

    #[test]
    fn reading_past_the_end_asks_for_no_memory() {
        let input = SectionInput::new(Bytes([0; 100]), Limits::default()).unwrap();
        for (offset, len) in [(0, 101), (100, 1), (1, u64::MAX), (u64::MAX, 0)] {
            let error = input
                .read(FilePlace::new(FilePart::Block, offset), len)
                .unwrap_err();
            assert_eq!(error.class(), ErrorClass::Damaged);
        }
    }

    #[test]
    fn a_failing_source_is_an_io_error() {
        struct Failing;
        impl ReadAt for Failing {
            fn size(&self) -> io::Result<u64> {
                Ok(100)
            }
            fn read_at(&self, _: u64, _: usize) -> io::Result<Vec<u8>> {
                Err(io::ErrorKind::Other.into())
            }
        }
        let input = SectionInput::new(&Failing, Limits::default()).unwrap();
        let error = input
            .read(FilePlace::new(FilePart::Block, 9), 1)
            .unwrap_err();
        assert_eq!((error.class(), error.offset()), (ErrorClass::Io, Some(9)));
    }
}
