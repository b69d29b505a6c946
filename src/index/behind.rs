//! The index data of games after they leave the opening tree.

use super::plies::{FirstPlies, Replayed};
use super::replay::Replay;
use super::sought::{Found, Sought};
use super::starts::Start;
use super::tails::Tails;
use super::tree::OpeningTree;
use super::walk::Left;
use crate::chess::Skeleton;
use crate::codec::error::CodecError;
use crate::parallel;
use std::collections::VecDeque;
use std::sync::OnceLock;

/// The number of places, and of nodes, per parallel task.
const PLACES: usize = 1 << 12;
const NODES: usize = 1 << 8;

/// The tails of the games and, if the segment has them, their first plies.
#[derive(Debug, Clone)]
pub(super) struct Behind {
    pub(super) tails: Tails,
    pub(super) plies: Option<FirstPlies>,
    /// Set by the first search, and by the second.
    is_asked: OnceLock<()>,
    is_asked_again: OnceLock<()>,
    /// The middle and the last skeleton of each game. Filled by the second search.
    ways: OnceLock<Vec<[Skeleton; 2]>>,
}

impl Behind {
    pub(super) fn new(tails: Tails) -> Behind {
        Behind {
            tails,
            plies: None,
            is_asked: OnceLock::new(),
            is_asked_again: OnceLock::new(),
            ways: OnceLock::new(),
        }
    }

    /// The places of the games that may contain the target, as far as the known skeletons
    /// show: it can precede the last skeleton, and it can precede or follow the middle one.
    pub(super) fn possible(
        &self,
        tree: &OpeningTree,
        sought: &(impl Sought + ?Sized),
    ) -> VecDeque<usize> {
        let ways = self.ways(tree);
        let may_pass = |place: usize| {
            let way = ways.and_then(|ways| ways.get(place));
            way.is_none_or(|[middle, last]| {
                sought.may_have_been(last)
                    && (sought.may_have_been(middle) || !sought.is_behind(middle))
            })
        };
        let is_possible = |place: &usize| self.tails.may_have(*place, sought) && may_pass(*place);
        let places = tree.order().len();
        let possible = parallel::map((0..places).step_by(PLACES), |first| {
            let places = first..places.min(first + PLACES);
            places.filter(is_possible).collect::<Vec<usize>>()
        });
        possible.concat().into()
    }

    /// The cached middle and last skeletons. They are computed by the second search:
    /// decoding all tails takes as long as a few searches, and makes each later search
    /// several times as fast.
    fn ways(&self, tree: &OpeningTree) -> Option<&[[Skeleton; 2]]> {
        if self.is_asked.set(()).is_ok() {
            return None;
        }
        // One thread computes them and the others continue without. If a thread of the pool
        // waited for a result that itself needs the pool, it would deadlock.
        if self.is_asked_again.set(()).is_ok()
            && let Ok(ways) = self.read_ways(tree)
        {
            return Some(self.ways.get_or_init(|| ways));
        }
        self.ways.get().map(Vec::as_slice)
    }

    fn read_ways(&self, tree: &OpeningTree) -> Result<Vec<[Skeleton; 2]>, CodecError> {
        let leaving = tree.leaving();
        let ways = parallel::try_map(leaving.chunks(NODES), |nodes| {
            let games = nodes.iter().flat_map(|(places, skeleton)| {
                let places = places.clone();
                places.map(|place| (place, *skeleton))
            });
            let ways = games.map(|(place, skeleton)| self.tails.events(place, skeleton)?.way());
            ways.collect::<Result<Vec<_>, CodecError>>()
        })?;
        Ok(ways.concat())
    }

    /// Whether a game may contain the target at or after the node where it leaves the tree,
    /// according to its tail.
    pub(super) fn may_reach(
        &self,
        left: &Left,
        sought: &(impl Sought + ?Sized),
    ) -> Result<bool, CodecError> {
        let mut events = self.tails.events(left.place, left.skeleton)?;
        Ok(sought.may_be(&left.skeleton) || events.may_reach(sought)?)
    }

    /// Looks for the target in the first plies of such a game. Returns `None` if the game
    /// does not contain it.
    pub(super) fn reach(
        &self,
        plies: &FirstPlies,
        (left, start): (&Left, &Start),
        sought: &(impl Sought + ?Sized),
    ) -> Result<Option<Found>, CodecError> {
        let events = self.tails.events(left.place, left.skeleton)?;
        let mut replay = Replay::new(start.position.clone(), events)?;
        let is_it =
            |replay: &Replay<'_>| sought.may_be(&replay.skeleton) && sought.is(&replay.position);
        match plies.replay(left.place, start.plies, &mut replay, is_it)? {
            Replayed::Seen(ply) => Ok(Some(Found::Ply(ply))),
            Replayed::End => Ok(None),
            Replayed::GoesOn => {
                let may_be = replay.may_be_or_reach(sought)?;
                Ok(may_be.then_some(Found::Perhaps))
            }
        }
    }
}
