//! Searching the games of a group.

use super::continuations::Continuations;
use super::first_positions::FirstPositions;
use super::group::Group;
use super::node_positions::{NodePosition, NodePositions};
use super::target::{Found, SearchScope, SearchTarget};
use super::walk::{TreeExit, TreeWalk};
use crate::codec::error::CodecError;
use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use std::sync::Arc;

/// The games of a group, and what is known of them after they leave the tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupSearch<'i> {
    pub(super) group: &'i Group,
    pub(super) continuations: Option<&'i Continuations>,
    /// A bit for each game that may contain the target by what its pieces visit.
    pub(super) visitors: Option<&'i BitSlice<usize, Lsb0>>,
}

/// A game that leaves the tree, after the position there and with what its tail shows.
type StartedExit<'t> = (Arc<NodePosition>, &'t TreeExit, Found);

impl<'i> GroupSearch<'i> {
    pub(super) fn walk<S: SearchTarget + ?Sized>(
        self,
        sought: &'i S,
        scope: SearchScope,
    ) -> TreeWalk<'i, S> {
        let GroupSearch {
            group,
            continuations,
            visitors,
        } = self;
        TreeWalk::new(&group.tree, continuations, visitors, sought, scope)
    }

    /// The games that contain or may contain the target, counted from 0 in the segment.
    ///
    /// # Errors
    /// The index is damaged.
    pub(super) fn search(
        &self,
        sought: &(impl SearchTarget + ?Sized),
        scope: SearchScope,
    ) -> Result<Vec<(u32, Found)>, CodecError> {
        let mut walk = self.walk(sought, scope);
        walk.run()?;
        let mut found: Vec<(u32, Found)> = Vec::new();
        for node in &walk.matches {
            let games = walk.candidates(node.places.clone()).into_iter();
            let games = games.filter_map(|place| self.group.games.get(place));
            found.extend(games.map(|game| (*game, node.found)));
        }
        let exits = walk.exiting_games();
        found.extend(self.search_continuations(&exits, sought, scope)?);
        Ok(found)
    }

    /// The search results of the games that leave the tree.
    fn search_continuations(
        &self,
        leaving: &[TreeExit],
        sought: &(impl SearchTarget + ?Sized),
        scope: SearchScope,
    ) -> Result<Vec<(u32, Found)>, CodecError> {
        let game = |left: &TreeExit| self.group.games.get(left.place).copied();
        let Some(continuations) = self.continuations else {
            let anywhere = |left: &TreeExit| Some((game(left)?, Found::ANYWHERE));
            return Ok(leaving.iter().filter_map(anywhere).collect());
        };
        let judged = continuations.judge_all(leaving, sought, scope.without_places)?;
        let judged = judged.into_iter();
        if !sought.is_of_positions() {
            let judged = judged.filter_map(|(left, found)| Some((game(left)?, found)));
            return Ok(judged.collect());
        }
        let mut starts = NodePositions::new(&self.group.tree);
        let started = judged.map(|(left, found)| Ok((starts.at_node(left.node)?, left, found)));
        let started: Vec<StartedExit<'_>> = started.collect::<Result<_, CodecError>>()?;
        let found = started.iter().filter_map(|(start, left, by_tail)| {
            if *by_tail == Found::Somewhere {
                return Some((game(left)?, *by_tail));
            }
            // If the first plies are damaged, the result of the tails still holds.
            let found = continuations.find_in_first_plies((left, start), *by_tail, sought);
            game(left).zip(found.unwrap_or(Some(*by_tail)))
        });
        Ok(found.collect())
    }

    /// Computes what rules out games of which later searches would decode the tails or replay the first
    /// plies.
    ///
    /// # Errors
    /// The index is damaged.
    pub(super) fn prepare(&self) -> Result<(), CodecError> {
        if let Some(continuations) = self.continuations {
            continuations.prepare_summaries(&self.group.tree);
            let positions = FirstPositions::compute(&self.group.tree, continuations)?;
            continuations.first_positions.get_or_init(|| positions);
        }
        Ok(())
    }
}
