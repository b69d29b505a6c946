//! The index data of the games of a group after they leave the opening tree.

use super::candidates::{CandidateFilter, Candidates};
use super::coded::DecodedCodes;
use super::first_positions::FirstPositions;
use super::node_positions::NodePosition;
use super::plies::{FirstPlies, PlyCodes, ReplayOutcome};
use super::replay::Replay;
use super::tails::{TailSummaries, TailSummary, Tails, event_contexts};
use super::target::{Found, SearchTarget};
use super::tree::OpeningTree;
use super::visits::Visits;
use super::walk::TreeExit;
use crate::bits::ByteReader;
use crate::chess::Castlings;
use crate::codec::error::CodecError;
use crate::limits::Limits;
use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use std::sync::{Arc, Mutex, OnceLock, TryLockError};

/// How the tails and first plies of a segment are coded.
#[derive(Debug)]
pub(super) struct ContinuationCodes {
    tails: Arc<DecodedCodes>,
    plies: Arc<PlyCodes>,
}

/// The tails and the first plies of the games of a group.
#[derive(Debug)]
pub(super) struct Continuations {
    pub(super) tails: Tails,
    pub(super) plies: FirstPlies,
    /// The visits of all games of the segment, and the place of the first game of the group among
    /// them. Set by the first search that needs them.
    pub(super) visits: OnceLock<(Arc<Visits>, usize)>,
    /// Set by the first search.
    first_search: OnceLock<()>,
    /// Held by the search that computes the summaries.
    summarizing: Mutex<()>,
    /// The summary of each tail. Filled by the second search.
    summaries: OnceLock<TailSummaries>,
    /// The positions of the first plies, once they are computed.
    pub(super) first_positions: OnceLock<FirstPositions>,
}

impl ContinuationCodes {
    /// # Errors
    /// The codes are damaged.
    pub(super) fn parse(
        reader: &mut ByteReader<'_>,
        limits: &Limits,
    ) -> Result<ContinuationCodes, CodecError> {
        let tails = DecodedCodes::parse(reader.bytes()?, &event_contexts())?;
        Ok(ContinuationCodes {
            tails: Arc::new(tails),
            plies: Arc::new(PlyCodes::parse(reader, limits)?),
        })
    }
}

impl Continuations {
    /// Decodes the record of a group with `games` games.
    ///
    /// # Errors
    /// The record is damaged.
    pub(super) fn parse(
        record: &[u8],
        codes: &ContinuationCodes,
        games: usize,
        limits: &Limits,
    ) -> Result<Continuations, CodecError> {
        let mut reader = ByteReader::new(record);
        let tails = Tails::parse(&mut reader, &codes.tails, games, limits)?;
        let plies = FirstPlies::parse(&mut reader, &codes.plies, games, limits)?;
        reader.finish()?;
        Ok(Continuations {
            tails,
            plies,
            visits: OnceLock::new(),
            first_search: OnceLock::new(),
            summarizing: Mutex::default(),
            summaries: OnceLock::new(),
            first_positions: OnceLock::new(),
        })
    }

    /// The games that may contain the target. `visitors` are those of the segment that may, by the
    /// squares that their pieces visit.
    pub(super) fn candidates<'a, S: SearchTarget + ?Sized>(
        &'a self,
        tree: &'a OpeningTree,
        sought: &'a S,
        visitors: Option<&'a BitSlice<usize, Lsb0>>,
    ) -> Candidates<'a, S> {
        let filter = CandidateFilter {
            sought,
            tails: &self.tails,
            visitors,
            home_pawns: sought.home_pawns(),
            summaries: self.summaries(tree),
        };
        Candidates::new(filter, tree.places())
    }

    /// To which sides the players castle in the game at `place`, if that is known.
    pub(super) fn castlings(&self, place: usize) -> Option<Castlings> {
        let (visits, first) = self.visits.get()?;
        visits.castlings(first + place)
    }

    /// Computes the summaries, unless another thread does. Damage shows in a search.
    pub(super) fn prepare_summaries(&self, tree: &OpeningTree) {
        self.first_search.get_or_init(|| ());
        self.summaries(tree);
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
        let mut summaries = Vec::with_capacity(tree.places());
        for exits in tree.exits() {
            for place in exits.places {
                let events = self.tails.events(place, exits.skeleton)?;
                summaries.push(events.summary(exits.promotions)?);
            }
        }
        Ok(summaries)
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
        let judge = |left| Ok(Some(left).zip(self.judge(left, sought, without_places)?));
        let judged = leaving.iter().filter(may_contain).map(judge);
        judged.filter_map(Result::transpose).collect()
    }

    /// Looks for the target in the first plies of such a game, of which the tail shows `by_tail`.
    /// Returns `None` if the game does not contain it.
    pub(super) fn find_in_first_plies(
        &self,
        (left, start): (&TreeExit, &NodePosition),
        by_tail: Found,
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<Option<Found>, CodecError> {
        let events = self.tails.events(left.place, left.skeleton)?;
        let mut replay = Replay::new(start.position.clone(), events)?;
        let is_it = |replay: &Replay<'_>| {
            sought.may_match(&replay.skeleton) && sought.matches(&replay.position)
        };
        match self
            .plies
            .replay(left.place, start.plies, &mut replay, is_it)?
        {
            ReplayOutcome::Matched(ply) => Ok(Some(Found::Ply(ply))),
            ReplayOutcome::GameOver => Ok(None),
            ReplayOutcome::OutOfPlies => {
                let may_be = replay.may_match_later(sought, self.castlings(left.place))?;
                Ok(may_be.then_some(by_tail))
            }
        }
    }
}
