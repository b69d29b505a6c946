//! The directory: the segments and sources of the archive (spec/format.md,
//! “Directory”).

mod entries;
#[cfg(test)]
mod tests;

use super::error::{ContainerError, Damage, FilePlace};
use super::models::{MAX_MODELS, ModelDigest, ModelEntry};
use super::names::{SECTION_SEGMENTS, is_possible};
use super::parity::ParitySpan;
use super::section::FRAME_BYTES;
use super::segment_end;
use super::segment_id::SegmentId;
use super::slot::FIRST_SECTION;
use super::summary::SummaryEntry;
use crate::bits::{ByteReader, put_varint};
use entries::{Counts, SegmentBefore, put_segment, put_source, read_segment, read_source};

/// The longest name of a source in bytes.
pub(super) const MAX_NAME_BYTES: u64 = u16::MAX as u64;

/// A file that the archive contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name, at most 65,535 bytes. The caller must check whether it is safe as a
    /// path.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The number of its games.
    pub games: u64,
    /// The number of its records.
    pub records: u64,
    /// Its BLAKE3 digest.
    pub digest: [u8; 32],
}

/// A range of sources of which a segment holds parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartRange {
    /// Number of the first source, from 0.
    pub first: u32,
    /// The number of sources, at least 1.
    pub count: u32,
}

/// The entry of a segment in the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentEntry {
    /// File offset.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// Size of the segment's end in bytes.
    pub(super) end_bytes: u64,
    /// CRC-32 of the segment's end.
    pub(super) end_crc: u32,
    /// The segment's ID.
    pub id: SegmentId,
    /// Games of the archive before this segment.
    pub first_game: u64,
    /// The number of games of the segment.
    pub games: u32,
    /// The number of records of the segment.
    pub records: u32,
    /// Size of the segment's text in bytes.
    pub raw_bytes: u64,
    /// The sources of which the segment holds parts.
    pub parts: PartRange,
    /// What is known of its games.
    pub summary: SummaryEntry,
}

impl SegmentEntry {
    /// File offset of the segment's end section.
    pub(super) fn end_offset(&self) -> u64 {
        self.offset
            .saturating_add(self.bytes.saturating_sub(self.end_bytes))
    }

    fn is_possible(&self) -> bool {
        let min_end_bytes = FRAME_BYTES + segment_end::MIN_FIXED_BYTES;
        let counts = self.games <= self.records && u64::from(self.records) <= self.raw_bytes;
        let parts =
            self.parts.count > 0 && self.parts.first.checked_add(self.parts.count).is_some();
        self.records > 0 && counts && parts && (min_end_bytes..self.bytes).contains(&self.end_bytes)
    }

    /// Number of the last source of which the segment holds a part.
    fn last_source(&self) -> u32 {
        self.parts
            .first
            .saturating_add(self.parts.count)
            .saturating_sub(1)
    }
}

/// The totals of an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// The number of segments.
    pub segments: u32,
    /// The number of sources.
    pub sources: u32,
    /// The number of games.
    pub games: u64,
    /// The number of records: games and pieces of text that are not games.
    pub records: u64,
    /// Size of all sources in bytes.
    pub raw_bytes: u64,
}

/// All segments and sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Directory {
    segments: Vec<SegmentEntry>,
    /// File offsets of the sections of names, 0 for none. Missing ones at the end are 0.
    names: Vec<u64>,
    /// The parity sections between the segments.
    parity: Vec<ParitySpan>,
    models: Vec<ModelEntry>,
    sources: Vec<Source>,
    /// The sums over the segments, and the number of sources.
    totals: Totals,
}

const NOT_ASCENDING: Damage = Damage::Invalid("segments that overlap, or sources out of order");
const INVALID_COUNTS: Damage = Damage::Invalid("counts or sizes that cannot be");

impl Directory {
    pub(super) fn segments(&self) -> &[SegmentEntry] {
        &self.segments
    }

    pub(super) fn sources(&self) -> &[Source] {
        &self.sources
    }

