//! Selecting the positions of a book: those that save more than they cost.

use super::super::int_hash::IntMap;
use super::{MAX_PLIES, MAX_POSITIONS, OpeningBook};

/// A game to learn a book from.
#[derive(Debug, Clone, Copy)]
pub struct BookGame<'g> {
    /// The keys of its start position and of the position after each ply. Keys
    /// after [`MAX_PLIES`] plies are ignored.
    pub keys: &'g [u32],
    /// The value to predict.
    pub value: u64,
}

/// The approximate cost of a position in the book, in bits.
const ENTRY_BITS: i64 = 22;
/// The number of rounds of adding and removing positions.
const ROUNDS: usize = 4;
/// Positions that occur fewer times are left out.
const MIN_OCCURRENCES: u32 = 2;
/// The key widths that are tried, in bits.
const KEY_BITS: std::ops::RangeInclusive<u32> = 12..=32;

/// Learns a book from games. A value that is not predicted costs `miss_bits` more
/// than one that is. The result does not depend on the order of the games.
pub fn learn_book(lines: &[BookGame<'_>], miss_bits: u32) -> OpeningBook {
    let mut book = BookBuilder::new(lines, miss_bits.into());
    for _ in 0..ROUNDS {
        book.add();
        book.prune();
    }
    book.prune();
    book.finish(lines)
}

/// The number of a position that occurs at least [`MIN_OCCURRENCES`] times.
type PositionNumber = u32;

struct BookBuilder {
    miss_bits: i64,
    /// The key of each position, by number.
    keys: Vec<u32>,
    /// The value of each position that the book contains.
    values: Vec<Option<u64>>,
    /// For each game, the ply counts and numbers of its positions, and the value
    /// to predict.
    games: Vec<(Vec<(usize, PositionNumber)>, u64)>,
}

/// The votes of games for the value of a position.
#[derive(Default)]
struct ValueVotes {
    counts: IntMap<u64, i64>,
    /// The number of games that are predicted correctly without the position.
    correct: i64,
}

impl ValueVotes {
    /// The value with the most votes, the lowest of several, and how many more
    /// games it predicts correctly.
    fn best(&self) -> Option<(u64, i64)> {
        let counts = self.counts.iter();
        let best = counts.max_by_key(|(value, count)| (**count, std::cmp::Reverse(**value)));
        best.map(|(value, count)| (*value, count - self.correct))
    }

    fn add(&mut self, value: u64, is_right: bool) {
        *self.counts.entry(value).or_default() += 1;
        self.correct += i64::from(is_right);
    }
}

impl BookBuilder {
    fn new(lines: &[BookGame<'_>], miss_bits: i64) -> BookBuilder {
        let mut counts: IntMap<u32, u32> = IntMap::default();
        for line in lines {
            for key in line.keys.iter().take(MAX_PLIES + 1) {
                *counts.entry(*key).or_default() += 1;
            }
        }
        let mut keys: Vec<u32> = counts
            .into_iter()
            .filter(|(_, count)| *count >= MIN_OCCURRENCES)
            .map(|(key, _)| key)
            .collect();
        keys.sort_unstable();
        let numbers: IntMap<u32, PositionNumber> = keys.iter().copied().zip(0..).collect();
        let game = |line: &BookGame<'_>| {
            let keys = line.keys.iter().take(MAX_PLIES + 1).enumerate();
            let known = keys.filter_map(|(plies, key)| Some((plies, *numbers.get(key)?)));
            (known.collect(), line.value)
        };
        BookBuilder {
            miss_bits,
            values: vec![None; keys.len()],
            games: lines.iter().map(game).collect(),
            keys,
        }
    }

    fn value(&self, number: PositionNumber) -> Option<u64> {
        self.values.get(number as usize).copied().flatten()
    }

    fn set(&mut self, number: PositionNumber, value: Option<u64>) {
        if let Some(entry) = self.values.get_mut(number as usize) {
            *entry = value;
        }
    }

    /// Adds positions that save more than they cost, those after the fewest plies
    /// first.
    fn add(&mut self) {
        let mut predicted: Vec<Option<u64>> = vec![None; self.games.len()];
        let mut places = vec![0; self.games.len()];
        for plies in 0..=MAX_PLIES {
            let mut votes: IntMap<PositionNumber, ValueVotes> = IntMap::default();
            let mut here = Vec::new();
            for (game, (positions, value)) in self.games.iter().enumerate() {
                let Some(place) = places.get_mut(game) else {
                    continue;
                };
                let Some((_, number)) = positions.get(*place).filter(|(at, _)| *at == plies) else {
                    continue;
                };
                *place += 1;
                here.push((game, *number));
                if self.value(*number).is_none() {
                    let is_right = predicted.get(game).copied().flatten() == Some(*value);
                    votes.entry(*number).or_default().add(*value, is_right);
                }
            }
            for (number, votes) in votes {
                if let Some((value, gain)) = votes.best()
                    && gain * self.miss_bits > ENTRY_BITS
                {
                    self.set(number, Some(value));
                }
            }
            for (game, number) in here {
                if let (Some(value), Some(place)) = (self.value(number), predicted.get_mut(game)) {
                    *place = Some(value);
                }
            }
        }
    }

    /// Sets each position in the book to the value with the most votes among the
    /// games whose last position in the book it is. Removes positions that save
    /// less than they cost.
    fn prune(&mut self) {
        let mut votes: IntMap<PositionNumber, ValueVotes> = IntMap::default();
        for (positions, value) in &self.games {
            let mut in_book = positions
                .iter()
                .rev()
                .filter(|(_, number)| self.value(*number).is_some());
            let Some((_, last)) = in_book.next() else {
                continue;
            };
            let before = in_book.find(|(_, number)| number != last);
            let before = before.and_then(|(_, number)| self.value(*number));
            votes
                .entry(*last)
                .or_default()
                .add(*value, before == Some(*value));
        }
        for number in (0..).take(self.values.len()) {
            let best = votes.get(&number).and_then(ValueVotes::best);
            let best = best.filter(|(_, gain)| gain * self.miss_bits > ENTRY_BITS);
            let value = self.value(number).and(best).map(|(value, _)| value);
            self.set(number, value);
        }
    }

    fn finish(self, lines: &[BookGame<'_>]) -> OpeningBook {
        let held = |number: &PositionNumber| self.value(*number).is_some();
        let last = |(positions, _): &(Vec<(usize, PositionNumber)>, u64)| {
            let mut positions = positions.iter().rev();
            positions
                .find(|(_, number)| held(number))
                .map(|(plies, _)| *plies)
        };
        let plies = self.games.iter().filter_map(last).max().unwrap_or(0);
        let entries: Vec<(u32, u64)> = self
            .keys
            .iter()
            .zip(&self.values)
            .filter_map(|(key, value)| Some((*key, (*value)?)))
            .take(MAX_POSITIONS)
            .collect();
        // A position whose truncated key collides with an entry costs as much as
        // a miss.
        let looked_up: u64 = lines
            .iter()
            .map(|line| line.keys.len().min(plies + 1) as u64)
            .sum();
        let mistakes = looked_up * entries.len() as u64 * self.miss_bits.unsigned_abs();
        let cost = |bits: &u32| entries.len() as u64 * u64::from(*bits) + (mistakes >> bits);
        let bits = KEY_BITS.min_by_key(cost).unwrap_or(u32::BITS);
        OpeningBook::new(plies, bits, entries)
    }
}
