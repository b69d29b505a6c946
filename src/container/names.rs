//! Sections of the names of players (spec/format.md, “Summaries of segments”). The names of a segment are a
//! Bloom filter, whose bits are divided into rows by the first bits of the hashes: the cells of many segments in one
//! row are read together.

use super::directory::SegmentEntry;
use super::error::{ContainerError, FilePlace};
use super::read_at::ReadAt;
use super::reader::Container;
use super::registry;
use super::section::{self, Section};
use super::slot::FIRST_SECTION;
use super::warning::Warning;
use crate::bits::{BitsError, ByteReader};
use crate::parallel::lock;
use std::ops::Range;
use std::sync::Arc;

/// The number of rows of names.
pub const NAME_ROWS: usize = 256;
/// The number of segments whose names are in one section. An append writes at most so many again.
pub(super) const SECTION_SEGMENTS: usize = 64;

pub(super) const CRC_BYTES: u64 = 4;

/// The cell of a segment in a row of names; `None` if nothing is known of its names.
pub type NameCell = Option<Vec<u8>>;

/// The bytes of a row of the names of these segments, with its checksum.
fn row_bytes(segments: &[SegmentEntry]) -> u64 {
    let cells = segments
        .iter()
        .filter_map(|entry| entry.summary.cell_bytes());
    CRC_BYTES + cells.map(|bytes| bytes as u64).sum::<u64>()
}

/// The payload of the section of the names of segments, of which each has the cells of all rows.
pub(super) fn encode(segments: &[Vec<u8>]) -> Vec<u8> {
    let mut payload = Vec::new();
    for row in 0..NAME_ROWS {
        let cells = segments.iter().map(|cells| cell_of(cells, row));
        let cells = cells.collect::<Vec<_>>().concat();
        payload.extend_from_slice(&crc32fast::hash(&cells).to_le_bytes());
        payload.extend_from_slice(&cells);
    }
    payload
}

/// The cell in a row of a segment with these cells.
fn cell_of(cells: &[u8], row: usize) -> &[u8] {
    let bytes = cells.len() / NAME_ROWS;
    cells.get(row * bytes..(row + 1) * bytes).unwrap_or(&[])
}

/// The cells of the segments of a section of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamesSection {
    /// Its number, from 0.
    number: usize,
    /// For each segment the cells of all rows.
    pub(super) segments: Vec<Vec<u8>>,
}

impl<S: ReadAt> Container<S> {
    /// The number of sections of names.
    fn names_sections(&self) -> usize {
        self.segments().len().div_ceil(SECTION_SEGMENTS)
    }

    /// The segments of a section of names, and its offset in the file; `None` if there is no such section.
    fn names_section(&self, number: usize) -> Option<(&[SegmentEntry], u64)> {
        let segments = self.segments().chunks(SECTION_SEGMENTS).nth(number)?;
        let offset = self.commit().directory.names_offset(number)?;
        Some((segments, offset))
    }

