//! The next plies of games in a position: what an opening explorer counts.
//!
//! Games that go on alike are contiguous in the order of the tree, so a position of the tree is
//! answered by ranges of games, without looking at the games themselves.

use super::continuations::Continuations;
use super::node_positions::{NodePosition, NodePositions};
use super::plies::ReplayOutcome;
use super::replay::Replay;
use super::search::Index;
use super::target::{Found, SearchScope, SearchTarget};
use super::walk::{NodeMatch, TreeExit, TreeWalk};
use crate::chess::PlyKind;
use crate::codec::error::CodecError;
use crate::parallel;
use std::ops::Range;

/// What follows a position in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextPly {
    /// This ply.
    Ply(PlyKind),
    /// The game ends.
    End,
    /// Its moves must be decoded.
    Unknown(Found),
}

/// The games that have or may have a position, by their places in the tree order, with what
/// follows its first occurrence. No game is in two ranges.
pub type NextPlies = Vec<(Range<usize>, NextPly)>;

impl Index {
    /// The games of the tree, counted from 0 in the segment, in the tree order.
    pub fn game_order(&self) -> &[u32] {
        self.tree.game_order()
    }

    /// The games outside the tree, of which the index knows nothing.
    pub fn unindexed_games(&self) -> &[u32] {
        &self.tree.unindexed_games
    }

    /// What follows the first occurrence of a position in the main lines of the games of the tree.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn next_plies(
        &self,
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<NextPlies, CodecError> {
        let continuations = self.continuations.as_ref();
        let scope = SearchScope {
            in_variations: false,
            without_places: false,
        };
        let mut walk = TreeWalk::new(&self.tree, continuations, sought, scope);
        walk.run()?;
        let mut next = NextPlies::new();
        let mut starts = NodePositions::new(&self.tree);
        for node in &walk.matches {
            self.add_children(node, &mut next);
            next.extend(self.next_at_node(node, &mut starts)?);
        }
        next.extend(self.next_of_exits(&walk.exits, sought)?);
        Ok(next)
    }

    /// Adds the games that pass a matching node and one of its children.
    fn add_children(&self, parent: &NodeMatch, next: &mut NextPlies) {
        let end = self.tree.node(parent.node).map(|node| node.subtree_end);
        let mut child = parent.node + 1;
        while let Some(node) = self.tree.node(child)
            && Some(child) < end
        {
            let places = node.first_place..self.tree.games_before(node.subtree_end);
            next.push((places, NextPly::Ply(node.ply.ply())));
            child = node.subtree_end;
        }
    }

    /// The games that leave the tree at a matching node.
    fn next_at_node(
        &self,
        node: &NodeMatch,
        starts: &mut NodePositions<'_>,
    ) -> Result<NextPlies, CodecError> {
        let places = node.places.start..self.tree.games_before(node.node + 1);
        let unknown = NextPly::Unknown(Found::Ply(node.plies));
        let Some(continuations) = self.continuations.as_ref().filter(|_| !places.is_empty()) else {
            return Ok(vec![(places, unknown)]);
        };
        let start = starts.at_node(node.node)?;
        let skeleton = start.position.skeleton();
        let next = parallel::map(places, |place| {
            let exit = TreeExit {
                place,
                node: node.node,
                skeleton,
            };
            // Damaged first plies do not matter: the game itself has the move.
            let next = continuations.next_after(&exit, &start).unwrap_or(unknown);
            (place..place + 1, next)
        });
        Ok(next)
    }

    /// The games that have the position after they leave the tree.
    fn next_of_exits(
        &self,
        exits: &[TreeExit],
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<NextPlies, CodecError> {
        let of_place = |place: usize, next| (place..place + 1, next);
        let Some(continuations) = &self.continuations else {
            let unknown = NextPly::Unknown(Found::ANYWHERE);
            return Ok(exits
                .iter()
                .map(|exit| of_place(exit.place, unknown))
                .collect());
        };
        let mut starts = NodePositions::new(&self.tree);
        let judged = continuations.judge_all(exits, sought, false)?.into_iter();
        let started = judged.map(|(exit, found)| Ok((starts.at_node(exit.node)?, exit, found)));
        let started = started.collect::<Result<Vec<_>, CodecError>>()?;
        let next = parallel::map(&started, |(start, exit, found)| {
            let next = continuations.next_after_target(exit, start, *found, sought);
            let unknown = NextPly::Unknown(*found);
            Some(of_place(exit.place, next.unwrap_or(Some(unknown))?))
        });
        Ok(next.into_iter().flatten().collect())
    }
}

impl Continuations {
    /// The first ply of a game after the node where it leaves the tree.
    fn next_after(&self, exit: &TreeExit, start: &NodePosition) -> Result<NextPly, CodecError> {
        let unknown = NextPly::Unknown(Found::Ply(start.plies));
        let Some(plies) = &self.plies else {
            return Ok(unknown);
        };
        let events = self.tails.events(exit.place, exit.skeleton)?;
        let mut replay = Replay::new(start.position.clone(), events)?;
        let outcome = plies.replay(exit.place, start.plies, &mut replay, |_| true)?;
        Ok(match (outcome, replay.last) {
            (ReplayOutcome::Matched(_), Some(ply)) => NextPly::Ply(ply),
            (ReplayOutcome::GameOver, _) => NextPly::End,
            _ => unknown,
        })
    }

    /// What follows the target in such a game, of which the tail shows `by_tail`; `None` if the
    /// game does not contain the target.
    fn next_after_target(
        &self,
        exit: &TreeExit,
        start: &NodePosition,
        by_tail: Found,
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<Option<NextPly>, CodecError> {
        let Some(plies) = &self.plies else {
            return Ok(Some(NextPly::Unknown(by_tail)));
        };
        let events = self.tails.events(exit.place, exit.skeleton)?;
        let mut replay = Replay::new(start.position.clone(), events)?;
        let (mut ply, mut at, mut is_over) = (start.plies, None, false);
        // The replay stops one ply after the target, or where it cannot come any more.
        let stops = |replay: &Replay<'_>| {
            ply += 1;
            if at.is_some() {
                return true;
            }
            match sought.may_match(&replay.skeleton) {
                true if sought.matches(&replay.position) => at = Some(ply),
                true => {}
                false => is_over = sought.is_unreachable_after(&replay.skeleton),
            }
            is_over
        };
        let outcome = plies.replay(exit.place, start.plies, &mut replay, stops)?;
        if is_over {
            return Ok(None);
        }
        Ok(match (at, outcome, replay.last) {
            (Some(_), ReplayOutcome::Matched(_), Some(ply)) => Some(NextPly::Ply(ply)),
            (Some(_), ReplayOutcome::GameOver, _) => Some(NextPly::End),
            (Some(at), ..) => Some(NextPly::Unknown(Found::Ply(at))),
            (None, ReplayOutcome::GameOver, _) => None,
            (None, ..) => {
                let may_be = replay.may_match_later(sought, self.castlings(exit.place))?;
                may_be.then_some(NextPly::Unknown(by_tail))
            }
        })
    }
}
