//! Searching the indexes of a segment.

use super::continuations::{ContinuationCodes, Continuations};
use super::framed::{Records, checked};
use super::group::Group;
use super::group_search::GroupSearch;
use super::next_plies::{NextPlies, NextPly};
use super::openings::OpeningsHead;
use super::plan::SearchPlan;
use super::sections::IndexOrder;
use super::structures::{OUTSIDE_GROUP_GAMES, PawnStructure, StructureGroups, Structures};
use super::target::{Found, PlaceSet, SearchScope, SearchTarget};
use super::visits::Visits;
use crate::bits::ByteReader;
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;
use crate::parallel;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The indexes of a segment, as far as they have been read: the heads of sections, and the records of
/// groups that searches needed.
#[derive(Debug)]
pub struct Index {
    pub(super) openings: OpeningsHead,
    continuations: Option<ContinuationsHead>,
    structures: Option<Structures>,
    /// `None` if there are none.
    visits: OnceLock<Option<Arc<Visits>>>,
    groups: Vec<GroupSlot>,
    limits: Limits,
}

#[derive(Debug)]
struct ContinuationsHead {
    codes: ContinuationCodes,
    records: Records,
}

/// What has been read of a group.
#[derive(Debug, Default)]
struct GroupSlot {
    group: OnceLock<Group>,
    continuations: OnceLock<Continuations>,
}

const NOT_READ: CodecError = CodecError::Damaged("a group of an index that was not read");

impl Index {
    /// Decodes the head of the openings section of a segment with `games` games.
    ///
    /// # Errors
    /// The head is damaged or belongs to another segment, or a limit is exceeded.
    pub fn parse(head: &[u8], games: u32, limits: &Limits) -> Result<Index, CodecError> {
        let openings = OpeningsHead::parse(head, games, limits)?;
        let groups = openings.groups.iter().map(|_| GroupSlot::default());
        Ok(Index {
            groups: groups.collect(),
            openings,
            continuations: None,
            structures: None,
            visits: OnceLock::new(),
            limits: limits.clone(),
        })
    }

    /// Decodes the head of the continuations section of the segment.
    ///
    /// # Errors
    /// The head is damaged. The index is then unchanged.
    pub fn add_continuations(&mut self, head: &[u8]) -> Result<(), CodecError> {
        let head = checked(head)?;
        let mut reader = ByteReader::new(head);
        let codes = ContinuationCodes::parse(&mut reader, &self.limits)?;
        let sizes = ints::decode(reader.bytes()?, self.groups.len(), &self.limits)?;
        reader.finish()?;
        let records = Records::new(head, sizes);
        self.continuations = Some(ContinuationsHead { codes, records });
        Ok(())
    }

    /// Decodes the head of the structures section of the segment.
    ///
    /// # Errors
    /// The head is damaged. The index is then unchanged.
    pub fn add_structures(&mut self, head: &[u8]) -> Result<(), CodecError> {
        let outside = self.openings.unindexed_games.len();
        let structures = Structures::parse(head, self.groups.len(), outside, &self.limits)?;
        self.structures = Some(structures);
        Ok(())
    }

    /// Decodes the visits section of the segment.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded.
    pub(super) fn add_visits(&self, payload: &[u8]) -> Result<(), CodecError> {
        let visits = Visits::parse(payload, self.openings.trunk.places(), &self.limits)?;
        self.visits.get_or_init(|| Some(Arc::new(visits)));
        Ok(())
    }

    /// After visits were looked for: if there are none, they are not looked for again.
    pub(super) fn end_visits(&self) {
        self.visits.get_or_init(|| None);
    }

    /// Whether there are visits to read that a search for this target needs.
    pub(super) fn lacks_visits(&self, sought: &(impl SearchTarget + ?Sized)) -> bool {
        // The structure of the pawns and the first plies rule out most games that lack a position.
        let is_position = sought.position().is_some() && self.structures.is_some();
        self.visits.get().is_none() && self.continuations.is_some() && !is_position
    }

