//! Opening segments for reading: first their block indexes, then the head of their tables.

use crate::archive::block::{MAX_BLOCK_RECORDS, OpenBlock};
use crate::archive::error::{ContentError, Error};
use crate::archive::read::archive::{Archive, MAX_OPEN_SEGMENTS};
use crate::archive::tables::{SegmentTables, TablesSource};
use crate::container::{SectionEntry, SectionType, Segment};
use crate::index::{DerivedTags, Index};
use crate::parallel::{TryOnce, lock};
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

impl Archive {
    /// Reads the block indexes and the tables of all segments, and no block, so that what was
    /// mended in them is among the [warnings](Archive::warnings).
    ///
    /// # Errors
    /// A segment is damaged.
    pub fn read_structure(&self) -> Result<(), Error> {
        let mut segments = 0..self.container.segments().len();
        segments.try_for_each(|number| self.check_tables(&self.segment(number)?))
    }

    /// Reads all tables of a segment, so that what was mended in them is among the warnings.
    pub(super) fn check_tables(&self, open: &OpenSegment) -> Result<(), Error> {
        self.container.tables(&open.segment)?;
        Ok(())
    }

    /// A segment (from 0) with its tables.
    pub(crate) fn segment(&self, number: usize) -> Result<OpenSegment, Error> {
        let located = self.located_segment(number)?;
        let tables = match located.tables.get() {
            Some(tables) => Arc::clone(tables),
            None => {
                // Without a lock: they are parsed by several threads, which do other tasks while they wait.
                let tables = self.read_tables(&located)?;
                Arc::clone(located.tables.get_or_init(|| tables))
            }
        };
        Ok(OpenSegment { located, tables })
    }

    /// A segment (from 0), whose tables need not be read.
    pub(crate) fn located_segment(&self, number: usize) -> Result<Arc<LocatedSegment>, Error> {
        let mut opened = lock(&self.segments);
        if let Some(located) = opened.iter().find(|located| located.number == number) {
            return Ok(Arc::clone(located));
        }
        drop(opened);
        let segment = self.container.segment(number)?;
        check_blocks(number, &segment)?;
        let located = Arc::new(LocatedSegment {
            number,
            segment,
            tables: OnceLock::new(),
            index: TryOnce::default(),
            derived: TryOnce::default(),
        });
        opened = lock(&self.segments);
        // Another thread may have opened the same segment in the meantime.
        if let Some(located) = opened.iter().find(|located| located.number == number) {
            return Ok(Arc::clone(located));
        }
        if opened.len() >= MAX_OPEN_SEGMENTS {
            opened.remove(0);
        }
        opened.push(Arc::clone(&located));
        Ok(located)
    }

    fn read_tables(&self, located: &LocatedSegment) -> Result<Arc<SegmentTables>, Error> {
        let head = self.container.tables_head(&located.segment)?;
        located.segment.source_parts(&head.tables)?;
        let own = |id| self.own_model(id);
        let parsed = match head.is_whole {
            true => SegmentTables::parse(&head.tables, &own, self.limits()),
            false => SegmentTables::open(
                &head.tables,
                &own,
                self.tables_source(&located.segment),
                self.limits(),
            ),
        };
        let parsed =
            parsed.map_err(|error| Error::of_tables(&located.segment, located.number, error))?;
        Ok(Arc::new(parsed))
    }

    /// How all tables of a segment are read, when the large ones are first needed.
    fn tables_source(&self, segment: &Segment) -> TablesSource {
        let container = Arc::clone(&self.container);
        let place = segment.tables_place();
        TablesSource::new(move || Ok(container.tables_at(&place)?))
    }
}

/// Refuses blocks that claim more than the maximum number of records. The same check
/// on opening a block does not cover blocks that are never opened.
fn check_blocks(number: usize, segment: &Segment) -> Result<(), Error> {
    let mut blocks = segment.index().blocks().iter();
    match blocks.position(|block| block.shape.records > MAX_BLOCK_RECORDS) {
        Some(block) => {
            let error = ContentError::Invalid("too many records in a block");
            Err(Error::of_block(segment, number, block, error))
        }
        None => Ok(()),
    }
}
