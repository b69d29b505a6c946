//! Writing an archive: sources in, segments out.

use super::block::MAX_BLOCK_RECORDS;
use super::error::ArchiveError;
use super::names::{free_name, unsafe_name};
use super::notation::fit_notation;
use super::plans::Plans;
use super::registry::ColumnId;
use super::segment::{BlockReport, EncodedBlock, Encoder, blocks};
use super::stored::StoredRecord;
use super::survey::survey;
use super::tables::SegmentTables;
use super::tunings::fit;
use crate::container::{self, CommitSlot, PartRange, Source, SourcePart, Tables};
use crate::limits::Limits;
use crate::moves::{Codec, Shipped};
use crate::pgn::{Record, Rest, Splitter};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::io::{Read, Write};
use std::ops::Range;

/// Blocks that are encoded side by side before they are written.
const BATCH_BLOCKS: usize = 64;

/// A segment of no more blocks is written without plans if that is smaller.
const FEW_BLOCKS: usize = 8;

/// How an archive is written.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// The move codecs to choose from, game by game: a model that needs no more
    /// than 4 bits a ply, else the smallest. A list of [`Codec::auto`] has them all.
    pub codecs: Vec<Codec>,
    /// How much text a segment holds, in bytes. It bounds the memory that
    /// packing takes: 1.3 times as much for master games on one thread, 5.5 times
    /// for a comment of 1 GB.
    pub segment_bytes: usize,
    /// How many records a block holds at most, 1 to [`MAX_BLOCK_RECORDS`]; other
    /// numbers count as the nearest of these.
    pub block_records: u32,
}

impl Default for PackOptions {
    fn default() -> Self {
        PackOptions {
            codecs: Codec::auto(Shipped::Default),
            segment_bytes: 128 << 20,
            block_records: 256,
        }
    }
}

/// What was packed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackReport {
    /// Sources.
    pub sources: u64,
    /// Games.
    pub games: u64,
    /// Size of all sources in bytes.
    pub raw_bytes: u64,
    /// Plies of main lines that are structure.
    pub plies: u64,
    /// Games whose text needs a patch beside its layout.
    pub patched: u64,
    /// Games that are kept verbatim from some place on, by reason.
    pub rests: BTreeMap<Rest, u64>,
    /// Bytes of all blocks by column.
    pub columns: BTreeMap<ColumnId, u64>,
}

impl PackReport {
    fn add(&mut self, block: &BlockReport) {
        self.plies += block.plies;
        self.patched += block.patched;
        for (rest, count) in &block.rests {
            *self.rests.entry(*rest).or_default() += count;
        }
        for (column, bytes) in &block.columns {
            *self.columns.entry(*column).or_default() += bytes;
        }
    }
}

/// The tables of a segment as they are written and as they are read.
struct ParsedTables {
    tables: Tables,
    parsed: SegmentTables,
}

impl ParsedTables {
    fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.bytes.len()).sum()
    }
}

/// One way to write the blocks of a segment.
struct Way<'w, 's> {
    encoder: Encoder<'s>,
    stored: &'w [StoredRecord<'s>],
    plans: &'w Plans<'s>,
}

impl Way<'_, '_> {
    fn block(&self, range: &Range<usize>) -> Option<EncodedBlock> {
        let stored = self.stored.get(range.clone())?;
        self.encoder.block(range.clone(), stored, self.plans)
    }
}

/// Writes an archive to a sink that need not seek.
///
/// Blocks are encoded in rayon's current thread pool. The bytes are the same
/// whatever its size.
pub struct Writer<W> {
    container: container::Writer<W>,
    options: PackOptions,
    limits: Limits,
    /// The text of the segment being filled.
    text: Vec<u8>,
    records: Vec<Record>,
    parts: Vec<SourcePart>,
    sources: Vec<Source>,
    segments: usize,
    /// Names in lower case, so that sources differ on any file system.
    names: HashSet<String>,
    /// The folders that the names stand in.
    folders: HashSet<String>,
    report: PackReport,
    on_progress: Box<dyn FnMut(u64) + Send>,
}

impl<W: Write> Writer<W> {
    /// Begins an archive.
    ///
    /// # Errors
    /// The sink fails.
    pub fn new(sink: W, options: PackOptions) -> Result<Self, ArchiveError> {
        Ok(Writer {
            container: container::Writer::new(sink)?,
            options,
            limits: Limits::default(),
            text: Vec::new(),
            records: Vec::new(),
            parts: Vec::new(),
            sources: Vec::new(),
            segments: 0,
            names: HashSet::new(),
            folders: HashSet::new(),
            report: PackReport::default(),
            on_progress: Box::new(|_| {}),
        })
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
        self.open_source(name)?;
        let mut digest = blake3::Hasher::new();
        let mut in_piece = false;
        let mut start = self.text.len();
        self.open_part(0);
        loop {
            let room = self.room();
            let read = self.fill(&mut source, room, name)?;
            let new = self.text.len() - read;
            digest.update(self.text.get(new..).unwrap_or_default());
            let is_last = read < room;
            (start, in_piece) = self.split(start, is_last, in_piece);
            if is_last {
                self.close_source(&digest);
                return Ok(());
            }
            if !self.records.is_empty() {
                let offset = self.source_bytes();
                self.flush(start)?;
                self.open_part(offset);
                start = 0;
            }
        }
    }