    /// The range in the structures section of what [`Index::plan`] needs; `None` if it needs nothing.
    pub(super) fn bucket(&self, sought: &(impl SearchTarget + ?Sized)) -> Option<Range<u64>> {
        Some(self.structures.as_ref()?.range(sought.pawns()?))
    }

    /// The range in the openings section of the record of a group; `None` if it has been read.
    pub(super) fn openings_record(&self, group: usize) -> Option<Range<u64>> {
        let slot = self.groups.get(group)?;
        slot.group
            .get()
            .is_none()
            .then(|| self.openings.records.range(group))
    }

    /// The range in the continuations section of the record of a group; `None` if it has been read, or
    /// if there is no such section.
    pub(super) fn continuations_record(&self, group: usize) -> Option<Range<u64>> {
        let slot = self.groups.get(group)?;
        let head = self.continuations.as_ref()?;
        slot.continuations
            .get()
            .is_none()
            .then(|| head.records.range(group))
    }

    /// Decodes the record of a group in the openings section.
    ///
    /// # Errors
    /// The record is damaged.
    pub(super) fn add_openings_record(
        &self,
        group: usize,
        record: &[u8],
    ) -> Result<(), CodecError> {
        let slot = self.groups.get(group).ok_or(NOT_READ)?;
        let places = self.openings.groups.get(group).ok_or(NOT_READ)?.clone();
        let games = self.games();
        let trunk = &self.openings.trunk;
        let parsed = Group::parse(checked(record)?, trunk, places, games, &self.limits)?;
        slot.group.get_or_init(|| parsed);
        Ok(())
    }

    /// Decodes the record of a group in the continuations section.
    ///
    /// # Errors
    /// The record is damaged.
    pub(super) fn add_continuations_record(
        &self,
        group: usize,
        record: &[u8],
    ) -> Result<(), CodecError> {
        let slot = self.groups.get(group).ok_or(NOT_READ)?;
        let games = self.openings.groups.get(group).map_or(0, Range::len);
        let head = self.continuations.as_ref().ok_or(NOT_READ)?;
        let parsed = Continuations::parse(checked(record)?, &head.codes, games, &self.limits)?;
        slot.continuations.get_or_init(|| parsed);
        Ok(())
    }

    /// The number of games of the segment.
    fn games(&self) -> u32 {
        let games = self.openings.trunk.places() + self.openings.unindexed_games.len();
        u32::try_from(games).unwrap_or(u32::MAX)
    }

    pub(super) fn all_groups(&self) -> Vec<usize> {
        (0..self.groups.len()).collect()
    }

    /// What seems to have a structure of pawns, by its bucket: groups after the trunk, and those outside
    /// the tree.
    pub(super) fn groups_with(
        &self,
        structure: PawnStructure,
        bucket: &[u8],
    ) -> Result<Option<StructureGroups>, CodecError> {
        let structures = self.structures.as_ref();
        structures
            .map(|it| it.groups_with(structure, bucket))
            .transpose()
    }

    /// The order of the games, of which the records in the openings section have been read.
    pub(super) fn order_loaded(&self) -> Result<IndexOrder, CodecError> {
        let mut tree_games = Vec::with_capacity(self.openings.trunk.places());
        for slot in &self.groups {
            tree_games.extend_from_slice(&slot.group.get().ok_or(NOT_READ)?.games);
        }
        Ok(IndexOrder {
            unindexed_games: self.openings.unindexed_games.clone(),
            tree_games,
        })
    }

    /// As [`Index::prepare`], after all records have been read.
    pub(super) fn prepare_loaded(&self) -> Result<(), CodecError> {
        (0..self.groups.len()).try_for_each(|group| {
            let search = self.group_search(group, None)?;
            search.prepare()
        })
    }

