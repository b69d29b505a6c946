//! What is known of games behind the lines that they share.

use super::plies::{FirstPlies, Replayed};
use super::replay::Replay;
use super::sought::{Found, Sought};
use super::tails::Tails;
use super::tree::OpeningTree;
use super::walk::{ILLEGAL, Left};
use crate::chess::{Position, Skeleton};
use crate::codec::error::CodecError;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::sync::OnceLock;

/// The tails of games, and with them what is read of these.
#[derive(Debug, Clone)]
pub(super) struct Behind {
    pub(super) tails: Tails,
    pub(super) plies: Option<FirstPlies>,
    /// Set when something has been sought.
    is_asked: OnceLock<()>,
    /// The middle and the last skeleton of each game; `None` if one cannot be read.
    ways: OnceLock<Option<Vec<[Skeleton; 2]>>>,
}

impl Behind {
    pub(super) fn new(tails: Tails) -> Behind {
        Behind {
            tails,
            plies: None,
            is_asked: OnceLock::new(),
            ways: OnceLock::new(),
        }
    }

    /// The places of the games that may have what is sought, as far as the skeletons that
    /// are known tell: it comes behind the middle one or before it, and before the last.
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
        let places = (0..tree.order().len())
            .into_par_iter()
            .with_min_len(1 << 12);
        let possible =
            places.filter(|place| self.tails.may_have(*place, sought) && may_pass(*place));
        possible.collect::<Vec<_>>().into()
    }

    /// The skeletons on the way, once something has been sought before: to go through all
    /// tails takes as long as some searches, and makes each of the others several times
    /// as fast.
    fn ways(&self, tree: &OpeningTree) -> Option<&[[Skeleton; 2]]> {
        if self.is_asked.set(()).is_ok() {
            return None;
        }
        let ways = self.ways.get_or_init(|| self.read_ways(tree).ok());
        ways.as_deref()
    }

    fn read_ways(&self, tree: &OpeningTree) -> Result<Vec<[Skeleton; 2]>, CodecError> {
        let nodes = tree.leaving().into_par_iter();
        let ways = nodes.flat_map_iter(|(places, skeleton)| {
            places.map(move |place| self.tails.events(place, skeleton)?.way())
        });
        ways.collect()
    }

    /// Whether a game that has left the tree has what is sought behind it.
    pub(super) fn reach(
        &self,
        tree: &OpeningTree,
        left: &Left,
        sought: &(impl Sought + ?Sized),
    ) -> Result<Option<Found>, CodecError> {
        let events = self.tails.events(left.place, left.skeleton)?;
        if !sought.may_be(&left.skeleton) && !events.clone().may_reach(sought)? {
            return Ok(None);
        }
        let Some(plies) = &self.plies else {
            return Ok(Some(Found::Perhaps));
        };
        let shared = tree.plies_to(left.node);
        let mut start = Position::standard();
        for ply in &shared {
            start.play(ply.ply()).map_err(|_| ILLEGAL)?;
        }
        let mut replay = Replay::new(start, events)?;
        let is_it =
            |replay: &Replay<'_>| sought.may_be(&replay.skeleton) && sought.is(&replay.position);
        match plies.replay(left.place, shared.len(), &mut replay, is_it)? {
            Replayed::Seen(ply) => Ok(Some(Found::Ply(ply))),
            Replayed::End => Ok(None),
            Replayed::GoesOn => {
                let may_be = replay.may_be_or_reach(sought)?;
                Ok(may_be.then_some(Found::Perhaps))
            }
        }
    }
}