    /// Bytes to read next. A record that fills the segment makes it grow.
    fn room(&self) -> usize {
        let target = self.options.segment_bytes.max(1);
        match target.checked_sub(self.text.len()) {
            Some(room) if room > 0 => room,
            _ => target,
        }
    }

    fn fill(
        &mut self,
        source: &mut impl Read,
        room: usize,
        name: &str,
    ) -> Result<usize, ArchiveError> {
        let io_error = |error| ArchiveError::Io {
            what: format!("reading {name}"),
            error,
        };
        source
            .take(room as u64)
            .read_to_end(&mut self.text)
            .map_err(io_error)
    }

    fn open_source(&mut self, name: &str) -> Result<(), ArchiveError> {
        if let Some(reason) = unsafe_name(name) {
            return Err(ArchiveError::Name {
                name: name.to_owned(),
                reason,
            });
        }
        let name = self.free_path(name);
        let lower = name.to_lowercase();
        self.folders.extend(parents(&lower).map(str::to_owned));
        self.names.insert(lower);
        self.sources.push(Source {
            name,
            bytes: 0,
            games: 0,
            records: 0,
            digest: [0; 32],
        });
        Ok(())
    }

    /// The name with numbers where a file has the name of a folder in it, or a
    /// file or folder its own name.
    fn free_path(&self, name: &str) -> String {
        let mut parts = name.split('/').peekable();
        let mut path = String::new();
        while let Some(part) = parts.next() {
            let is_file = parts.peek().is_none();
            path = free_name(&format!("{path}{part}"), |name| {
                let name = name.to_lowercase();
                self.names.contains(&name) || (is_file && self.folders.contains(&name))
            });
            if !is_file {
                path.push('/');
            }
        }
        path
    }

    fn close_source(&mut self, digest: &blake3::Hasher) {
        if let Some(source) = self.sources.last_mut() {
            source.digest = *digest.finalize().as_bytes();
        }
    }

    fn source_bytes(&self) -> u64 {
        self.sources.last().map_or(0, |source| source.bytes)
    }

    /// Begins the part of the last source that this segment holds.
    fn open_part(&mut self, offset: u64) {
        let name = self.sources.last().map(|source| source.name.clone());
        self.parts.push(SourcePart {
            name: name.unwrap_or_default(),
            offset,
            bytes: 0,
            games: 0,
            records: 0,
        });
    }

    /// Cuts the text from `start` on into records; gives where the rest starts,
    /// and whether it goes on with a record that was cut.
    fn split(&mut self, start: usize, is_last: bool, in_piece: bool) -> (usize, bool) {
        let text = self.text.get(start..).unwrap_or_default();
        let mut splitter = Splitter::new(text, is_last, in_piece);
        for record in splitter.by_ref() {
            self.records.push(Record {
                start: start + record.start,
                end: start + record.end,
                ..record
            });
            let bytes = (record.end - record.start) as u64;
            let games = u64::from(record.is_game);
            if let (Some(source), Some(part)) = (self.sources.last_mut(), self.parts.last_mut()) {
                source.bytes += bytes;
                source.games += games;
                source.records += 1;
                part.bytes += bytes;
                part.games += games;
                part.records += 1;
            }
        }
        (start + splitter.position(), splitter.in_piece())
    }

    /// Writes the segment of the records so far, whose text ends at `end`, and
    /// keeps what follows.
    fn flush(&mut self, end: usize) -> Result<(), ArchiveError> {
        let text = std::mem::take(&mut self.text);
        let records = std::mem::take(&mut self.records);
        let parts = std::mem::take(&mut self.parts);
        let (packed, rest) = text.split_at_checked(end).unwrap_or((&text, &[]));
        self.write_segment(packed, &records, &parts)?;
        self.text = rest.to_vec();
        Ok(())
    }

