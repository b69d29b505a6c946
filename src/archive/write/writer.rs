//! Writing an archive from sources.

use crate::archive::error::Error;
use crate::archive::fs::names::TakenNames;
use crate::archive::options::PackOptions;
use crate::archive::report::pack::PackReport;
use crate::archive::write::call_state::CallState;
use crate::archive::write::segment_writer::SegmentWriter;
use crate::archive::write::source_reader::{SegmentText, SourceReader};
use crate::container::{self, CommitSlot, Source};
use crate::limits::Limits;
use std::fmt;
use std::io::{Read, Write};

/// A writer of archives, to a sink that need not seek.
///
/// Blocks are encoded on the thread pool of the feature `threads`. The output does not
/// depend on its size.
///
/// After an error no archive can be completed: all later calls return an error.
pub struct Writer<W> {
    container: container::ContainerWriter<W>,
    options: PackOptions,
    limits: Limits,
    source_reader: SourceReader,
    report: PackReport,
    on_progress: Box<dyn FnMut(u64) + Send>,
    calls: CallState,
}

impl<W> fmt::Debug for Writer<W> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Writer")
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// Begins an archive.
    ///
    /// # Errors
    /// The sink fails, or this build leaves out a model that the options need.
    pub fn new(sink: W, options: PackOptions) -> Result<Self, Error> {
        options.check()?;
        let container = container::ContainerWriter::new(sink)?;
        Ok(Writer::of(container, options, TakenNames::default()))
    }

    /// Continues an archive in which `names` are already taken.
    pub(crate) fn of(
        container: container::ContainerWriter<W>,
        options: PackOptions,
        names: TakenNames,
    ) -> Self {
        Writer {
            container,
            source_reader: SourceReader::new(options.segment_bytes, names),
            options,
            limits: Limits::default(),
            report: PackReport::default(),
            on_progress: Box::new(|_| {}),
            calls: CallState::default(),
        }
    }

    /// The sources that have been added.
    pub(crate) fn sources(&self) -> &[Source] {
        self.source_reader.sources()
    }

    /// Sets a callback that is called with the number of bytes of text packed so
    /// far, every few seconds or more often.
    pub fn on_progress(&mut self, on_progress: impl FnMut(u64) + Send + 'static) {
        self.on_progress = Box::new(on_progress);
    }

    /// Adds a source under a name. A number is added to a name that is taken.
    ///
    /// # Errors
    /// The name is not safe to unpack to, the source cannot be read, the sink fails, or
    /// an earlier call has failed.
    pub fn add_source(&mut self, name: &str, mut source: impl Read) -> Result<(), Error> {
        self.calls.begin()?;
        self.source_reader.open(name)?;
        while let Some(segment) = self.source_reader.read(&mut source)? {
            self.write_segment(&segment)?;
        }
        self.calls.end();
        Ok(())
    }

    fn write_segment(&mut self, segment: &SegmentText) -> Result<(), Error> {
        let writer = SegmentWriter {
            segment,
            options: &self.options,
            limits: &self.limits,
        };
        let done = self.report.raw_bytes;
        let on_progress = &mut self.on_progress;
        let report = &mut self.report;
        writer.write(&mut self.container, report, &mut |bytes| {
            on_progress(done + bytes);
        })?;
        Ok(())
    }

    /// Writes the last segment and the directory. Returns the sink and a report.
    ///
    /// # Errors
    /// The sink fails, or an earlier call has failed.
    pub fn finish(self) -> Result<(W, PackReport), Error> {
        let (sink, _, report) = self.finish_with_slot()?;
        Ok((sink, report))
    }

    /// As [`Writer::finish`]. Also returns the commit slot, which may be written to
    /// its offset if the sink can seek; an archive without it is complete as well.
    ///
    /// # Errors
    /// As [`Writer::finish`].
    #[doc(hidden)]
    pub fn finish_with_slot(mut self) -> Result<(W, CommitSlot, PackReport), Error> {
        self.calls.begin()?;
        let source_reader = std::mem::replace(
            &mut self.source_reader,
            SourceReader::new(0, TakenNames::default()),
        );
        let (rest, sources) = source_reader.finish();
        if let Some(rest) = rest {
            self.write_segment(&rest)?;
        }
        self.report.sources = sources.len() as u64;
        let (sink, slot) = self.container.finish(sources)?;
        Ok((sink, slot, self.report))
    }
}