    pub(super) fn parity(&self) -> &[ParitySpan] {
        &self.parity
    }

    pub(super) fn push_parity(&mut self, span: ParitySpan) {
        self.parity.push(span);
    }

    pub(super) fn models(&self) -> &[ModelEntry] {
        &self.models
    }

    pub(super) fn model(&self, digest: &ModelDigest) -> Option<&ModelEntry> {
        self.models.iter().find(|entry| entry.digest == *digest)
    }

    /// Appends a model, whose section is after those of the models before. So all models together
    /// are not larger than the file.
    pub(super) fn push_model(&mut self, entry: ModelEntry) -> Result<(), Damage> {
        let end = self.models.last().map_or(0, ModelEntry::end);
        if !entry.is_possible() || entry.offset < end || self.model(&entry.digest).is_some() {
            return Err(Damage::Invalid(
                "a model that cannot be, or that is listed twice",
            ));
        }
        if self.models.len() >= MAX_MODELS {
            return Err(Damage::Invalid("more models than a file may have"));
        }
        self.models.push(entry);
        Ok(())
    }

    pub(super) fn totals(&self) -> Totals {
        self.totals
    }

    pub(super) fn clear_parity(&mut self) {
        self.parity.clear();
    }

    /// File offset of a section of names, if there is one.
    pub(super) fn names_offset(&self, section: usize) -> Option<u64> {
        self.names
            .get(section)
            .copied()
            .filter(|offset| *offset > 0)
    }

    pub(super) fn set_names_offset(&mut self, section: usize, offset: u64) {
        if self.names.len() <= section {
            self.names.resize(section + 1, 0);
        }
        if let Some(place) = self.names.get_mut(section) {
            *place = offset;
        }
    }

    /// Makes nothing known of the names of the segments from `first` on.
    pub(super) fn forget_names(&mut self, first: usize) {
        let segments = self.segments.iter_mut().skip(first);
        segments.for_each(|entry| entry.summary.forget_names());
    }

    /// The offsets of the sections of names, one for each of so many segments.
    fn names_offsets(&self) -> impl Iterator<Item = u64> {
        let sections = 0..self.segments.len().div_ceil(SECTION_SEGMENTS);
        sections.map(|section| self.names_offset(section).unwrap_or(0))
    }

    /// File offset after the last segment.
    pub(super) fn end(&self) -> u64 {
        self.segments
            .last()
            .map_or(FIRST_SECTION, |last| last.offset.saturating_add(last.bytes))
    }

    /// Appends a segment and sets its `first_game`.
    pub(super) fn push_segment(&mut self, mut entry: SegmentEntry) -> Result<(), Damage> {
        let last_part = self.segments.last().map_or(0, SegmentEntry::last_source);
        if entry.offset < self.end() || entry.parts.first < last_part {
            return Err(NOT_ASCENDING);
        }
        if !entry.is_possible() || entry.offset.checked_add(entry.bytes).is_none() {
            return Err(INVALID_COUNTS);
        }
        entry.first_game = self.totals.games;
        self.add(&entry).ok_or(INVALID_COUNTS)?;
        self.segments.push(entry);
        Ok(())
    }

    fn add(&mut self, entry: &SegmentEntry) -> Option<()> {
        let totals = &mut self.totals;
        totals.segments = totals.segments.checked_add(1)?;
        totals.games = totals.games.checked_add(entry.games.into())?;
        totals.records = totals.records.checked_add(entry.records.into())?;
        totals.raw_bytes = totals.raw_bytes.checked_add(entry.raw_bytes)?;
        Some(())
    }

    /// Appends a source.
    pub(super) fn push_source(&mut self, source: Source) -> Result<(), Damage> {
        if source.name.len() as u64 > MAX_NAME_BYTES
            || source.games > source.records
            || source.records > source.bytes
        {
            return Err(INVALID_COUNTS);
        }
        let sources = self.totals.sources.checked_add(1);
        self.totals.sources = sources.ok_or(INVALID_COUNTS)?;
        self.sources.push(source);
        Ok(())
    }

