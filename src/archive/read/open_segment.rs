//! A segment that is open for reading.

use crate::archive::tables::SegmentTables;
use crate::container::{SectionEntry, SectionType, Segment};
use crate::index::{DerivedTags, Index};
use std::sync::{Arc, OnceLock};

/// A segment with its tables.
#[derive(Debug)]
pub(crate) struct OpenSegment {
    pub(crate) segment: Segment,
    pub(crate) tables: Arc<SegmentTables>,
    /// The indexes, loaded on first use.
    pub(super) index: OnceLock<Option<PlacedIndex>>,
    /// The index of tags that depend on the moves, loaded on first use.
    pub(super) derived: OnceLock<Option<DerivedTags>>,
}

/// Indexes, and their offset in the file.
#[derive(Debug)]
pub(super) struct PlacedIndex {
    pub(super) index: Index,
    pub(super) offset: u64,
}

impl OpenSegment {
    /// The entry of the first section of this type.
    pub(super) fn entry(&self, section_type: SectionType) -> Option<&SectionEntry> {
        let mut sections = self.segment.index().sections().iter();
        sections.find(|entry| entry.section_type == section_type)
    }
}
