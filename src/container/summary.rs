//! What the directory says of the games of each segment, so that a search need not open those that have
//! none of its games (spec/format.md, “Summaries of segments”).
//!
//! Sets of names are Bloom filters, whose bits are divided by the first bits of the hashes into rows: the
//! cells of many segments in one row are read together.

use super::directory::{Directory, SegmentEntry};
use super::error::{ContainerError, FilePlace};
use super::read_at::ReadAt;
use super::reader::Container;
use super::registry;
use super::section::{self, Section};
use super::slot::FIRST_SECTION;
use super::warning::Warning;
use crate::bits::{BitsError, ByteReader};
use std::ops::Range;
use std::sync::Arc;

/// The number of rows of names.
pub const NAME_ROWS: usize = 256;
/// The number of segments whose names are in one section. An append writes at most so many again.
pub(super) const SECTION_SEGMENTS: usize = 64;
/// The size of a cell of names of which nothing is known.
const UNKNOWN_NAMES: u16 = u16::MAX;

/// The number of games with malformed dates if it is not known.
const UNKNOWN_COUNT: u32 = u32::MAX;

const CRC_BYTES: u64 = 4;

/// What a writer knows of the games of a segment. The default is nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentSummary {
    /// No game has an earlier date than the first of these days, or a later one than the second, as numbers
    /// such as 20240131.
    pub days: [u32; 2],
    /// The number of games whose date is malformed; `None` if it is not known.
    pub malformed_dates: Option<u32>,
    /// The cells of its names, as many bytes for each row; `None` if nothing is known of them.
    pub names: Option<Vec<u8>>,
}

/// The part of a summary that is in the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummaryEntry {
    /// As [`SegmentSummary::days`].
    pub days: [u32; 2],
    /// As [`SegmentSummary::malformed_dates`].
    pub malformed_dates: Option<u32>,
    cell_bytes: u16,
}

impl Default for SegmentSummary {
    fn default() -> Self {
        SegmentSummary {
            days: [0, u32::MAX],
            malformed_dates: None,
            names: None,
        }
    }
}

impl SegmentSummary {
    /// The part for the directory; `None` if there are too many names, or not as many bytes for each row.
    pub(super) fn entry(&self) -> Option<SummaryEntry> {
        let cell_bytes = match &self.names {
            None => UNKNOWN_NAMES,
            Some(names) if names.len() % NAME_ROWS != 0 => return None,
            Some(names) => {
                let bytes = u16::try_from(names.len() / NAME_ROWS).ok();
                bytes.filter(|bytes| *bytes != UNKNOWN_NAMES)?
            }
        };
        Some(SummaryEntry {
            days: self.days,
            malformed_dates: self.malformed_dates,
            cell_bytes,
        })
    }
}

impl SummaryEntry {
    /// The entry of a segment of which nothing is known.
    #[cfg(test)]
    pub(super) const UNKNOWN: SummaryEntry = SummaryEntry {
        days: [0, u32::MAX],
        malformed_dates: None,
        cell_bytes: UNKNOWN_NAMES,
    };

    /// The size of its cell in a row of names; `None` if nothing is known of the names.
    pub fn cell_bytes(&self) -> Option<usize> {
        (self.cell_bytes != UNKNOWN_NAMES).then_some(self.cell_bytes.into())
    }

    pub(super) fn forget_names(&mut self) {
        self.cell_bytes = UNKNOWN_NAMES;
    }

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        for day in self.days {
            out.extend_from_slice(&day.to_le_bytes());
        }
        let malformed = self.malformed_dates.unwrap_or(UNKNOWN_COUNT);
        out.extend_from_slice(&malformed.to_le_bytes());
        out.extend_from_slice(&self.cell_bytes.to_le_bytes());
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(SummaryEntry {
            days: [reader.u32()?, reader.u32()?],
            malformed_dates: Some(reader.u32()?).filter(|count| *count != UNKNOWN_COUNT),
            cell_bytes: reader.u16()?,
        })
    }
}

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

