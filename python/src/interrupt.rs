//! Control-C: long work asks now and then whether a signal has come.

use pyo3::prelude::*;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// The time between two checks. A check waits for the interpreter, which other threads may use.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Checks for signals, but not too often.
#[derive(Debug)]
pub(crate) struct SignalCheck {
    last: Instant,
}

impl SignalCheck {
    pub(crate) fn new() -> Self {
        SignalCheck {
            last: Instant::now(),
        }
    }

    /// Runs the handlers of signals that have come.
    ///
    /// # Errors
    /// A handler has raised an exception: mostly `KeyboardInterrupt`.
    pub(crate) fn check(&mut self) -> PyResult<()> {
        if self.last.elapsed() < INTERVAL {
            return Ok(());
        }
        self.last = Instant::now();
        Python::attach(|py| py.check_signals())
    }

    /// As [`check`](Self::check), for readers and writers. The error is not of the kind
    /// `Interrupted`, after which reading would be tried again.
    pub(crate) fn check_io(&mut self) -> io::Result<()> {
        self.check().map_err(io::Error::other)
    }
}

/// A reader that can be interrupted.
#[derive(Debug)]
pub(crate) struct Interruptible<R> {
    reader: R,
    signals: SignalCheck,
}

impl<R> Interruptible<R> {
    pub(crate) fn new(reader: R) -> Self {
        Interruptible {
            reader,
            signals: SignalCheck::new(),
        }
    }
}

impl<R: Read> Read for Interruptible<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.signals.check_io()?;
        self.reader.read(buffer)
    }
}

/// An exception that unwinds the stack.
struct Unwinding(PyErr);

/// A callback for the progress of a writer, which ends the work of
/// [`interruptible`] if a signal says so: such a callback cannot return an error.
pub(crate) fn on_progress() -> impl FnMut(u64) + Send {
    let mut signals = SignalCheck::new();
    move |_| {
        if let Err(error) = signals.check() {
            // The writer is dropped, and its temporary file with it.
            resume_unwind(Box::new(Unwinding(error)));
        }
    }
}

/// Does work whose callback may be [`on_progress`].
pub(crate) fn interruptible<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<Unwinding>() {
        Ok(unwinding) => unwinding.0,
        Err(panic) => resume_unwind(panic),
    })
}
