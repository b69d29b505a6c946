//! The entries of a directory as bytes.

use super::super::block::read_u32;
use super::super::error::{ContainerError, FilePlace};
use super::super::models::ModelEntry;
use super::super::names::SECTION_SEGMENTS;
use super::super::segment_id::SegmentId;
use super::super::slot::FIRST_SECTION;
use super::super::summary::SummaryEntry;
use super::{PartRange, SegmentEntry, Source};
use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};

/// The least bytes of an entry for a segment: the ID, a CRC-32, and twelve numbers.
const MIN_SEGMENT_BYTES: u64 = SegmentId::BYTES + 4 + 12;
/// The least bytes of the offset of a section of names.
const MIN_NAMES_OFFSET_BYTES: u64 = 1;
/// The least bytes of an entry for a parity section: three numbers.
const MIN_PARITY_BYTES: u64 = 3;
/// The least bytes of an entry for a source: a digest and four numbers.
const MIN_SOURCE_BYTES: u64 = 32 + 4;

/// The numbers of entries.
pub(super) struct Counts {
    pub(super) segments: u32,
    pub(super) parity: u32,
    pub(super) models: u32,
    pub(super) sources: u32,
}

impl Counts {
    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(Counts {
            segments: read_u32(reader)?,
            parity: read_u32(reader)?,
            models: read_u32(reader)?,
            sources: read_u32(reader)?,
        })
    }

    /// The least bytes of so many entries.
    pub(super) fn min_bytes(&self) -> u64 {
        let sections = u64::from(self.segments).div_ceil(SECTION_SEGMENTS as u64);
        MIN_SEGMENT_BYTES * u64::from(self.segments)
            + MIN_NAMES_OFFSET_BYTES * sections
            + MIN_PARITY_BYTES * u64::from(self.parity)
            + ModelEntry::MIN_BYTES * u64::from(self.models)
            + MIN_SOURCE_BYTES * u64::from(self.sources)
    }
}

/// What the entry of a segment is relative to.
pub(super) struct SegmentBefore {
    /// File offset after the previous segment.
    end: u64,
    /// Its last source.
    last_source: u32,
}

impl SegmentBefore {
    pub(super) const FIRST: SegmentBefore = SegmentBefore {
        end: FIRST_SECTION,
        last_source: 0,
    };

    pub(super) fn of(entry: &SegmentEntry) -> Self {
        SegmentBefore {
            end: entry.offset.saturating_add(entry.bytes),
            last_source: entry.last_source(),
        }
    }
}

pub(super) fn put_segment(out: &mut Vec<u8>, before: &SegmentBefore, entry: &SegmentEntry) {
    out.extend_from_slice(&entry.id.0);
    out.extend_from_slice(&entry.end_crc.to_le_bytes());
    put_varint(out, entry.offset.saturating_sub(before.end));
    put_varint(out, entry.bytes);
    put_varint(out, entry.end_bytes);
    put_varint(out, entry.games.into());
    put_varint(out, entry.records.saturating_sub(entry.games).into());
    put_varint(out, entry.raw_bytes);
    let first = entry.parts.first.saturating_sub(before.last_source);
    put_varint(out, first.into());
    put_varint(out, entry.parts.count.into());
    entry.summary.put(out);
}

pub(super) fn read_segment(
    reader: &mut ByteReader<'_>,
    before: &SegmentBefore,
) -> Result<SegmentEntry, BitsError> {
    let (id, end_crc) = (SegmentId(reader.array()?), reader.u32()?);
    let offset = before.end.saturating_add(reader.varint()?);
    let (bytes, end_bytes) = (reader.varint()?, reader.varint()?);
    let games = read_u32(reader)?;
    Ok(SegmentEntry {
        id,
        end_crc,
        offset,
        bytes,
        end_bytes,
        first_game: 0,
        games,
        records: games
            .checked_add(read_u32(reader)?)
            .ok_or(BitsError::Varint)?,
        raw_bytes: reader.varint()?,
        parts: PartRange {
            first: before.last_source.saturating_add(read_u32(reader)?),
            count: read_u32(reader)?,
        },
        summary: SummaryEntry::read(reader)?,
    })
}

pub(super) fn put_source(out: &mut Vec<u8>, source: &Source) {
    out.extend_from_slice(&source.digest);
    put_varint(out, source.bytes);
    put_varint(out, source.games);
    put_varint(out, source.records.saturating_sub(source.games));
    put_bytes(out, source.name.as_bytes());
}

pub(super) fn read_source(
    reader: &mut ByteReader<'_>,
    place: FilePlace,
) -> Result<Source, ContainerError> {
    let (mut source, name) = source_fields(reader).map_err(|error| place.decode_error(error))?;
    let name = std::str::from_utf8(name)
        .map_err(|_| place.invalid("the name of a source is not UTF-8"))?;
    name.clone_into(&mut source.name);
    Ok(source)
}

fn source_fields<'a>(reader: &mut ByteReader<'a>) -> Result<(Source, &'a [u8]), BitsError> {
    let (digest, bytes, games) = (reader.array()?, reader.varint()?, reader.varint()?);
    let source = Source {
        name: String::new(),
        bytes,
        games,
        records: games
            .checked_add(reader.varint()?)
            .ok_or(BitsError::Varint)?,
        digest,
    };
    Ok((source, reader.bytes()?))
}
