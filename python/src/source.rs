//! Python files: objects with `read`, and with `seek` where they are read out of order.

use crate::errors;
use crate::lock::CallLock;
use pgna::ReadAt;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::io::{self, Read};
use std::sync::Arc;

/// The most bytes that are asked for at a time.
const MAX_READ: usize = 1 << 20;

/// The message about a file that would wait for itself.
pub(crate) const READS_ITSELF: &str = "read() of a file reads the archive in the file";

/// A Python file that is read at any offset.
#[derive(Debug)]
pub(crate) struct SeekableFile {
    file: Py<PyAny>,
    size: u64,
    /// Whether the file was opened for this and is closed with it.
    is_owned: bool,
    /// Held from a seek to the end of the read after it. It is taken before the interpreter is, and
    /// never while it is held.
    place: Arc<CallLock<()>>,
}

impl SeekableFile {
    /// A file whose size is determined by seeking its end.
    pub(crate) fn new(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        let end = file.call_method1("seek", (0, 2))?;
        let size = end.extract().map_err(|_| {
            PyTypeError::new_err("seek() gave no position: the size of the file is unknown")
        })?;
        Ok(SeekableFile {
            size,
            file: file.clone().unbind(),
            is_owned: false,
            place: Arc::new(CallLock::new(())),
        })
    }

    /// A file that is closed when nothing reads it any more.
    pub(crate) fn owned(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut owned = SeekableFile::new(file)?;
        owned.is_owned = true;
        Ok(owned)
    }

    /// The lock that is held while the file is read.
    pub(crate) fn place(&self) -> Arc<CallLock<()>> {
        Arc::clone(&self.place)
    }

    /// Reads at an offset, unless this is called by the file itself.
    fn read_place(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let Some(_place) = self.place.lock() else {
            return Err(io::Error::other(READS_ITSELF));
        };
        let read = Python::attach(|py| self.read_all(py, offset, len));
        read.map_err(of_exception)
    }

    fn read_all(&self, py: Python<'_>, offset: u64, len: usize) -> PyResult<Vec<u8>> {
        let file = self.file.bind(py);
        let sought = file.call_method1("seek", (offset,));
        sought.map_err(|error| errors::of_call(py, error))?;
        let mut bytes = Vec::new();
        while let Some(left) = len.checked_sub(bytes.len()).filter(|left| *left > 0) {
            let read = read(file, left)?;
            if read.is_empty() {
                break;
            }
            bytes.extend_from_slice(&read);
        }
        Ok(bytes)
    }
}

impl Drop for SeekableFile {
    fn drop(&mut self) {
        if self.is_owned {
            // Nothing is left to close when the interpreter ends, and nobody to hear of an error.
            let _ = Python::try_attach(|py| self.file.call_method0(py, "close").map(drop));
        }
    }
}

/// An exception of a file as an error of the library, which gives it back as it is. The library
/// knows by its number that a medium cannot read some bytes, for which it has copies.
fn of_exception(exception: PyErr) -> io::Error {
    let number = Python::attach(|py| -> PyResult<Option<i32>> {
        if !exception.is_instance_of::<PyOSError>(py) {
            return Ok(None);
        }
        let io_error = py.import("errno")?.getattr("EIO")?;
        let number = exception.value(py).getattr("errno")?;
        match number.eq(&io_error)? {
            true => number.extract(),
            false => Ok(None),
        }
    });
    match number {
        // On Windows the number means something else to the library.
        Ok(Some(number)) if cfg!(unix) => io::Error::from_raw_os_error(number),
        _ => io::Error::other(exception),
    }
}

impl ReadAt for SeekableFile {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let bytes = apart(|| self.read_place(offset, len))?;
        match bytes.len() == len {
            true => Ok(bytes),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// Runs code of Python in another thread if this is the main thread of Python, where a signal could
/// raise an exception in it: an interrupt would become the error of a read. So it is raised when
/// the library returns.
fn apart<T: Send>(code: impl FnOnce() -> T + Send) -> T {
    thread_local! {
        static IS_MAIN: bool = is_main_thread().unwrap_or(false);
    }
    if !IS_MAIN.with(|is_main| *is_main) {
        return code();
    }
    std::thread::scope(|scope| match scope.spawn(code).join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// Whether this is the thread that runs handlers of signals.
fn is_main_thread() -> PyResult<bool> {
    Python::attach(|py| {
        let threading = py.import("threading")?;
        let main = threading.call_method0("main_thread")?.getattr("ident")?;
        threading.call_method0("get_ident")?.eq(main)
    })
}

/// A Python file that is read from where it is to its end.
#[derive(Debug)]
pub(crate) struct ReadableFile(Py<PyAny>);

impl ReadableFile {
    pub(crate) fn new(file: &Bound<'_, PyAny>) -> Self {
        ReadableFile(file.clone().unbind())
    }
}

impl Read for ReadableFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(MAX_READ);
        let bytes = Python::attach(|py| read(self.0.bind(py), most)).map_err(of_exception)?;
        for (to, from) in buffer.iter_mut().zip(bytes.iter()) {
            *to = *from;
        }
        Ok(bytes.len())
    }
}

/// Calls `read`, which gives no more bytes than are asked for, and none only at the end.
fn read(file: &Bound<'_, PyAny>, most: usize) -> PyResult<PyBackedBytes> {
    let read = file.call_method1("read", (most,));
    let read = read.map_err(|error| errors::of_call(file.py(), error))?;
    let bytes: PyBackedBytes = read.extract().map_err(|_| {
        let class = read.get_type();
        PyTypeError::new_err(format!(
            "a file opened in binary mode is needed: read() gave {class}, not bytes"
        ))
    })?;
    match bytes.len() <= most {
        true => Ok(bytes),
        false => Err(PyTypeError::new_err(
            "read() gave more bytes than asked for",
        )),
    }
}

/// Whether an object is a file.
pub(crate) fn is_file(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.hasattr("read")
}