    /// Checks that the sums over the sources equal the sums over the segments.
    pub(super) fn check_totals(&self) -> Result<(), Damage> {
        let mut sums = (0u64, 0u64, 0u64);
        for source in &self.sources {
            let add = |sum: u64, more: u64| sum.checked_add(more).ok_or(INVALID_COUNTS);
            sums = (
                add(sums.0, source.games)?,
                add(sums.1, source.records)?,
                add(sums.2, source.bytes)?,
            );
        }
        let totals = &self.totals;
        let known = self
            .segments
            .last()
            .is_none_or(|last| last.last_source() < totals.sources);
        if known && sums == (totals.games, totals.records, totals.raw_bytes) {
            return Ok(());
        }
        Err(Damage::Invalid("sources and segments do not add up"))
    }

    /// Encodes the payload of the directory section.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.segments.len() as u64);
        put_varint(&mut out, self.parity.len() as u64);
        put_varint(&mut out, self.models.len() as u64);
        put_varint(&mut out, self.sources.len() as u64);
        let mut before = SegmentBefore::FIRST;
        for entry in &self.segments {
            put_segment(&mut out, &before, entry);
            before = SegmentBefore::of(entry);
        }
        self.names_offsets()
            .for_each(|offset| put_varint(&mut out, offset));
        let mut end = FIRST_SECTION;
        for span in &self.parity {
            span.put(end, &mut out);
            end = span.end();
        }
        self.models.iter().for_each(|entry| entry.put(&mut out));
        self.sources
            .iter()
            .for_each(|source| put_source(&mut out, source));
        out
    }

    /// Decodes the payload of the directory section.
    pub(super) fn parse(payload: &[u8], place: FilePlace) -> Result<Self, ContainerError> {
        let mut reader = ByteReader::new(payload);
        let counts = Counts::read(&mut reader).map_err(|error| place.decode_error(error))?;
        if counts.min_bytes() > reader.rest().len() as u64 {
            return Err(place.invalid("more entries than the directory can hold"));
        }
        let mut directory = Directory::default();
        let mut before = SegmentBefore::FIRST;
        for _ in 0..counts.segments {
            let entry =
                read_segment(&mut reader, &before).map_err(|error| place.decode_error(error))?;
            before = SegmentBefore::of(&entry);
            let pushed = directory.push_segment(entry);
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        directory.read_names(&mut reader, place)?;
        let mut end = FIRST_SECTION;
        for _ in 0..counts.parity {
            let span = ParitySpan::read(end, &mut reader);
            let span = span.map_err(|error| place.decode_error(error))?;
            end = span.end();
            directory.push_parity(span);
        }
        for _ in 0..counts.models {
            let entry = ModelEntry::read(&mut reader);
            let pushed = directory.push_model(entry.map_err(|error| place.decode_error(error))?);
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        for _ in 0..counts.sources {
            let source = read_source(&mut reader, place)?;
            let pushed = directory.push_source(source);
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        reader.finish().map_err(|error| place.decode_error(error))?;
        let checked = ParitySpan::check_all(&directory.parity);
        checked.map_err(|damage| place.damaged(damage))?;
        directory
            .check_totals()
            .map_err(|damage| place.damaged(damage))?;
        Ok(directory)
    }

    fn read_names(
        &mut self,
        reader: &mut ByteReader<'_>,
        place: FilePlace,
    ) -> Result<(), ContainerError> {
        for section in 0..self.segments.len().div_ceil(SECTION_SEGMENTS) {
            let offset = reader.varint().map_err(|error| place.decode_error(error))?;
            let segments = self.segments.chunks(SECTION_SEGMENTS).nth(section);
            let segments = segments.unwrap_or_default();
            if !is_possible(segments, offset) {
                return Err(
                    place.invalid("names that are in no section, or a section without names")
                );
            }
            if offset > 0 {
                self.set_names_offset(section, offset);
            }
        }
        Ok(())
    }
}
