//! The games that an explorer lists.

use super::super::field::Speed;
use super::facts::{GameFacts, Mode, year_and_month};
use crate::chess::Color;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A game of a list, with what is known of it without reading it.
#[derive(Debug, Clone)]
pub(crate) struct ListedGame {
    /// Its number in the archive.
    pub(crate) number: u64,
    /// The index of its move.
    pub(crate) next: usize,
    facts: GameFacts,
}

/// By what the first games of a list are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The greatest sum of ratings, then the latest.
    Ratings,
    /// The latest.
    Months,
}

/// A rank in a list; greater comes first. On a tie of games the later number comes first.
type Rank = (u32, u16, u64);

/// The first games of a list.
pub(super) struct BestGames {
    order: Order,
    most: usize,
    /// The games so far, the last of the list on top.
    games: BinaryHeap<Reverse<Ranked>>,
}

struct Ranked {
    rank: Rank,
    game: ListedGame,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> std::cmp::Ordering {
        self.rank.cmp(&other.rank)
    }
}

impl ListedGame {
    pub(super) fn new(number: u64, next: usize, facts: GameFacts) -> ListedGame {
        ListedGame {
            number,
            next,
            facts,
        }
    }

    pub(super) fn facts(&self) -> &GameFacts {
        &self.facts
    }

    pub(crate) fn is_draw(&self) -> bool {
        self.facts.is_draw()
    }

    pub(crate) fn winner(&self) -> Option<Color> {
        self.facts.winner()
    }

    /// The rating of a side, if it is known.
    pub(crate) fn elo(&self, side: Color) -> Option<u16> {
        let [white, black] = self.facts.elos;
        Some(side.fold_wb(white, black)).filter(|elo| *elo > 0)
    }

    pub(crate) fn speed(&self) -> Option<Speed> {
        self.facts.speed()
    }

    pub(crate) fn mode(&self) -> Option<Mode> {
        self.facts.mode()
    }

    /// The year and the month, as far as they are known.
    pub(crate) fn year_and_month(&self) -> Option<(u16, Option<u16>)> {
        year_and_month(self.facts.month)
    }

    /// Its rank in a list of top games, and in one of recent games.
    pub(crate) fn ranks(&self) -> [Rank; 2] {
        [Order::Ratings, Order::Months].map(|order| rank(order, &self.facts, self.number))
    }
}

fn rank(order: Order, facts: &GameFacts, number: u64) -> Rank {
    let strength = match order {
        Order::Ratings => facts.strength(),
        Order::Months => 0,
    };
    (strength, facts.month, number)
}

impl BestGames {
    pub(super) fn new(order: Order, most: usize) -> BestGames {
        BestGames {
            order,
            most,
            games: BinaryHeap::new(),
        }
    }

    /// Adds games that go on with the move of index `next`. `number_of` gives the number of the game
    /// at a place.
    pub(super) fn add<'f>(
        &mut self,
        games: impl Iterator<Item = (usize, &'f GameFacts)>,
        next: usize,
        number_of: impl Fn(usize) -> u64,
    ) {
        for (place, facts) in games {
            let is_full = self.games.len() >= self.most;
            let last = self.games.peek().map(|last| last.0.rank);
            // Most games are below the last one already by this.
            if is_full && last.is_none_or(|last| rank(self.order, facts, u64::MAX) < last) {
                continue;
            }
            let number = number_of(place);
            let rank = rank(self.order, facts, number);
            if is_full && last.is_none_or(|last| rank < last) {
                continue;
            }
            if is_full {
                self.games.pop();
            }
            let game = ListedGame::new(number, next, *facts);
            self.games.push(Reverse(Ranked { rank, game }));
        }
    }

    /// The list.
    pub(super) fn finish(self) -> Vec<ListedGame> {
        let games = self.games.into_sorted_vec().into_iter();
        games.map(|Reverse(ranked)| ranked.game).collect()
    }
}
