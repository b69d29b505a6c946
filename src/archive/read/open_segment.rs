//! A segment that is open for reading.

use crate::archive::block::OpenBlock;
use crate::archive::error::{ContentError, Error};
use crate::archive::tables::SegmentTables;
use crate::container::{SectionEntry, SectionType, Segment};
use crate::index::{DerivedTags, Index};
use crate::parallel::TryOnce;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// The error of a block whose index entry announces another number of games.
pub(super) const OTHER_GAMES: ContentError =
    ContentError::Invalid("another number of games than announced");

/// A segment with its tables.
#[derive(Debug, Clone)]
pub(crate) struct OpenSegment {
    pub(super) located: Arc<LocatedSegment>,
    pub(crate) tables: Arc<SegmentTables>,
}

/// A segment whose block index has been read. This is enough for a search by its indexes.
#[derive(Debug)]
pub(crate) struct LocatedSegment {
    /// Its number in the archive, from 0.
    pub(super) number: usize,
    pub(crate) segment: Segment,
    /// Its tables, loaded on first use.
    pub(super) tables: OnceLock<Arc<SegmentTables>>,
    /// The indexes, loaded on first use.
    pub(super) index: TryOnce<Option<PlacedIndex>>,
    /// The index of tags that depend on the moves, loaded on first use.
    pub(super) derived: TryOnce<Option<DerivedTags>>,
}

/// Indexes, and their offset in the file.
#[derive(Debug)]
pub(super) struct PlacedIndex {
    pub(super) index: Index,
    pub(super) offset: u64,
}

impl Deref for OpenSegment {
    type Target = LocatedSegment;

    fn deref(&self) -> &LocatedSegment {
        &self.located
    }
}

impl LocatedSegment {
    /// The entry of the first section of this type.
    pub(super) fn entry(&self, section_type: SectionType) -> Option<&SectionEntry> {
        let mut sections = self.segment.index().sections().iter();
        sections.find(|entry| entry.section_type == section_type)
    }
}

impl OpenSegment {
    /// The records of a block that are games, in order: as many as the block index announces.
    /// Segment and block are numbered from 0.
    ///
    /// # Errors
    /// The block does not show which records are games, or has another number of games.
    pub(super) fn game_records(
        &self,
        segment: usize,
        number: usize,
        block: &OpenBlock,
    ) -> Result<Vec<usize>, Error> {
        let error = |record, error| {
            Error::of_block(&self.segment, segment, number, error).in_record(record, None)
        };
        let mut records = Vec::new();
        // The last record first: it needs whole columns, so that each is decoded once.
        for record in (0..block.records()).rev() {
            if block
                .is_game(record)
                .map_err(|found| error(record, found))?
            {
                records.push(record);
            }
        }
        records.reverse();
        let entry = self.segment.index().blocks().get(number);
        let announced = entry.map(|entry| u64::from(entry.shape.games));
        if announced != Some(records.len() as u64) {
            return Err(error(0, OTHER_GAMES));
        }
        Ok(records)
    }
}
