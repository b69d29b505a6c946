//! What the directory says of the games of each segment, so that a search need not open those that have
//! none of its games (spec/format.md, “Summaries of segments”).

use super::block::read_u32;
use super::error::ContainerError;
use super::names::{NAME_ROWS, SECTION_SEGMENTS};
use super::read_at::ReadAt;
use super::reader::Container;
use super::warning::Warning;
use crate::bits::{BitsError, ByteReader, put_varint};

/// The size of a cell of names of which nothing is known.
pub(super) const UNKNOWN_NAMES: u16 = u16::MAX;

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
            put_varint(out, day.into());
        }
        let malformed = self.malformed_dates.and_then(|count| count.checked_add(1));
        put_varint(out, malformed.unwrap_or(0).into());
        put_varint(out, self.cell_bytes().map_or(0, |bytes| bytes as u64 + 1));
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(SummaryEntry {
            days: [read_u32(reader)?, read_u32(reader)?],
            malformed_dates: read_u32(reader)?.checked_sub(1),
            cell_bytes: match reader.varint()? {
                0 => UNKNOWN_NAMES,
                bytes => u16::try_from(bytes - 1)
                    .ok()
                    .filter(|bytes| *bytes != UNKNOWN_NAMES)
                    .ok_or(BitsError::Varint)?,
            },
        })
    }
}

impl<S: ReadAt> Container<S> {
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
}