/// The names of the last segments of a directory, which are not in a section yet.
#[derive(Debug, Default)]
pub(super) struct UnwrittenNames {
    /// For each segment the cells of all rows.
    segments: Vec<Vec<u8>>,
    /// The size of all cells.
    bytes: u64,
    /// Whether the directory has no section of them.
    pub(super) has_new: bool,
    /// A warning if they were damaged.
    pub(super) warning: Option<Warning>,
}

impl UnwrittenNames {
    /// Those of the last segments of a container, whose directory this is: an append writes them again, with
    /// those of its segments.
    pub(super) fn last_of<S: ReadAt>(
        container: &Container<S>,
        directory: &mut Directory,
    ) -> Result<Self, ContainerError> {
        let ended = directory.segments().len() / SECTION_SEGMENTS;
        let first = ended * SECTION_SEGMENTS;
        let count = directory.segments().len() - first;
        let has_some = directory.names_offset(ended).is_some();
        let names = match has_some {
            true => container.names(ended)?,
            false => None,
        };
        let mut warning = None;
        if has_some && names.is_none() {
            warning = container.names_warning(ended);
            directory.forget_names(first);
            directory.set_names_offset(ended, 0);
        }
        let segments = names.map_or(vec![Vec::new(); count], |names| names.segments.clone());
        Ok(UnwrittenNames {
            bytes: segments.iter().map(|cells| cells.len() as u64).sum(),
            segments,
            has_new: false,
            warning,
        })
    }

    /// Whether a section of at most so many bytes can have the names of another segment.
    pub(super) fn fits(&self, summary: &SegmentSummary, most: u64) -> bool {
        let own = summary.names.as_ref().map_or(0, Vec::len) as u64;
        let rows = NAME_ROWS as u64 * CRC_BYTES + section::FRAME_BYTES;
        own / NAME_ROWS as u64 <= u64::from(UNKNOWN_NAMES - 1)
            && self.bytes.saturating_add(own).saturating_add(rows) <= most
    }

    /// Adds the names of the next segment. Returns whether the section is full.
    pub(super) fn push(&mut self, cells: Vec<u8>) -> bool {
        self.bytes += cells.len() as u64;
        self.segments.push(cells);
        self.has_new = true;
        self.segments.len() >= SECTION_SEGMENTS
    }

    pub(super) fn take(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(self).segments
    }
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

    fn names_warning(&self, number: usize) -> Option<Warning> {
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
            return Ok(Vec::new());
        };
        let place = section::place(registry::NAMES, offset);
        let place = FilePlace {
            offset: range.start,
            ..place
        };
        let bytes = range.end - range.start;
        place.check_limit("size of a row of names", bytes, self.limits().index_bytes)?;
        let bytes = self.input().read(place, bytes)?;
        read_cells(segments, &mut ByteReader::new(&bytes), place)
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
        let section = Section::check(self.input().read(place, bytes)?, place)?;
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
        let mut latest = crate::parallel::lock(&self.latest_names);
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

    /// What is known of the games of a segment. Of names that are damaged nothing is known, with a warning.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn summary(
        &self,
        segment: usize,
    ) -> Result<(SegmentSummary, Option<Warning>), ContainerError> {
        let Some(entry) = self.segments().get(segment).map(|entry| entry.summary) else {
            return Ok((SegmentSummary::default(), None));
        };
        let (section, place) = (segment / SECTION_SEGMENTS, segment % SECTION_SEGMENTS);
        let mut warning = None;
        let names = match entry.cell_bytes() {
            None => None,
            Some(0) => Some(Vec::new()),
            Some(_) => {
                let names = self.names(section)?;
                let names = names.and_then(|names| names.segments.get(place).cloned());
                if names.is_none() {
                    warning = self.names_warning(section);
                }
                names
            }
        };
        let summary = SegmentSummary {
            days: entry.days,
            malformed_dates: entry.malformed_dates,
            names,
        };
        Ok((summary, warning))
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