    fn write_segment(
        &mut self,
        text: &[u8],
        records: &[Record],
        parts: &[SourcePart],
    ) -> Result<(), ArchiveError> {
        let survey = survey(text, records);
        let models = survey.models(&self.options.codecs);
        let tunings = fit(text, records, &models);
        let notation = fit_notation(text, records, !models.is_empty());
        let codecs = self.options.codecs.clone();
        let limits = self.limits.clone();
        let tables = |plans: &Plans<'_>| survey.tables(parts, &codecs, &tunings, &notation, plans);
        let plain = self.parsed(tables(&Plans::default())?)?;
        let encoder = |tables| Encoder {
            text,
            records,
            survey: &survey,
            tables,
            codecs: &codecs,
            limits: &limits,
        };
        let most = self.options.block_records.clamp(1, MAX_BLOCK_RECORDS);
        let blocks = blocks(records, usize::try_from(most).unwrap_or(1));
        let stored = self.take_apart(&encoder(&plain.parsed), &blocks);
        let plans = Plans::learn(&stored, &blocks, survey.names(), &limits);
        let planned = self.parsed(tables(&plans)?)?;
        let way = |tables, plans| Way {
            encoder: encoder(tables),
            stored: &stored,
            plans,
        };
        let none = Plans::default();
        let (plain_way, planned_way) = (way(&plain.parsed, &none), way(&planned.parsed, &plans));
        // Few records may take less without plans.
        let is_plain = blocks.len() <= FEW_BLOCKS && {
            let all = |way: &Way<'_, '_>| blocks.iter().map(|range| way.block(range)).collect();
            let size = |tables: &ParsedTables, blocks: Option<Vec<EncodedBlock>>| {
                Some(
                    tables.bytes()
                        + blocks?
                            .iter()
                            .map(|block| block.packed.len())
                            .sum::<usize>(),
                )
            };
            let plain_bytes = size(&plain, all(&plain_way));
            plain_bytes.is_some() && plain_bytes <= size(&planned, all(&planned_way))
        };
        let (tables, way) = match is_plain {
            true => (&plain, &plain_way),
            false => (&planned, &planned_way),
        };
        self.segments += 1;
        self.container.begin_segment(&tables.tables)?;
        self.write_blocks(&blocks, way)?;
        let count = parts.len();
        let first = self.sources.len() - count;
        self.container.end_segment(PartRange {
            first: u32::try_from(first).unwrap_or(u32::MAX),
            count: u32::try_from(count).unwrap_or(u32::MAX),
        })?;
        Ok(())
    }

    fn parsed(&self, tables: Tables) -> Result<ParsedTables, ArchiveError> {
        let parsed = SegmentTables::parse(&tables, &self.limits);
        let parsed = parsed.map_err(|error| ArchiveError::Tables {
            segment: self.segments,
            error,
        })?;
        Ok(ParsedTables { tables, parsed })
    }

    /// Takes all records of a segment apart.
    fn take_apart<'s>(
        &mut self,
        encoder: &Encoder<'s>,
        blocks: &[Range<usize>],
    ) -> Vec<StoredRecord<'s>> {
        let mut stored = Vec::with_capacity(encoder.records.len());
        for batch in blocks.chunks(BATCH_BLOCKS) {
            let take_apart = |range: &Range<usize>| encoder.take_apart(range.clone());
            let taken: Vec<_> = batch.par_iter().map(take_apart).collect();
            stored.extend(taken.into_iter().flatten());
            let end = encoder
                .records
                .get(..stored.len())
                .and_then(<[Record]>::last);
            (self.on_progress)(self.report.raw_bytes + end.map_or(0, |end| end.end as u64));
        }
        stored
    }

    fn write_blocks(
        &mut self,
        blocks: &[Range<usize>],
        way: &Way<'_, '_>,
    ) -> Result<(), ArchiveError> {
        for batch in blocks.chunks(BATCH_BLOCKS) {
            let encoded: Vec<Option<EncodedBlock>> =
                batch.par_iter().map(|range| way.block(range)).collect();
            for block in encoded {
                self.write_block(block.ok_or_else(|| self.unproven())?)?;
            }
        }
        Ok(())
    }

    fn write_block(&mut self, block: EncodedBlock) -> Result<(), ArchiveError> {
        self.container.block(block.shape, &block.packed)?;
        self.report.add(&block.report);
        self.report.games += u64::from(block.shape.games);
        self.report.raw_bytes += u64::from(block.shape.raw_bytes);
        Ok(())
    }

    fn unproven(&self) -> ArchiveError {
        let name = self.sources.last().map(|source| source.name.clone());
        ArchiveError::Unproven {
            source_name: name.unwrap_or_default(),
        }
    }

    /// Writes what is left and the directory; gives back the sink, with the
    /// commit slot that a sink that can seek is to hold, and what was packed.
    ///
    /// # Errors
    /// The sink fails.
    pub fn finish(mut self) -> Result<(W, CommitSlot, PackReport), ArchiveError> {
        if !self.records.is_empty() {
            self.flush(self.text.len())?;
        }
        self.report.sources = self.sources.len() as u64;
        let (sink, slot) = self.container.finish(self.sources)?;
        Ok((sink, slot, self.report))
    }
}

/// The folders that a name stands in.
fn parents(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('/')
        .filter_map(|(slash, _)| name.get(..slash))
}
