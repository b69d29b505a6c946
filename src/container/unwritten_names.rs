//! The names of segments that are not in a section yet (spec/format.md, “Summaries of segments”).

use super::directory::Directory;
use super::error::ContainerError;
use super::names::{CRC_BYTES, NAME_ROWS, SECTION_SEGMENTS};
use super::read_at::ReadAt;
use super::reader::Container;
use super::section;
use super::summary::{SegmentSummary, UNKNOWN_NAMES};
use super::warning::Warning;

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

    /// The names of segments since the last section.
    pub(super) fn take(&mut self) -> Vec<Vec<u8>> {
        (self.bytes, self.has_new) = (0, false);
        std::mem::take(&mut self.segments)
    }
}
