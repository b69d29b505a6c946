//! Reading the parts of an index that a search needs.

use super::framed::section_head;
use super::next_plies::NextPlies;
use super::plan::{PlannedSearch, SearchPlan};
use super::search::Index;
use super::sections::IndexOrder;
use super::target::{Found, SearchScope, SearchTarget};
use super::{CONTINUATIONS, OPENINGS, STRUCTURES};
use crate::codec::error::CodecError;
use crate::container::SectionType;
use crate::limits::Limits;
use crate::parallel;
use std::ops::Range;

/// The sections of the indexes of a segment.
pub trait IndexSource: Sync {
    /// A failure to read. Damage of an index is one, too.
    type Error: From<CodecError> + Send;

    /// Reads a part of a section.
    ///
    /// # Errors
    /// There is no such part, or it cannot be read.
    fn part(&self, section: SectionType, range: Range<u64>) -> Result<Vec<u8>, Self::Error>;

    /// Announces that these parts of a section will be read.
    fn will_read(&self, section: SectionType, parts: &[Range<u64>]);

    /// Calls `parse` with the visits, if there are any.
    ///
    /// # Errors
    /// They cannot be read. If they are damaged, games are found without them.
    fn visits(&self, parse: &dyn Fn(&[u8]) -> Result<(), CodecError>) -> Result<(), Self::Error>;
}

/// The sections in memory; empty ones are missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexSections {
    pub openings: Vec<u8>,
    pub continuations: Vec<u8>,
    pub structures: Vec<u8>,
    pub visits: Vec<u8>,
}

impl IndexSections {
    /// The index of a segment with `games` games. Damaged sections but that of the openings are
    /// ignored.
    ///
    /// # Errors
    /// The openings are damaged, or a limit is exceeded.
    pub fn index(&self, games: u32, limits: &Limits) -> Result<Index, CodecError> {
        let mut index = Index::parse(section_head(&self.openings), games, limits)?;
        if index
            .add_continuations(section_head(&self.continuations))
            .is_ok()
        {
            let _ = index.add_structures(section_head(&self.structures));
        }
        Ok(index)
    }
}

impl IndexSource for IndexSections {
    type Error = CodecError;

    fn part(&self, section: SectionType, range: Range<u64>) -> Result<Vec<u8>, CodecError> {
        let section = match section {
            OPENINGS => &self.openings,
            CONTINUATIONS => &self.continuations,
            STRUCTURES => &self.structures,
            _ => &self.visits,
        };
        let at = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let part = section
            .get(at(range.start)..at(range.end))
            .map(<[u8]>::to_vec);
        part.ok_or(CodecError::Damaged(
            "a section of an index that ends too early",
        ))
    }

    fn will_read(&self, _: SectionType, _: &[Range<u64>]) {}

    fn visits(&self, parse: &dyn Fn(&[u8]) -> Result<(), CodecError>) -> Result<(), CodecError> {
        // Damaged visits are ignored.
        let _ = parse(&self.visits);
        Ok(())
    }
}

impl Index {
    /// Returns the games of the segment that contain or may contain the target, in
    /// ascending order, counted from 0; all games with variations, if these count. Groups are searched
    /// in parallel on the thread pool of the feature `threads`.
    ///
    /// # Errors
    /// The index is damaged or cannot be read.
    pub fn search<S: IndexSource>(
        &self,
        source: &S,
        sought: &(impl SearchTarget + ?Sized),
        scope: SearchScope,
    ) -> Result<Vec<(u32, Found)>, S::Error> {
        let plan = self.load_for(source, sought, PlannedSearch::Games)?;
        Ok(self.search_loaded(&plan, sought, scope)?)
    }

    /// What follows the first occurrence of a position in the main lines of the games of the tree.
    ///
    /// # Errors
    /// The index is damaged or cannot be read.
    pub fn next_plies<S: IndexSource>(
        &self,
        source: &S,
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<NextPlies, S::Error> {
        let plan = self.load_for(source, sought, PlannedSearch::NextPlies)?;
        Ok(self.next_plies_loaded(&plan, sought)?)
    }

    /// The order in which the index has the games.
    ///
    /// # Errors
    /// The index is damaged or cannot be read.
    pub fn order<S: IndexSource>(&self, source: &S) -> Result<IndexOrder, S::Error> {
        self.load_openings(source, &self.all_groups())?;
        Ok(self.order_loaded()?)
    }

    /// Reads all records, and computes what rules out games of which later searches would decode the tails
    /// or replay the first plies.
    ///
    /// # Errors
    /// The index is damaged or cannot be read.
    pub fn prepare<S: IndexSource>(&self, source: &S) -> Result<(), S::Error> {
        self.load_openings(source, &self.all_groups())?;
        self.load_continuations(source, &self.all_groups())?;
        Ok(self.prepare_loaded()?)
    }

    /// Reads what a search needs.
    pub(super) fn load_for<S: IndexSource>(
        &self,
        source: &S,
        sought: &(impl SearchTarget + ?Sized),
        search: PlannedSearch,
    ) -> Result<SearchPlan, S::Error> {
        let bucket = self.bucket(sought);
        let bucket = bucket.map(|range| {
            source.will_read(STRUCTURES, std::slice::from_ref(&range));
            source.part(STRUCTURES, range)
        });
        let plan = self.plan(sought, bucket.transpose()?.as_deref(), search)?;
        if self.lacks_visits(sought) {
            source.visits(&|payload| self.add_visits(payload))?;
            self.end_visits();
        }
        self.load_continuations(source, &plan.searched)?;
        let mut openings = plan.searched.clone();
        if search == PlannedSearch::Games {
            let matched = plan.matched.iter();
            openings.extend(matched.flat_map(|matched| matched.groups.clone()));
        }
        self.load_openings(source, &openings)?;
        Ok(plan)
    }

    fn load_openings<S: IndexSource>(&self, source: &S, groups: &[usize]) -> Result<(), S::Error> {
        let range = |group| self.openings_record(group);
        let add = |group, record: &[u8]| self.add_openings_record(group, record);
        load_records(source, OPENINGS, groups, range, add)
    }

    fn load_continuations<S: IndexSource>(
        &self,
        source: &S,
        groups: &[usize],
    ) -> Result<(), S::Error> {
        let range = |group| self.continuations_record(group);
        let add = |group, record: &[u8]| self.add_continuations_record(group, record);
        load_records(source, CONTINUATIONS, groups, range, add)
    }
}

/// Reads the records of these groups that have not been read.
fn load_records<S: IndexSource>(
    source: &S,
    section: SectionType,
    groups: &[usize],
    range: impl Fn(usize) -> Option<Range<u64>>,
    add: impl Fn(usize, &[u8]) -> Result<(), CodecError> + Sync,
) -> Result<(), S::Error> {
    let unread = groups
        .iter()
        .filter_map(|group| Some((*group, range(*group)?)));
    let unread: Vec<(usize, Range<u64>)> = unread.collect();
    if unread.is_empty() {
        return Ok(());
    }
    let ranges: Vec<Range<u64>> = unread.iter().map(|(_, range)| range.clone()).collect();
    source.will_read(section, &ranges);
    let read = |(group, range): &(usize, Range<u64>)| -> Result<(), S::Error> {
        Ok(add(*group, &source.part(section, range.clone())?)?)
    };
    parallel::try_map(&unread, read)?;
    Ok(())
}
