//! Reading sources: their names are checked, and their text is divided into
//! records and gathered into segments.

use crate::archive::error::{Error, ErrorKind};
use crate::archive::fs::names::{TakenNames, unsafe_name};
use crate::container::{Source, SourcePart};
use crate::pgn::{Record, Splitter};
use std::io::Read;

/// The text of a segment, and its division into records.
#[derive(Debug, Default)]
pub(crate) struct SegmentText {
    pub(crate) text: Vec<u8>,
    pub(crate) records: Vec<Record>,
    /// The parts of sources that the segment holds.
    pub(crate) parts: Vec<SourcePart>,
    /// The number of the source of the first part, from 0.
    pub(crate) first_source: usize,
}

impl SegmentText {
    /// The text of a record.
    pub(crate) fn bytes(&self, record: &Record) -> &[u8] {
        self.text.get(record.start..record.end).unwrap_or_default()
    }
}

/// Reads sources and produces segments.
#[derive(Debug)]
pub(crate) struct SourceReader {
    /// The size of a segment's text, in bytes.
    segment_bytes: usize,
    /// The segment that is being filled. Its text may continue after the last
    /// record.
    segment: SegmentText,
    sources: Vec<Source>,
    names: TakenNames,
    open: OpenSource,
}

/// The source that is being read.
#[derive(Debug, Default)]
struct OpenSource {
    digest: blake3::Hasher,
    /// The offset in the segment's text at which the next record of the source
    /// begins.
    start: usize,
    /// Whether the text continues a record that was cut.
    in_piece: bool,
}

impl SourceReader {
    pub(crate) fn new(segment_bytes: usize, names: TakenNames) -> SourceReader {
        SourceReader {
            segment_bytes: segment_bytes.max(1),
            segment: SegmentText::default(),
            sources: Vec::new(),
            names,
            open: OpenSource::default(),
        }
    }

    /// The sources that have been opened.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Opens a source under a name. A number is added to a name that is taken.
    pub(crate) fn open(&mut self, name: &str) -> Result<(), Error> {
        if let Some(reason) = unsafe_name(name) {
            let name = name.to_owned();
            return Err(ErrorKind::Name { name, reason }.into());
        }
        self.sources.push(Source {
            name: self.names.reserve(name),
            bytes: 0,
            games: 0,
            records: 0,
            digest: [0; 32],
        });
        self.open = OpenSource {
            start: self.segment.text.len(),
            ..OpenSource::default()
        };
        self.open_part();
        Ok(())
    }

    /// Reads the open source until a segment is full, which is returned, or until
    /// the source ends (`None`).
    pub(crate) fn read(&mut self, source: &mut impl Read) -> Result<Option<SegmentText>, Error> {
        loop {
            let size = self.read_size();
            let read = self.fill(source, size)?;
            let is_last = read < size;
            self.split(is_last);
            if is_last {
                self.close();
                return Ok(None);
            }
            if !self.segment.records.is_empty() {
                let segment = self.take_segment(self.open.start);
                self.open.start = 0;
                self.open_part();
                return Ok(Some(segment));
            }
        }
    }

    /// Returns the last segment, unless it is empty, and all sources.
    pub(crate) fn finish(mut self) -> (Option<SegmentText>, Vec<Source>) {
        let rest = self.take_segment(self.segment.text.len());
        ((!rest.records.is_empty()).then_some(rest), self.sources)
    }

    /// The number of bytes to read next. If a single record fills the segment,
    /// the segment grows.
    fn read_size(&self) -> usize {
        match self.segment_bytes.checked_sub(self.segment.text.len()) {
            Some(size) if size > 0 => size,
            _ => self.segment_bytes,
        }
    }

    fn fill(&mut self, source: &mut impl Read, size: usize) -> Result<usize, Error> {
        let text = &mut self.segment.text;
        let before = text.len();
        let read = source.take(size as u64).read_to_end(text);
        let read = read.map_err(|error| {
            let name = self.sources.last().map(|source| source.name.as_str());
            let what = format!("reading {}", name.unwrap_or_default());
            ErrorKind::Io { what, error }
        })?;
        let new = text.get(before..).unwrap_or_default();
        self.open.digest.update(new);
        Ok(read)
    }

    /// Begins the part of the last source in this segment.
    fn open_part(&mut self) {
        let Some(source) = self.sources.last() else {
            return;
        };
        self.segment.parts.push(SourcePart {
            name: source.name.clone(),
            offset: source.bytes,
            bytes: 0,
            games: 0,
            records: 0,
        });
    }

    /// Divides the text read so far into records.
    fn split(&mut self, is_last: bool) {
        let start = self.open.start;
        let text = self.segment.text.get(start..).unwrap_or_default();
        let mut splitter = Splitter::new(text, is_last, self.open.in_piece);
        for record in splitter.by_ref() {
            self.segment.records.push(Record {
                start: start + record.start,
                end: start + record.end,
                ..record
            });
            let bytes = (record.end - record.start) as u64;
            let games = u64::from(record.is_game);
            let parts = &mut self.segment.parts;
            if let (Some(source), Some(part)) = (self.sources.last_mut(), parts.last_mut()) {
                source.bytes += bytes;
                source.games += games;
                source.records += 1;
                part.bytes += bytes;
                part.games += games;
                part.records += 1;
            }
        }
        self.open.start = start + splitter.position();
        self.open.in_piece = splitter.in_piece();
    }

    fn close(&mut self) {
        if let Some(source) = self.sources.last_mut() {
            source.digest = *self.open.digest.finalize().as_bytes();
        }
    }

    /// Takes the segment of the records so far, whose text ends at `end`. Later
    /// text is retained for the next segment.
    fn take_segment(&mut self, end: usize) -> SegmentText {
        let mut segment = std::mem::take(&mut self.segment);
        self.segment.text = segment.text.split_off(end.min(segment.text.len()));
        segment.first_source = self.sources.len().saturating_sub(segment.parts.len());
        segment
    }
}