    /// Reads a row of the names of some segments: the cell of each, `None` if nothing is known of its names.
    /// Of names that are damaged nothing is known, with a warning.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn name_row(
        &self,
        row: usize,
        segments: Range<usize>,
    ) -> Result<(Vec<NameCell>, Vec<Warning>), ContainerError> {
        let first = segments.start / SECTION_SEGMENTS;
        let sections = first
            ..segments
                .end
                .div_ceil(SECTION_SEGMENTS)
                .min(self.names_sections());
        let ranges = sections.clone();
        let ranges = ranges.filter_map(|number| self.row_range(number, row));
        self.source().will_read(&ranges.collect::<Vec<_>>());
        let (mut cells, mut warnings) = (Vec::new(), Vec::new());
        for number in sections {
            let mut read = match self.read_row(number, row) {
                Ok(cells) => cells,
                Err(error) if !error.is_loss() => return Err(error),
                Err(_) => {
                    warnings.extend(self.names_warning(number));
                    Vec::new()
                }
            };
            read.resize(SECTION_SEGMENTS, None);
            cells.extend(read);
        }
        cells.drain(..(segments.start - first * SECTION_SEGMENTS).min(cells.len()));
        cells.resize(segments.len(), None);
        Ok((cells, warnings))
    }

    pub(super) fn names_warning(&self, number: usize) -> Option<Warning> {
        let (_, offset) = self.names_section(number)?;
        Some(Warning::IndexIgnored { offset })
    }

    /// Checks all sections of names.
    ///
    /// # Errors
    /// One cannot be read now.
    pub(super) fn damaged_names(&self) -> Result<Vec<Warning>, ContainerError> {
        let mut warnings = Vec::new();
        for number in 0..self.names_sections() {
            match self.read_names(number) {
                Ok(_) => {}
                Err(error) if !error.is_loss() => return Err(error),
                Err(_) => warnings.extend(self.names_warning(number)),
            }
        }
        Ok(warnings)
    }

    /// The range in the file of a row of a section of names.
    fn row_range(&self, number: usize, row: usize) -> Option<Range<u64>> {
        let (segments, offset) = self.names_section(number)?;
        let bytes = row_bytes(segments);
        let start = section::payload_offset(offset).checked_add(bytes * row as u64)?;
        Some(start..start.checked_add(bytes)?)
    }

    fn read_row(&self, number: usize, row: usize) -> Result<Vec<NameCell>, ContainerError> {
        let known = self.names_section(number).zip(self.row_range(number, row));
        let Some(((segments, offset), range)) = known else {
            // Without a section they have no bytes.
            let segments = self.segments().chunks(SECTION_SEGMENTS).nth(number);
            let segments = segments.unwrap_or_default().iter();
            let cell = |entry: &SegmentEntry| entry.summary.cell_bytes().map(|_| Vec::new());
            return Ok(segments.map(cell).collect());
        };
        let place = section::place(registry::NAMES, offset);
        let place = FilePlace {
            offset: range.start,
            ..place
        };
        let bytes = range.end - range.start;
        place.check_limit("size of a row of names", bytes, self.limits().index_bytes)?;
        self.read_mended(place, bytes, || {
            let read = self.input().read(place, bytes)?;
            read_cells(segments, &mut ByteReader::new(&read), place)
        })
    }

    /// Reads a section of names; `None` if there is none.
    ///
    /// # Errors
    /// It is damaged or cannot be read.
    fn read_names(&self, number: usize) -> Result<Option<NamesSection>, ContainerError> {
        let Some((entries, offset)) = self.names_section(number) else {
            return Ok(None);
        };
        let place = section::place(registry::NAMES, offset);
        let payload = row_bytes(entries).saturating_mul(NAME_ROWS as u64);
        let bytes = payload.saturating_add(section::FRAME_BYTES);
        place.check_limit("size of the names", bytes, self.limits().index_bytes)?;
        let section = self.read_mended(place, bytes, || {
            Section::check(self.input().read(place, bytes)?, place)
        })?;
        if section.section_type() != registry::NAMES {
            return Err(place.invalid("the section is not one of names"));
        }
        let mut reader = ByteReader::new(section.payload());
        let mut segments = vec![Vec::new(); entries.len()];
        for _ in 0..NAME_ROWS {
            let cells = read_cells(entries, &mut reader, place)?;
            for (all, cell) in segments.iter_mut().zip(cells) {
                all.extend(cell.unwrap_or_default());
            }
        }
        Ok(Some(NamesSection { number, segments }))
    }

    /// The cells of all rows of the segments of a section of names; `None` if there is none, or if it is
    /// damaged. The section that was read last is cached: segments are copied in order.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn names(&self, number: usize) -> Result<Option<Arc<NamesSection>>, ContainerError> {
        let mut latest = lock(&self.latest_names);
        if let Some(names) = latest.as_ref().filter(|names| names.number == number) {
            return Ok(Some(Arc::clone(names)));
        }
        match self.read_names(number) {
            Ok(names) => *latest = names.map(Arc::new),
            Err(error) if error.is_loss() => *latest = None,
            Err(error) => return Err(error),
        }
        Ok(latest.clone())
    }

    /// The size of all sections of names in bytes.
    pub fn names_bytes(&self) -> u64 {
        let sections = (0..self.names_sections()).filter_map(|number| self.names_section(number));
        let bytes = sections.map(|(segments, _)| {
            let payload = row_bytes(segments).saturating_mul(NAME_ROWS as u64);
            payload.saturating_add(section::FRAME_BYTES)
        });
        bytes.fold(0, u64::saturating_add)
    }
}

