//! Inputs on their way into an archive.

use super::args::Common;
use super::errors::{Failure, say};
use super::figures::count;
use super::inputs::Input;
use super::progress::Progress;
use crate::archive::{ErrorClass, PackReport, Writer};
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::path::Path;

/// Inputs that are added to an archive.
pub(crate) struct Adding<'a> {
    inputs: &'a [Input],
    archive: &'a Path,
    progress: Progress,
    is_quiet: bool,
}

impl<'a> Adding<'a> {
    /// `what` is being done to `archive`.
    pub(crate) fn new(
        what: &'static str,
        inputs: &'a [Input],
        common: &Common,
        archive: &'a Path,
    ) -> Self {
        let total = inputs.iter().map(Input::bytes).sum();
        Adding {
            inputs,
            archive,
            progress: Progress::new(what, total, common),
            is_quiet: common.quiet,
        }
    }

    /// Takes the progress bar from the screen.
    pub(crate) fn finish(&self) {
        self.progress.finish();
    }

    /// Adds all inputs.
    ///
    /// # Errors
    /// One cannot be read, or the archive not be written.
    pub(crate) fn add_to<W: Write>(&self, writer: &mut Writer<W>) -> Result<(), Failure> {
        let progress = self.progress.clone();
        writer.on_progress(move |bytes| progress.set(bytes));
        for input in self.inputs {
            self.progress.verbose(&input.name);
            self.add_source(writer, input)?;
        }
        Ok(())
    }

    fn add_source<W: Write>(&self, writer: &mut Writer<W>, input: &Input) -> Result<(), Failure> {
        let name = input.stored_name();
        if name != input.name && !self.is_quiet {
            say(&format!("{}: packed as {name}", input.display().display()));
        }
        let unreadable = |error: &dyn Display| {
            Failure::usage(format!(
                "{}: {error}; nothing was written",
                input.display().display()
            ))
        };
        let text = input.open().map_err(|error| unreadable(&error))?;
        let mut text = Counted { text, bytes: 0 };
        match writer.add_source(&name, &mut text) {
            // Errors of the archive have an offset.
            Err(error) if error.class() == ErrorClass::Io && error.offset().is_none() => {
                let error: &dyn std::error::Error = &error;
                Err(unreadable(&error.source().unwrap_or(error)))
            }
            Err(error) => Err(Failure::archive(self.archive, &error)),
            Ok(()) => {
                // What was to write to it has failed, more often than not.
                if input.path.is_none() && text.bytes == 0 {
                    say("stdin: there was nothing to read; an empty source is kept");
                }
                Ok(())
            }
        }
    }
}

/// A text, and how much of it has been read.
struct Counted<R> {
    text: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(buffer)?;
        self.bytes += count as u64;
        Ok(count)
    }
}

/// Says which games were not wholly structure; nothing if all were.
pub(crate) fn verbatim(report: &PackReport) -> String {
    let games: u64 = report.rests.values().sum();
    if games == 0 {
        return String::new();
    }
    let reasons = report.rests.iter();
    let reasons: Vec<String> = reasons
        .map(|(rest, games)| format!("{} {games}", rest.describe()))
        .collect();
    let reasons = reasons.join(", ");
    format!(
        ", {} kept partly verbatim ({reasons})",
        count(games, "game")
    )
}
