//! What a search must read: the groups that may have its target.

use super::search::Index;
use super::target::{Found, SearchScope, SearchTarget};
use super::walk::{NodeMatch, TreeWalk};
use crate::chess::PlyKind;
use crate::codec::error::CodecError;
use std::ops::Range;

/// The groups that may have a target.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SearchPlan {
    /// Groups with games that may have it.
    pub(super) searched: Vec<usize>,
    /// Other groups of which all games have it.
    pub(super) matched: Vec<MatchedGroups>,
}

/// Groups of which all games have the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MatchedGroups {
    pub(super) groups: Range<usize>,
    pub(super) found: Found,
    /// What all play then; `None` if they need not play the same.
    pub(super) next: Option<PlyKind>,
}

/// What is to be found out of games that have a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlannedSearch {
    /// The games themselves: [`Index::search`].
    Games,
    /// What they play after it: [`Index::next_plies`].
    NextPlies,
}

impl Index {
    /// The groups that a search must read. `bucket` is what [`Index::bucket`] asks for.
    ///
    /// # Errors
    /// The index is damaged.
    pub(super) fn plan(
        &self,
        sought: &(impl SearchTarget + ?Sized),
        bucket: Option<&[u8]>,
        search: PlannedSearch,
    ) -> Result<SearchPlan, CodecError> {
        if !sought.is_of_positions() {
            return Ok(SearchPlan {
                searched: self.all_groups(),
                matched: Vec::new(),
            });
        }
        let scope = SearchScope {
            in_variations: false,
            without_places: false,
        };
        let mut walk = TreeWalk::new(&self.openings.trunk, None, None, sought, scope);
        walk.run()?;
        let possible = match (sought.pawns(), bucket) {
            (Some(structure), Some(bucket)) => self.groups_with(structure, bucket)?,
            _ => None,
        };
        let mut searched = vec![false; self.openings.groups.len()];
        let mut search_all = |groups: Range<usize>| {
            searched.get_mut(groups).unwrap_or_default().fill(true);
        };
        for exits in &walk.exits {
            search_all(self.groups_with_some(&exits.places));
        }
        if let Some(possible) = possible {
            let mut is_possible = vec![false; self.openings.groups.len()];
            for group in possible {
                is_possible
                    .get_mut(group)
                    .into_iter()
                    .for_each(|it| *it = true);
            }
            let both = searched.iter_mut().zip(is_possible);
            both.for_each(|(searched, is_possible)| *searched &= is_possible);
        }
        let mut matched = Vec::new();
        for node in &walk.matches {
            if search == PlannedSearch::NextPlies {
                let exits = node.places.start..self.openings.trunk.games_before(node.node + 1);
                for group in self.groups_with_some(&exits) {
                    searched
                        .get_mut(group)
                        .into_iter()
                        .for_each(|it| *it = true);
                }
            }
            for (places, next) in self.matching_places(node, search) {
                let whole = self.groups_within(&places);
                for group in self.groups_with_some(&places) {
                    let is_partly = !whole.contains(&group);
                    searched
                        .get_mut(group)
                        .into_iter()
                        .for_each(|it| *it |= is_partly);
                }
                matched.push(MatchedGroups {
                    groups: whole,
                    found: node.found,
                    next,
                });
            }
        }
        let numbers = searched.iter().enumerate();
        Ok(SearchPlan {
            searched: numbers
                .filter(|(_, it)| **it)
                .map(|(group, _)| group)
                .collect(),
            matched,
        })
    }

    /// The games that pass a matching node, together or by what they play next. Of those that leave the
    /// trunk there no ply is known: their groups are searched.
    fn matching_places(
        &self,
        node: &NodeMatch,
        search: PlannedSearch,
    ) -> Vec<(Range<usize>, Option<PlyKind>)> {
        match search {
            PlannedSearch::Games => vec![(node.places.clone(), None)],
            PlannedSearch::NextPlies => {
                let after = self.openings.trunk.games_after(node.node);
                let after = after.into_iter().map(|(places, ply)| (places, Some(ply)));
                after.collect()
            }
        }
    }

    /// The groups that have one of these places.
    fn groups_with_some(&self, places: &Range<usize>) -> Range<usize> {
        let groups = &self.openings.groups;
        let first = groups.partition_point(|group| group.end <= places.start);
        let end = groups.partition_point(|group| group.start < places.end);
        match places.is_empty() {
            true => first..first,
            false => first..end.max(first),
        }
    }

    /// The groups that have no other places than these.
    fn groups_within(&self, places: &Range<usize>) -> Range<usize> {
        let groups = &self.openings.groups;
        let first = groups.partition_point(|group| group.start < places.start);
        let end = groups.partition_point(|group| group.end <= places.end);
        first..end.max(first)
    }
}
