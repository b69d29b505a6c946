//! The games that may contain a target, by what is known of each without decoding its tail.

use super::tails::{TailSummaries, Tails};
use super::target::SearchTarget;
use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use std::ops::Range;

/// Games are tested as the tree is traversed if a game that ends with so many pieces of either side
/// may contain the target. Such positions are early, and the traversal leaves out most subtrees: tests
/// of all games took half of the time of a search for one.
const EARLY_PIECES: u8 = 15;

/// Tests single games.
pub(super) struct CandidateFilter<'a, S: ?Sized> {
    pub(super) sought: &'a S,
    pub(super) tails: &'a Tails,
    /// A bit for each place.
    pub(super) visitors: Option<&'a BitSlice<usize, Lsb0>>,
    pub(super) home_pawns: Option<u16>,
    pub(super) summaries: Option<&'a TailSummaries>,
}

/// The games that may contain a target, by their places, in ascending order.
pub(super) enum Candidates<'a, S: ?Sized> {
    /// The places, and how many of them are passed.
    Listed(Vec<usize>, usize),
    /// Each is tested when it is reached. The place is the first that may be one.
    Tested(CandidateFilter<'a, S>, usize),
}

impl<S: SearchTarget + ?Sized> CandidateFilter<'_, S> {
    fn passes(&self, place: usize, is_early: bool) -> bool {
        let is_one =
            |visitors: &BitSlice<usize, Lsb0>| visitors.get(place).is_some_and(|is_one| *is_one);
        let may_contain =
            |summaries: &TailSummaries| summaries.may_contain(place, self.sought, is_early);
        let is_near = |pawns: u16| {
            let summaries = self.summaries;
            summaries.is_none_or(|summaries| summaries.may_have_at_home(place, pawns))
        };
        self.visitors.is_none_or(is_one)
            && self.home_pawns.is_none_or(is_near)
            && self.tails.may_contain(place, self.sought)
            && self.summaries.is_none_or(may_contain)
    }
}

impl<'a, S: SearchTarget + ?Sized> Candidates<'a, S> {
    /// The candidates among so many places.
    pub(super) fn new(filter: CandidateFilter<'a, S>, places: usize) -> Candidates<'a, S> {
        let is_early = filter.sought.may_occur_in_game_ending([EARLY_PIECES; 2], 0);
        if filter.sought.is_of_positions() && is_early {
            return Candidates::Tested(filter, 0);
        }
        let possible = (0..places).filter(|place| filter.passes(*place, false));
        Candidates::Listed(possible.collect(), 0)
    }

    /// Whether one of these games is a candidate. Places must be asked for in ascending order.
    pub(super) fn has_one(&mut self, places: &Range<usize>) -> bool {
        match self {
            Candidates::Listed(listed, passed) => {
                let mut left = listed.iter().skip(*passed);
                let ahead = left.position(|place| *place >= places.start);
                *passed = ahead.map_or(listed.len(), |ahead| *passed + ahead);
                listed.get(*passed).is_some_and(|place| *place < places.end)
            }
            Candidates::Tested(filter, next) => {
                let from = places.start.max(*next);
                let mut left = from..places.end.max(from);
                *next = left
                    .find(|place| filter.passes(*place, true))
                    .unwrap_or(left.end);
                *next < places.end
            }
        }
    }

    /// The candidates among these games.
    pub(super) fn among(&self, places: Range<usize>) -> Vec<usize> {
        match self {
            Candidates::Listed(listed, _) => {
                let [from, to] = [places.start, places.end]
                    .map(|place| listed.partition_point(|candidate| *candidate < place));
                listed.get(from..to).unwrap_or_default().to_vec()
            }
            Candidates::Tested(filter, _) => {
                places.filter(|place| filter.passes(*place, true)).collect()
            }
        }
    }
}
