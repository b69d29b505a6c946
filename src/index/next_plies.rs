//! The next plies of games in a position: what an opening explorer counts.
//!
//! Games that go on alike are contiguous in the order of the tree, so a position of the tree is
//! answered by ranges of games, without looking at the games themselves.

use super::continuations::Continuations;
use super::group_search::GroupSearch;
use super::node_positions::{NodePosition, NodePositions};
use super::plies::ReplayOutcome;
use super::replay::Replay;
use super::target::{Found, SearchScope, SearchTarget};
use super::walk::{NodeMatch, TreeExit};
use crate::chess::PlyKind;
use crate::codec::error::CodecError;
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

impl GroupSearch<'_> {
    /// What follows the first occurrence of a position in the main lines of the games, by their places
    /// in the group.
    ///
    /// # Errors
    /// The index is damaged.
    pub(super) fn next_plies(
        &self,
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<NextPlies, CodecError> {
        let scope = SearchScope {
            in_variations: false,
            without_places: false,
        };
        let mut walk = self.walk(sought, scope);
        walk.run()?;
        let mut next = NextPlies::new();
        let mut starts = NodePositions::new(&self.group.tree);
        for node in &walk.matches {
            for (places, ply) in self.group.tree.games_after(node.node) {
                next.push((places, NextPly::Ply(ply)));
            }
            next.extend(self.next_at_node(node, &mut starts)?);
        }
        next.extend(self.next_of_exits(&walk.exiting_games(), sought)?);
        Ok(next)
    }

    /// The games that leave the tree at a matching node.
    fn next_at_node(
        &self,
        node: &NodeMatch,
        starts: &mut NodePositions<'_>,
    ) -> Result<NextPlies, CodecError> {
        let places = node.places.start..self.group.tree.games_before(node.node + 1);
        let unknown = NextPly::Unknown(Found::Ply(node.plies));
        let Some(continuations) = self.continuations.filter(|_| !places.is_empty()) else {
            return Ok(vec![(places, unknown)]);
        };
        let start = starts.at_node(node.node)?;
        let skeleton = start.position.skeleton();
        let next = places.map(|place| {
            let exit = TreeExit {
                place,
                node: node.node,
                skeleton,
            };
            // Damaged first plies do not matter: the game itself has the move.
            let next = continuations.next_after(&exit, &start).unwrap_or(unknown);
            (place..place + 1, next)
        });
        Ok(next.collect())
    }

    /// The games that have the position after they leave the tree.
    fn next_of_exits(
        &self,
        exits: &[TreeExit],
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<NextPlies, CodecError> {
        let of_place = |place: usize, next| (place..place + 1, next);
        let Some(continuations) = self.continuations else {
            let unknown = NextPly::Unknown(Found::ANYWHERE);
            return Ok(exits
                .iter()
                .map(|exit| of_place(exit.place, unknown))
                .collect());
        };
        let mut starts = NodePositions::new(&self.group.tree);
        let mut next = NextPlies::new();
        for (exit, found) in continuations.judge_all(exits, sought, false)? {
            let start = starts.at_node(exit.node)?;
            let after = continuations.next_after_target(exit, &start, found, sought);
            let unknown = NextPly::Unknown(found);
            next.extend(
                after
                    .unwrap_or(Some(unknown))
                    .map(|next| of_place(exit.place, next)),
            );
        }
        Ok(next)
    }
}

impl Continuations {
    /// The first ply of a game after the node where it leaves the tree.
    fn next_after(&self, exit: &TreeExit, start: &NodePosition) -> Result<NextPly, CodecError> {
        let unknown = NextPly::Unknown(Found::Ply(start.plies));
        let events = self.tails.events(exit.place, exit.skeleton)?;
        let mut replay = Replay::new(start.position.clone(), events)?;
        let outcome = self
            .plies
            .replay(exit.place, start.plies, &mut replay, |_| true)?;
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
        let outcome = self
            .plies
            .replay(exit.place, start.plies, &mut replay, stops)?;
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