/// Reads the cells of a row, after its checksum.
fn read_cells(
    segments: &[SegmentEntry],
    reader: &mut ByteReader<'_>,
    place: FilePlace,
) -> Result<Vec<NameCell>, ContainerError> {
    let mut read = || -> Result<_, BitsError> {
        let crc = reader.u32()?;
        let mut found = crc32fast::Hasher::new();
        let cells = segments.iter().map(|entry| {
            let Some(bytes) = entry.summary.cell_bytes() else {
                return Ok(None);
            };
            let cell = reader.take(bytes)?;
            found.update(cell);
            Ok(Some(cell.to_vec()))
        });
        let cells = cells.collect::<Result<Vec<_>, BitsError>>()?;
        Ok((crc, found.finalize(), cells))
    };
    let (crc, found, cells) = read().map_err(|error| place.decode_error(error))?;
    place.checksum(crc, found)?;
    Ok(cells)
}

/// Whether names of these segments are in a section at a possible offset.
pub(super) fn is_possible(segments: &[SegmentEntry], offset: u64) -> bool {
    match row_bytes(segments) > CRC_BYTES {
        true => offset >= FIRST_SECTION,
        false => offset == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::directory::PartRange;
    use super::super::segment_id::SegmentId;
    use super::super::summary::SegmentSummary;
    use super::*;
    use crate::testing::examples::shown;

    const SPEC: &str = include_str!("../../spec/archive.md");

    /// The entry of a segment with these cells of names.
    fn segment(names: Option<Vec<u8>>) -> SegmentEntry {
        let summary = SegmentSummary {
            names,
            ..SegmentSummary::default()
        };
        SegmentEntry {
            offset: 80,
            bytes: 200,
            end_bytes: 64,
            end_crc: 0,
            id: SegmentId([0; 8]),
            first_game: 0,
            games: 1,
            records: 1,
            raw_bytes: 1,
            parts: PartRange { first: 0, count: 1 },
            summary: summary.entry().unwrap(),
        }
    }

    #[test]
    fn rows_are_those_of_the_specification() {
        let segments = [segment(Some(vec![0; NAME_ROWS]))];
        let place = section::place(registry::NAMES, 80);
        let read = |row: &[u8]| read_cells(&segments, &mut ByteReader::new(row), place);
        let row = shown(SPEC, "row of names");
        assert_eq!(read(&row).unwrap(), [Some(vec![0xe8])]);
        assert!(read(&shown(SPEC, "row of names, wrong")).is_err_and(|error| error.is_loss()));
        assert!(read(&row[..4]).is_err());
        let mut cells = vec![0; NAME_ROWS];
        cells[54] = 0xe8;
        let payload = encode(&[cells]);
        assert_eq!(payload[5 * 54..5 * 55], row);
    }

    #[test]
    fn segments_of_unknown_names_have_no_bytes() {
        let segments = [segment(Some(vec![0; 2 * NAME_ROWS])), segment(None)];
        assert_eq!(row_bytes(&segments), 4 + 2);
        assert!(is_possible(&segments, 80) && !is_possible(&segments, 0));
        assert!(!is_possible(&segments, 79));
        let none = [segment(None), segment(Some(Vec::new()))];
        assert!(is_possible(&none, 0) && !is_possible(&none, 80));
    }

    #[test]
    fn cells_are_as_long_in_all_rows() {
        let entry = |bytes: usize| {
            let names = Some(vec![0; bytes]);
            let summary = SegmentSummary {
                names,
                ..SegmentSummary::default()
            };
            summary.entry()
        };
        assert!(entry(0).is_some() && entry(NAME_ROWS).is_some());
        assert!(entry(1).is_none() && entry(NAME_ROWS + 1).is_none());
        assert!(entry(NAME_ROWS * 0xfffe).is_some() && entry(NAME_ROWS * 0xffff).is_none());
    }
}
