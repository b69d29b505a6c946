//! Writing an archive: sources in, segments out.

use super::error::ArchiveError;
use super::intake::{Intake, Segment};
use super::names::Names;
use super::options::PackOptions;
use super::passes::Passes;
use super::report::PackReport;
use crate::container::{self, CommitSlot};
use crate::limits::Limits;
use std::io::{Read, Write};

/// Writes an archive to a sink that need not seek.
///
/// Blocks are encoded in rayon's current thread pool. The bytes are the same
/// whatever its size.
pub struct Writer<W> {
    container: container::Writer<W>,
    options: PackOptions,
    limits: Limits,
    intake: Intake,
    segments: usize,
    report: PackReport,
    on_progress: Box<dyn FnMut(u64) + Send>,
}

impl<W: Write> Writer<W> {
    /// Begins an archive.
    ///
    /// # Errors
    /// The sink fails.
    pub fn new(sink: W, options: PackOptions) -> Result<Self, ArchiveError> {
        let container = container::Writer::new(sink)?;
        Ok(Writer::of(container, options, Names::default(), 0))
    }

    /// Goes on behind segments that are there, with sources beside those that have
    /// these names.
    pub(super) fn of(
        container: container::Writer<W>,
        options: PackOptions,
        names: Names,
        segments: usize,
    ) -> Self {
        Writer {
            container,
            intake: Intake::new(options.segment_bytes, names),
            options,
            limits: Limits::default(),
            segments,
            report: PackReport::default(),
            on_progress: Box::new(|_| {}),
        }
    }

    /// Has `on_progress` called with the number of bytes of text that have been
    /// packed so far.
    pub fn on_progress(&mut self, on_progress: impl FnMut(u64) + Send + 'static) {
        self.on_progress = Box::new(on_progress);
    }

    /// Adds a source under a name; a name that is taken gets a number.
    ///
    /// # Errors
    /// The name is not safe to unpack to, the source cannot be read, or the sink
    /// fails. The writer is of no more use then.
    pub fn add_source(&mut self, name: &str, mut source: impl Read) -> Result<(), ArchiveError> {
        self.intake.open(name)?;
        while let Some(segment) = self.intake.read(&mut source)? {
            self.write_segment(&segment)?;
        }
        Ok(())
    }

    fn write_segment(&mut self, segment: &Segment) -> Result<(), ArchiveError> {
        let passes = Passes {
            segment,
            number: self.segments,
            options: &self.options,
            limits: &self.limits,
        };
        let done = self.report.raw_bytes;
        let on_progress = &mut self.on_progress;
        let report = &mut self.report;
        passes.write(&mut self.container, report, &mut |bytes| {
            on_progress(done + bytes);
        })?;
        self.segments += 1;
        Ok(())
    }

    /// Writes what is left and the directory; gives back the sink, with the
    /// commit slot that a sink that can seek is to hold, and what was packed.
    ///
    /// # Errors
    /// The sink fails.
    pub fn finish(mut self) -> Result<(W, CommitSlot, PackReport), ArchiveError> {
        let intake = std::mem::replace(&mut self.intake, Intake::new(0, Names::default()));
        let (rest, sources) = intake.finish();
        if let Some(rest) = rest {
            self.write_segment(&rest)?;
        }
        self.report.sources = sources.len() as u64;
        let (sink, slot) = self.container.finish(sources)?;
        Ok((sink, slot, self.report))
    }
}