    /// As [`Index::search`], after what the plan needs has been read.
    pub(super) fn search_loaded(
        &self,
        plan: &SearchPlan,
        sought: &(impl SearchTarget + ?Sized),
        scope: SearchScope,
    ) -> Result<Vec<(u32, Found)>, CodecError> {
        let visitors = self.visitors(sought);
        let of_groups = parallel::try_map(&plan.searched, |group| {
            let search = self.group_search(*group, visitors.as_ref())?;
            search.search(sought, scope)
        })?;
        let mut found: Vec<(u32, Found)> = of_groups.concat();
        for matched in &plan.matched {
            for slot in self.groups.get(matched.groups.clone()).unwrap_or_default() {
                let games = slot.group.get().ok_or(NOT_READ)?.games.iter();
                found.extend(games.map(|game| (*game, matched.found)));
            }
        }
        let perhaps = |game: &u32| (*game, Found::ANYWHERE);
        match &plan.outside {
            Some(groups) if !scope.in_variations => {
                found.extend(self.outside_games(groups).map(perhaps));
            }
            _ => found.extend(self.openings.unindexed_games.iter().map(perhaps)),
        }
        if scope.in_variations {
            found.extend(self.openings.games_with_variations.iter().map(perhaps));
        }
        // The least result of a game holds.
        found.sort_unstable();
        found.dedup_by_key(|(game, _)| *game);
        Ok(found)
    }

    /// The games of groups outside the tree.
    fn outside_games(&self, groups: &[usize]) -> impl Iterator<Item = &u32> {
        let games = &self.openings.unindexed_games;
        let of_group = |group: &usize| games.chunks(OUTSIDE_GROUP_GAMES).nth(*group);
        groups.iter().filter_map(of_group).flatten()
    }

    /// As [`Index::next_plies`], after what the plan needs has been read.
    pub(super) fn next_plies_loaded(
        &self,
        plan: &SearchPlan,
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<NextPlies, CodecError> {
        let places = |group: usize| self.openings.groups.get(group).cloned().unwrap_or_default();
        let of_group = |group: &usize| -> Result<NextPlies, CodecError> {
            let first = places(*group).start;
            let next = self.group_search(*group, None)?.next_plies(sought)?;
            let next = next.into_iter();
            let next = next.map(|(at, next)| (first + at.start..first + at.end, next));
            Ok(next.collect())
        };
        let of_groups = parallel::try_map(&plan.searched, of_group)?;
        let mut next: NextPlies = of_groups.concat();
        for matched in plan
            .matched
            .iter()
            .filter(|matched| !matched.groups.is_empty())
        {
            let at = places(matched.groups.start).start..places(matched.groups.end - 1).end;
            let unknown = NextPly::Unknown(matched.found);
            next.push((at, matched.next.map_or(unknown, NextPly::Ply)));
        }
        Ok(next)
    }

    fn visitors(&self, sought: &(impl SearchTarget + ?Sized)) -> Option<PlaceSet> {
        sought.visitors(self.visits.get()?.as_ref()?)
    }

    fn group_search<'i>(
        &'i self,
        group: usize,
        visitors: Option<&'i PlaceSet>,
    ) -> Result<GroupSearch<'i>, CodecError> {
        let slot = self.groups.get(group).ok_or(NOT_READ)?;
        let places = self.openings.groups.get(group).ok_or(NOT_READ)?.clone();
        let continuations = slot.continuations.get();
        if continuations.is_none() && self.continuations.is_some() {
            return Err(NOT_READ);
        }
        if let (Some(continuations), Some(Some(visits))) = (continuations, self.visits.get()) {
            let first = places.start;
            continuations
                .visits
                .get_or_init(|| (Arc::clone(visits), first));
        }
        Ok(GroupSearch {
            group: slot.group.get().ok_or(NOT_READ)?,
            continuations,
            visitors: visitors.and_then(|visitors| visitors.get(places)),
        })
    }
}
