//! Where the bytes of a table go.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A sink whose first error can be asked for: the writers of tables return it as a text.
pub(super) struct Sink {
    inner: Box<dyn Write + Send>,
    error: SinkError,
    is_stdout: bool,
}

/// The first error of a sink.
#[derive(Clone, Default)]
pub(super) struct SinkError(Arc<Mutex<Option<io::Error>>>);

impl Sink {
    /// A sink that writes to a file or device.
    pub(super) fn new(inner: impl Write + Send + 'static) -> Self {
        Sink {
            inner: Box::new(inner),
            error: SinkError::default(),
            is_stdout: false,
        }
    }

    /// A sink that writes to stdout.
    pub(super) fn stdout() -> Self {
        Sink {
            is_stdout: true,
            ..Sink::new(io::stdout())
        }
    }

    /// Whether the bytes go to stdout.
    pub(super) fn is_stdout(&self) -> bool {
        self.is_stdout
    }

    /// The error of this sink.
    pub(super) fn error(&self) -> SinkError {
        self.error.clone()
    }
}

impl SinkError {
    /// The error, if there was one.
    pub(super) fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Stores an error if it is the first; returns one of its kind. After an interruption the call
    /// is repeated.
    fn set(&self, error: io::Error) -> io::Error {
        let kind = error.kind();
        if kind == io::ErrorKind::Interrupted {
            return error;
        }
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
        kind.into()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner
            .write(bytes)
            .map_err(|error| self.error.set(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(|error| self.error.set(error))
    }
}
