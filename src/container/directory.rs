//! The directory: the segments and sources of the archive (spec/format.md,
//! “Directory”).

#[cfg(test)]
mod tests;

use super::error::{ContainerError, Damage, FilePlace};
use super::footer::Totals;
use super::names::{SECTION_SEGMENTS, is_possible};
use super::section::FRAME_BYTES;
use super::segment_end;
use super::segment_id::SegmentId;
use super::slot::FIRST_SECTION;
use super::summary::SummaryEntry;
use crate::bits::{BitsError, ByteReader};

/// Bytes of the payload before the entries: two counts.
#[cfg(test)]
pub(super) const FIXED_BYTES: u64 = 8;
/// Bytes of an entry for a segment.
pub(super) const SEGMENT_ENTRY_BYTES: u64 = 74;
/// Bytes of the offset of a section of names.
const NAMES_OFFSET_BYTES: u64 = 8;
/// Bytes of an entry for a source without its name.
pub(super) const SOURCE_FIXED_BYTES: u64 = 58;

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
        let min_end_bytes = FRAME_BYTES + segment_end::FIXED_BYTES;
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

/// All segments and sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Directory {
    segments: Vec<SegmentEntry>,
    /// File offsets of the sections of names, 0 for none. Missing ones at the end are 0.
    names: Vec<u64>,
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

    pub(super) fn totals(&self) -> Totals {
        self.totals
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
        if source.name.len() > usize::from(u16::MAX)
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
        let mut out = self.totals.segments.to_le_bytes().to_vec();
        out.extend_from_slice(&self.totals.sources.to_le_bytes());
        self.segments
            .iter()
            .for_each(|entry| put_segment(&mut out, entry));
        self.names_offsets()
            .for_each(|offset| out.extend_from_slice(&offset.to_le_bytes()));
        self.sources
            .iter()
            .for_each(|source| put_source(&mut out, source));
        out
    }

    /// Decodes the payload of the directory section.
    pub(super) fn parse(payload: &[u8], place: FilePlace) -> Result<Self, ContainerError> {
        let mut reader = ByteReader::new(payload);
        let counts = read_counts(&mut reader).map_err(|error| place.decode_error(error))?;
        let (segments, sources) = counts;
        let sections = u64::from(segments).div_ceil(SECTION_SEGMENTS as u64);
        let min_bytes = SEGMENT_ENTRY_BYTES * u64::from(segments)
            + NAMES_OFFSET_BYTES * sections
            + SOURCE_FIXED_BYTES * u64::from(sources);
        if min_bytes > reader.rest().len() as u64 {
            return Err(place.invalid("more entries than the directory can hold"));
        }
        let mut directory = Directory::default();
        for _ in 0..segments {
            let entry = read_segment(&mut reader).map_err(|error| place.decode_error(error))?;
            let pushed = directory.push_segment(entry);
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        directory.read_names(&mut reader, place)?;
        for _ in 0..sources {
            let source = read_source(&mut reader, place)?;
            let pushed = directory.push_source(source);
            pushed.map_err(|damage| place.damaged(damage))?;
        }
        reader.finish().map_err(|error| place.decode_error(error))?;
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
            let offset = reader.u64().map_err(|error| place.decode_error(error))?;
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

fn read_counts(reader: &mut ByteReader<'_>) -> Result<(u32, u32), BitsError> {
    Ok((reader.u32()?, reader.u32()?))
}

fn put_segment(out: &mut Vec<u8>, entry: &SegmentEntry) {
    for field in [entry.offset, entry.bytes, entry.end_bytes, entry.raw_bytes] {
        out.extend_from_slice(&field.to_le_bytes());
    }
    out.extend_from_slice(&entry.id.0);
    let fields = [
        entry.games,
        entry.records,
        entry.parts.first,
        entry.parts.count,
        entry.end_crc,
    ];
    for field in fields {
        out.extend_from_slice(&field.to_le_bytes());
    }
    entry.summary.put(out);
}

fn read_segment(reader: &mut ByteReader<'_>) -> Result<SegmentEntry, BitsError> {
    Ok(SegmentEntry {
        offset: reader.u64()?,
        bytes: reader.u64()?,
        end_bytes: reader.u64()?,
        raw_bytes: reader.u64()?,
        id: SegmentId(reader.array()?),
        games: reader.u32()?,
        records: reader.u32()?,
        parts: PartRange {
            first: reader.u32()?,
            count: reader.u32()?,
        },
        end_crc: reader.u32()?,
        first_game: 0,
        summary: SummaryEntry::read(reader)?,
    })
}

fn put_source(out: &mut Vec<u8>, source: &Source) {
    for field in [source.bytes, source.games, source.records] {
        out.extend_from_slice(&field.to_le_bytes());
    }
    out.extend_from_slice(&source.digest);
    let len = u16::try_from(source.name.len()).unwrap_or(u16::MAX);
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(source.name.as_bytes());
}

fn read_source(reader: &mut ByteReader<'_>, place: FilePlace) -> Result<Source, ContainerError> {
    let (mut source, name) = source_fields(reader).map_err(|error| place.decode_error(error))?;
    let name = std::str::from_utf8(name)
        .map_err(|_| place.invalid("the name of a source is not UTF-8"))?;
    name.clone_into(&mut source.name);
    Ok(source)
}

fn source_fields<'a>(reader: &mut ByteReader<'a>) -> Result<(Source, &'a [u8]), BitsError> {
    let source = Source {
        name: String::new(),
        bytes: reader.u64()?,
        games: reader.u64()?,
        records: reader.u64()?,
        digest: reader.array()?,
    };
    let len = reader.u16()?;
    Ok((source, reader.take(len.into())?))
}
