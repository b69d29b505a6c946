//! Adds inputs to an archive.

use super::common::Common;
use super::errors::{Failure, print_message};
use super::figures::{count, grouped};
use super::inputs::Input;
use super::progress::Progress;
use crate::{Appender, Error, ErrorClass, FileWriter, PackReport, VerbatimReason, Writer};
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::path::Path;

/// A writer to which sources can be added.
pub(crate) trait AddSources {
    fn show_progress(&mut self, show: Box<dyn FnMut(u64) + Send>);
    fn add(&mut self, name: &str, source: &mut dyn Read) -> Result<(), Error>;
}

macro_rules! add_sources {
    ($($writer:ty)*) => {$(
        impl AddSources for $writer {
            fn show_progress(&mut self, show: Box<dyn FnMut(u64) + Send>) {
                self.on_progress(show);
            }

            fn add(&mut self, name: &str, source: &mut dyn Read) -> Result<(), Error> {
                self.add_source(name, source)
            }
        }
    )*};
}

add_sources!(Appender FileWriter Writer<&mut dyn Write>);

/// Inputs that are added to an archive.
pub(crate) struct InputAdder<'a> {
    inputs: &'a [Input],
    archive: &'a Path,
    progress: Progress,
    is_quiet: bool,
}

impl<'a> InputAdder<'a> {
    /// `what` describes the operation on `archive`.
    pub(crate) fn new(
        what: &'static str,
        inputs: &'a [Input],
        common: &Common,
        archive: &'a Path,
    ) -> Self {
        let total = inputs.iter().map(Input::bytes).sum();
        InputAdder {
            inputs,
            archive,
            progress: Progress::new(what, total, common),
            is_quiet: common.quiet,
        }
    }

    /// Removes the progress bar.
    pub(crate) fn finish(&self) {
        self.progress.finish();
    }

    /// Adds all inputs.
    ///
    /// # Errors
    /// An input cannot be read, or the archive cannot be written.
    pub(crate) fn add_to(&self, target: &mut impl AddSources) -> Result<(), Failure> {
        let progress = self.progress.clone();
        target.show_progress(Box::new(move |bytes| progress.set(bytes)));
        for input in self.inputs {
            self.progress.verbose(&input.name);
            self.add_source(target, input)?;
        }
        Ok(())
    }

    fn add_source(&self, target: &mut impl AddSources, input: &Input) -> Result<(), Failure> {
        let name = input.stored_name();
        if name != input.name && !self.is_quiet {
            print_message(&format!("{}: packed as {name}", input.display().display()));
        }
        let unreadable = |error: &dyn Display| {
            Failure::usage(format!(
                "{}: {error}; nothing was written",
                input.display().display()
            ))
        };
        let text = input.open().map_err(|error| unreadable(&error))?;
        let mut text = Counted { text, bytes: 0 };
        match target.add(&name, &mut text) {
            // Errors of the archive have an offset.
            Err(error) if error.class() == ErrorClass::Io && error.offset().is_none() => {
                let error: &dyn std::error::Error = &error;
                Err(unreadable(&error.source().unwrap_or(error)))
            }
            Err(error) => Err(Failure::archive(self.archive, &error)),
            Ok(()) => {
                // Most likely the program that should write to stdin has
                // failed.
                if input.path.is_none() && text.bytes == 0 {
                    print_message("stdin: there was nothing to read; an empty source is stored");
                }
                Ok(())
            }
        }
    }
}

/// A reader that counts the bytes read.
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

/// Describes how many games were stored verbatim in part, and why; empty if
/// none was.
pub(crate) fn verbatim_summary(report: &PackReport) -> String {
    let games: u64 = report.verbatim.values().sum();
    if games == 0 {
        return String::new();
    }
    let reasons = report.verbatim.iter();
    let reasons: Vec<String> = reasons
        .map(|(reason, games)| format!("{} {}", grouped(*games), which(*reason)))
        .collect();
    let reasons = reasons.join("; ");
    format!(
        ", {} stored partly verbatim ({reasons}; `pgna find ARCHIVE -w 'verbatim?'` finds them)",
        count(games, "game")
    )
}

/// Describes games with this reason, after their number.
fn which(reason: VerbatimReason) -> &'static str {
    match reason {
        VerbatimReason::Text => "that is not a game",
        VerbatimReason::TooLong => "that is too long",
        VerbatimReason::Variation => "with an illegal or ambiguous move in a variation",
        VerbatimReason::StartPosition => "with a FEN that gives no position",
        VerbatimReason::Illegal => "with an illegal or ambiguous move",
        VerbatimReason::Misplaced => "with a misplaced move, variation, tag pair or result",
        VerbatimReason::Patch => "with a layout that is too irregular",
        VerbatimReason::Unverified => "that failed the writer's own check",
        VerbatimReason::Variant => "of an unknown variant",
    }
}
