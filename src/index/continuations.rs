//! The index data of games after they leave the opening tree.

use super::candidates::{CandidateFilter, Candidates};
use super::first_positions::FirstPositions;
use super::node_positions::NodePosition;
use super::plies::{FirstPlies, ReplayOutcome};
use super::replay::Replay;
use super::tails::{TailSummaries, TailSummary, Tails};
use super::target::{Found, SearchTarget};
use super::tree::OpeningTree;
use super::visits::Visits;
use super::walk::TreeExit;
use crate::chess::Castlings;
use crate::codec::error::CodecError;
use crate::parallel;
use std::sync::{Arc, Mutex, OnceLock, TryLockError};

/// The number of nodes per parallel task.
const NODES_PER_TASK: usize = 1 << 8;
/// The number of games whose tails are judged per parallel task.
const GAMES_PER_TASK: usize = 64;

/// The tails of the games and, if the segment has them, their first plies and visits.
#[derive(Debug, Clone)]
pub(super) struct Continuations {
    pub(super) tails: Tails,
    pub(super) plies: Option<FirstPlies>,
    pub(super) visits: Option<Visits>,
    /// Set by the first search.
    first_search: OnceLock<()>,
    /// Held by the search that computes the summaries.
    summarizing: Arc<Mutex<()>>,
    /// The summary of each tail. Filled by the second search.
    summaries: OnceLock<TailSummaries>,
    /// The positions of the first plies, once they are computed.
    pub(super) first_positions: OnceLock<FirstPositions>,
}

impl Continuations {
    pub(super) fn new(tails: Tails) -> Continuations {
        Continuations {
            tails,
            plies: None,
            visits: None,
            first_search: OnceLock::new(),
            summarizing: Arc::default(),
            summaries: OnceLock::new(),
            first_positions: OnceLock::new(),
        }
    }

    /// The games that may contain the target.
    pub(super) fn candidates<'a, S: SearchTarget + ?Sized>(
        &'a self,
        tree: &'a OpeningTree,
        sought: &'a S,
    ) -> Candidates<'a, S> {
        let visits = self.visits.as_ref();
        let filter = CandidateFilter {
            sought,
            tails: &self.tails,
            visitors: visits.and_then(|visits| sought.visitors(visits)),
            home_pawns: sought.home_pawns(),
            summaries: self.summaries(tree),
        };
        Candidates::new(filter, tree.game_order().len())
    }

    /// To which sides the players castle in the game at `place`, if that is known.
    pub(super) fn castlings(&self, place: usize) -> Option<Castlings> {
        self.visits.as_ref()?.castlings(place)
    }

    /// The cached summaries. They are computed by the second search: decoding all tails takes as
    /// long as a few searches, and makes each later search several times as fast.
    fn summaries(&self, tree: &OpeningTree) -> Option<&TailSummaries> {
        if self.first_search.set(()).is_ok() {
            return None;
        }
        if self.summaries.get().is_some() {
            return self.summaries.get();
        }
        // One thread computes them and the others continue without. If a thread of the pool
        // waited for a result that itself needs the pool, it would deadlock. A thread whose search
        // is cancelled leaves the lock poisoned, and the next search computes them.
        let lock = match self.summarizing.try_lock() {
            Err(TryLockError::WouldBlock) => return None,
            Err(TryLockError::Poisoned(lock)) => lock.into_inner(),
            Ok(lock) => lock,
        };
        let summaries = self.summarize_tails(tree).ok();
        drop(lock);
        let summaries = TailSummaries::new(&summaries?);
        Some(self.summaries.get_or_init(|| summaries))
    }

    fn summarize_tails(&self, tree: &OpeningTree) -> Result<Vec<TailSummary>, CodecError> {
        let exits = tree.exits();
        let summaries = parallel::try_map(exits.chunks(NODES_PER_TASK), |nodes| {
            let summaries = nodes.iter().flat_map(|exits| {
                let events = |place| self.tails.events(place, exits.skeleton);
                let places = exits.places.clone();
                places.map(move |place| events(place)?.summary(exits.promotions))
            });
            summaries.collect::<Result<Vec<_>, CodecError>>()
        })?;
        Ok(summaries.concat())
    }

    /// Whether a game contains the target at or after the node where it leaves the tree,
    /// according to its tail; `None` if it does not.
    fn judge(
        &self,
        left: &TreeExit,
        sought: &(impl SearchTarget + ?Sized),
        without_places: bool,
    ) -> Result<Option<Found>, CodecError> {
        let mut events = self.tails.events(left.place, left.skeleton)?;
        events.judge(sought, self.castlings(left.place), without_places)
    }

    /// The games among `leaving` that contain or may contain the target at or after the node where
    /// they leave the tree, according to their tails.
    pub(super) fn judge_all<'e>(
        &self,
        leaving: &'e [TreeExit],
        sought: &(impl SearchTarget + ?Sized),
        without_places: bool,
    ) -> Result<Vec<(&'e TreeExit, Found)>, CodecError> {
        let known = self.first_positions.get().zip(sought.position());
        let may_contain = |left: &&TreeExit| {
            known.is_none_or(|(known, sought)| known.may_contain(left.place, sought))
        };
        let judged = parallel::try_map(leaving.chunks(GAMES_PER_TASK), |leaving| {
            let judge = |left| Ok(Some(left).zip(self.judge(left, sought, without_places)?));
            let results = leaving.iter().filter(may_contain).map(judge);
            results.collect::<Result<Vec<_>, CodecError>>()
        })?;
        Ok(judged.into_iter().flatten().flatten().collect())
    }

    /// Looks for the target in the first plies of such a game, of which the tail shows `by_tail`.
    /// Returns `None` if the game does not contain it.
    pub(super) fn find_in_first_plies(
        &self,
        plies: &FirstPlies,
        (left, start): (&TreeExit, &NodePosition),
        by_tail: Found,
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<Option<Found>, CodecError> {
        let events = self.tails.events(left.place, left.skeleton)?;
        let mut replay = Replay::new(start.position.clone(), events)?;
        let is_it = |replay: &Replay<'_>| {
            sought.may_match(&replay.skeleton) && sought.matches(&replay.position)
        };
        match plies.replay(left.place, start.plies, &mut replay, is_it)? {
            ReplayOutcome::Matched(ply) => Ok(Some(Found::Ply(ply))),
            ReplayOutcome::GameOver => Ok(None),
            ReplayOutcome::OutOfPlies => {
                let may_be = replay.may_match_later(sought, self.castlings(left.place))?;
                Ok(may_be.then_some(by_tail))
            }
        }
    }
}
