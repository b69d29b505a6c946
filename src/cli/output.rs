//! Stdout.

use super::errors::Failure;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// Stdout with a large buffer; [`finish`](Output::finish) flushes it.
pub(crate) struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Self {
        Output(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
    }

    /// Whether the output goes to a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.0.get_ref().is_terminal()
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_all(bytes)
            .map_err(|error| Failure::stdout(&error))
    }

    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.bytes(line.as_bytes())?;
        self.bytes(b"\n")
    }

    /// A JSON value on a line of its own.
    pub(crate) fn json(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        self.line(&value.to_string())
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush().map_err(|error| Failure::stdout(&error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
