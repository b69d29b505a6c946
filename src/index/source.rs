//! Reading the parts of an index that a search needs.

use super::next_plies::NextPlies;
use super::plan::{PlannedSearch, SearchPlan};
use super::search::Index;
use super::sections::IndexOrder;
use super::target::{Found, SearchScope, SearchTarget};
use super::{CONTINUATIONS, OPENINGS, STRUCTURES};
use crate::codec::error::CodecError;
use crate::container::SectionType;
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
        let plan = self.read_for(source, sought, PlannedSearch::Games)?;
        Ok(self.search_read(&plan, sought, scope)?)
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
        let plan = self.read_for(source, sought, PlannedSearch::NextPlies)?;
        Ok(self.next_plies_read(&plan, sought)?)
    }

    /// The order in which the index has the games.
    ///
    /// # Errors
    /// The index is damaged or cannot be read.
    pub fn order<S: IndexSource>(&self, source: &S) -> Result<IndexOrder, S::Error> {
        self.read_openings(source, &self.all_groups())?;
        Ok(self.order_read()?)
    }

    /// Computes what rules out games that later searches for positions of openings would replay, if the
    /// index has first plies.
    ///
    /// # Errors
    /// The index is damaged or cannot be read.
    pub fn prepare_first_positions<S: IndexSource>(&self, source: &S) -> Result<(), S::Error> {
        self.read_openings(source, &self.all_groups())?;
        self.read_continuations(source, &self.all_groups())?;
        Ok(self.prepare_first_positions_read()?)
    }

    /// Reads what a search needs.
    pub(super) fn read_for<S: IndexSource>(
        &self,
        source: &S,
        sought: &(impl SearchTarget + ?Sized),
        search: PlannedSearch,
    ) -> Result<SearchPlan, S::Error> {
        let bucket = self.bucket(sought);
        let bucket = bucket.map(|range| source.part(STRUCTURES, range));
        let plan = self.plan(sought, bucket.transpose()?.as_deref(), search)?;
        if self.lacks_visits(sought) {
            source.visits(&|payload| self.add_visits(payload))?;
            self.end_visits();
        }
        self.read_continuations(source, &plan.searched)?;
        let mut openings = plan.searched.clone();
        if search == PlannedSearch::Games {
            let matched = plan.matched.iter();
            openings.extend(matched.flat_map(|matched| matched.groups.clone()));
        }
        self.read_openings(source, &openings)?;
        Ok(plan)
    }

    fn read_openings<S: IndexSource>(&self, source: &S, groups: &[usize]) -> Result<(), S::Error> {
        let range = |group| self.openings_record(group);
        let add = |group, record: &[u8]| self.add_openings_record(group, record);
        read_records(source, OPENINGS, groups, range, add)
    }

    fn read_continuations<S: IndexSource>(
        &self,
        source: &S,
        groups: &[usize],
    ) -> Result<(), S::Error> {
        let range = |group| self.continuations_record(group);
        let add = |group, record: &[u8]| self.add_continuations_record(group, record);
        read_records(source, CONTINUATIONS, groups, range, add)
    }
}

/// Reads the records of these groups that have not been read.
fn read_records<S: IndexSource>(
    source: &S,
    section: SectionType,
    groups: &[usize],
    range: impl Fn(usize) -> Option<Range<u64>>,
    add: impl Fn(usize, &[u8]) -> Result<(), CodecError> + Sync,
) -> Result<(), S::Error> {
    let unread = groups.iter().filter_map(|group| Some((*group, range(*group)?)));
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
