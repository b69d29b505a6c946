//! What a search must read: the groups that may have its target.

use super::search::Index;
use super::target::{Found, SearchScope, SearchTarget};
use super::walk::{NodeMatch, TreeWalk};
use crate::chess::PlyKind;
use crate::codec::error::CodecError;
use std::collections::BTreeSet;
use std::ops::Range;

/// The groups that may have a target.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SearchPlan {
    /// Groups with games that may have it.
    pub(super) searched: Vec<usize>,
    /// Other groups of which all games have it.
    pub(super) matched: Vec<MatchedGroups>,
    /// The groups of games outside the tree that may have it; `None` for all these games.
    pub(super) outside: Option<Vec<usize>>,
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
                ..SearchPlan::default()
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
        let exits = walk.exits.iter();
        let exits = exits.flat_map(|exits| self.groups_with_some(&exits.places));
        let mut searched: BTreeSet<usize> = exits.collect();
        if let Some(possible) = &possible {
            searched.retain(|group| possible.tree.binary_search(group).is_ok());
        }
        let mut matched = Vec::new();
        for node in &walk.matches {
            let exits = node.places.start..self.openings.trunk.games_before(node.node + 1);
            if search == PlannedSearch::NextPlies {
                searched.extend(self.groups_with_some(&exits));
            }
            for (places, next) in self.matching_places(node, search) {
                let whole = self.groups_within(&places);
                let partly = self.groups_with_some(&places);
                searched.extend(partly.filter(|group| !whole.contains(group)));
                matched.push(MatchedGroups {
                    groups: whole,
                    found: node.found,
                    next,
                });
            }
        }
        Ok(SearchPlan {
            searched: searched.into_iter().collect(),
            matched,
            outside: possible.and_then(|possible| possible.outside),
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
