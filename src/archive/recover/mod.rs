//! Recovery of the intact parts of a damaged archive.

mod decode;
mod layout;
mod losses;
mod report;
mod segment;
mod source_digests;
mod tables;
mod writer;

pub use report::{LossReason, LostRange, RecoveredSource, RecoveryNote, RecoveryReport};

use crate::archive::error::{Error, write_error};
use crate::archive::fs::file::NewFile;
use crate::archive::read::indexes::Indexes;
use crate::container::{AnyBytes, BlockHeader, CommitSlot, ReadAt, RecoveryScan};
use crate::limits::Limits;
use layout::SourceLayout;
use std::collections::HashSet;
use std::fmt;
use std::io::{BufWriter, Write};
use std::sync::Arc;
use writer::RecoveryWriter;

/// A damaged archive that has been searched for intact blocks. It need not have a
/// header, commit slots, footers or a directory.
///
/// ```
/// use pgna::{Archive, Limits, NewFile, PackOptions, Recovery, Writer};
///
/// let text = &b"[White \"Morphy\"]\n\n1. e4 e5 1-0\n"[..];
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("one.pgn", text)?;
/// let (mut bytes, ..) = writer.finish()?;
/// bytes.pop();
/// assert!(Archive::new(&bytes[..]).is_err());
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("good.pgna");
/// let damaged = Recovery::open(pgna::Bytes(bytes), Limits::default())?;
/// let report = damaged.recover(NewFile::create(&path)?, None, false, |_| ())?;
/// assert!(report.is_complete() && report.sources[0].is_proven);
/// assert_eq!(report.segments_copied, 1);
/// assert_eq!(Archive::open_file(&path, Limits::default())?.text(1)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recovery {
    scan: RecoveryScan<AnyBytes>,
    layout: SourceLayout,
}

impl fmt::Debug for Recovery {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Recovery").finish_non_exhaustive()
    }
}

impl Recovery {
    /// Searches a file for the intact parts of an archive.
    ///
    /// # Errors
    /// The file has no intact section of an archive, its header has an unsupported
    /// version, or it cannot be read.
    pub fn open(bytes: impl ReadAt + Send + Sync + 'static, limits: Limits) -> Result<Self, Error> {
        let bytes: AnyBytes = Arc::new(bytes);
        let recovery = RecoveryScan::of(bytes, limits)?;
        let layout = SourceLayout::of(&recovery);
        Ok(Recovery {
            scan: recovery,
            layout,
        })
    }

    /// The raw size of all intact blocks, in bytes.
    pub fn text_bytes(&self) -> u64 {
        let segments = self.scan.segments().iter();
        let blocks = segments.flat_map(|segment| segment.blocks());
        let bytes = blocks.map(|header| u64::from(header.shape.raw_bytes));
        bytes.fold(0, u64::saturating_add)
    }

    /// Writes all intact blocks to a new archive, and reports what is lost. A segment that
    /// is whole is copied as it is. Of another one the intact blocks are copied; they are
    /// not encoded again, but its indexes are built again. Every block is decoded, on the
    /// thread pool of the feature `threads`, which proves it, and the digests of the
    /// sources with it.
    ///
    /// `indexes` is the kind of indexes of the new archive; with `None` each segment has
    /// the kind that it had. If the end of a segment is lost, which lists its indexes, it
    /// gets those that are found in the file. `on_progress` is called with the raw size in
    /// bytes of each block that is decoded. An existing file is replaced only if `replace`
    /// is set. If nothing is recovered, no file is written.
    ///
    /// # Errors
    /// The file cannot be written, or the damaged one cannot be read.
    pub fn recover(
        &self,
        file: NewFile,
        indexes: Option<Indexes>,
        replace: bool,
        on_progress: impl FnMut(u64),
    ) -> Result<RecoveryReport, Error> {
        let sink = file.file().try_clone();
        let sink = sink.map_err(|error| write_error(file.target(), error))?;
        let sink = BufWriter::with_capacity(1 << 20, sink);
        let (sink, slot, report) = self.write_recovered(sink, indexes, on_progress)?;
        if !report.is_nothing() {
            file.seal_and_commit(sink, slot, replace)?;
        }
        Ok(report)
    }

    /// As [`Recovery::recover`], to a sink that need not seek.
    ///
    /// # Errors
    /// The sink fails, or the damaged file cannot be read.
    #[doc(hidden)]
    pub fn write_recovered<W: Write>(
        &self,
        sink: W,
        indexes: Option<Indexes>,
        mut on_progress: impl FnMut(u64),
    ) -> Result<(W, CommitSlot, RecoveryReport), Error> {
        let writer = RecoveryWriter::new(&self.scan, &self.layout, sink, indexes)?;
        let (sink, slot, mut report) = writer.write(&mut on_progress)?;
        report.notes = self.notes(&report);
        Ok((sink, slot, report))
    }

    fn notes(&self, recovery: &RecoveryReport) -> Vec<RecoveryNote> {
        let mut notes = Vec::new();
        let segments = self.scan.segments();
        if self.scan.sources().is_none() {
            notes.push(RecoveryNote::NoDirectory);
        }
        let bytes = self.scan.mended_bytes();
        if bytes > 0 {
            notes.push(RecoveryNote::Mended { bytes });
        }
        let unlisted = segments.iter().filter(|segment| segment.is_unlisted);
        let unlisted = unlisted.count() as u64;
        if unlisted > 0 {
            notes.push(RecoveryNote::Unlisted { segments: unlisted });
        }
        if !self.is_extent_known() {
            notes.push(match self.scan.is_outdated() {
                true => RecoveryNote::Outdated,
                false => RecoveryNote::UnknownExtent,
            });
        }
        let planned = self.layout.sources.iter();
        let known = planned.filter(|planned| planned.known.is_some());
        let known: HashSet<&str> = known.map(|planned| planned.name.as_str()).collect();
        let losses = recovery.losses.iter();
        let lossy: HashSet<&str> = losses.filter_map(|loss| loss.source.as_deref()).collect();
        for source in recovery.sources.iter().filter(|source| !source.is_proven) {
            let name = source.name.as_str();
            if known.contains(name) && !lossy.contains(name) {
                notes.push(RecoveryNote::Unproven {
                    name: source.name.clone(),
                });
            }
        }
        notes
    }

    /// Whether the known segments are all segments that the archive had.
    fn is_extent_known(&self) -> bool {
        self.scan.sources().is_some() && !self.scan.is_outdated()
    }
}

/// The offset of the end of a block in the text of its segment, in bytes.
fn raw_end(header: &BlockHeader) -> u64 {
    let bytes = u64::from(header.shape.raw_bytes);
    header.raw_offset.saturating_add(bytes)
}

/// The number of games of the segment up to the end of a block.
fn games_end(header: &BlockHeader) -> u64 {
    u64::from(header.first_game) + u64::from(header.shape.games)
}
