//! Recovery of the intact parts of a damaged archive.

mod decode;
mod layout;
mod report;
mod stream;
mod tables;

pub use report::{LossReason, LostRange, RecoveredSource, RecoveryNote, RecoveryReport};

use crate::archive::error::Error;
use crate::archive::write::writer::Writer;
use crate::container::{AnyBytes, ReadAt, RecoveryScan, Totals};
use crate::limits::Limits;
use decode::RecoveredRun;
use layout::{PlannedSource, SourceLayout};
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use stream::Stream;

/// A damaged archive that has been searched for intact blocks. It need not have a
/// header, commit slots, footers or a directory.
///
/// ```
/// use pgna::{Archive, Limits, PackOptions, Recovery, Writer};
///
/// let text = &b"[White \"Morphy\"]\n\n1. e4 e5 1-0\n"[..];
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("one.pgn", text)?;
/// let (mut bytes, ..) = writer.finish()?;
/// bytes[..80].fill(0xff);
/// assert!(Archive::new(&bytes[..]).is_err());
///
/// let damaged = Recovery::open(pgna::Bytes(bytes.clone()), Limits::default())?;
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// let report = damaged.recover(&mut writer)?;
/// assert!(report.is_complete() && report.sources[0].is_proven);
/// assert_eq!(Archive::new(writer.finish()?.0)?.text(1)?, text);
/// # Ok::<(), pgna::Error>(())
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

    /// Packs the text of all intact blocks, source by source, and reports what is
    /// lost. Blocks are decoded on the thread pool of the feature `threads`.
    ///
    /// # Errors
    /// The writer fails.
    pub fn recover<W: Write>(&self, writer: &mut Writer<W>) -> Result<RecoveryReport, Error> {
        let mut stream = Stream::new(&self.scan, &self.layout);
        let mut recovery = RecoveryReport::default();
        for (number, planned) in self.layout.sources.iter().enumerate() {
            if stream.next_source() == Some(number) || planned.bytes == 0 {
                let source = add(writer, &mut stream, number, planned)?;
                recovery.games += source.games;
                recovery.bytes += source.bytes;
                recovery.sources.push(source);
            }
        }
        // This also passes remaining segments that have no intact block, and records
        // their losses.
        let left = stream.next_source();
        debug_assert_eq!(left, None, "runs are in the order of their sources");
        recovery.blocks = stream.blocks;
        recovery.losses = stream.losses;
        recovery.notes = self.notes(&recovery);
        Ok(recovery)
    }

    fn notes(&self, recovery: &RecoveryReport) -> Vec<RecoveryNote> {
        let mut notes = Vec::new();
        let segments = self.scan.segments();
        if self.scan.sources().is_none() {
            notes.push(RecoveryNote::NoDirectory);
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
        if self.scan.sources().is_some() && !self.scan.is_outdated() {
            return true;
        }
        let mut bytes = self.layout.segments.iter().map(|placed| placed.raw_bytes);
        let bytes = bytes.try_fold(0u64, |sum, bytes| sum.checked_add(bytes?));
        let gaps = self.layout.segments.iter();
        let has_gaps = gaps.map(|placed| placed.lost_before.len()).sum::<usize>() > 0;
        let totals = self.scan.totals();
        let sources = self.layout.sources.len() as u64;
        let is_all = |totals: Totals| {
            bytes == Some(totals.raw_bytes) && sources == u64::from(totals.sources)
        };
        !has_gaps && totals.is_some_and(is_all)
    }
}

/// Packs the recovered text of a source.
fn add<W: Write>(
    writer: &mut Writer<W>,
    stream: &mut Stream<'_>,
    number: usize,
    planned: &PlannedSource,
) -> Result<RecoveredSource, Error> {
    let mut text = SourceText {
        stream,
        number,
        piece: None,
        read: 0,
        digest: blake3::Hasher::new(),
        bytes: 0,
        games: 0,
    };
    writer.add_source(&planned.name, &mut text)?;
    let digest = *text.digest.finalize().as_bytes();
    let is_same =
        |known: &crate::container::Source| known.bytes == text.bytes && known.digest == digest;
    Ok(RecoveredSource {
        name: planned.name.clone(),
        bytes: text.bytes,
        games: text.games,
        is_proven: planned.known.as_ref().is_some_and(is_same),
    })
}

/// A reader of the recovered text of a source.
struct SourceText<'s, 'a> {
    stream: &'s mut Stream<'a>,
    number: usize,
    piece: Option<RecoveredRun>,
    /// The number of bytes of the piece that have been read.
    read: usize,
    digest: blake3::Hasher,
    bytes: u64,
    games: u64,
}

impl SourceText<'_, '_> {
    fn unread(&self) -> &[u8] {
        let piece = self.piece.as_ref();
        let rest = piece.and_then(|piece| piece.text.get(self.read..));
        rest.unwrap_or_default()
    }
}

impl Read for SourceText<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.unread().is_empty() {
            let Some(piece) = self.stream.next_of(self.number) else {
                return Ok(0);
            };
            self.digest.update(&piece.text);
            self.bytes += piece.text.len() as u64;
            self.games += piece.games;
            self.piece = Some(piece);
            self.read = 0;
        }
        let mut unread = self.unread();
        let read = unread.read(out)?;
        self.read += read;
        Ok(read)
    }
}
