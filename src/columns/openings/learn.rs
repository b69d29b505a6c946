//! Selecting the positions of a book: those that save more than they cost.

use super::{MAX_PLIES, MAX_POSITIONS, OpeningBook};
use crate::parallel;
use foldhash::HashMap;

/// A game to learn a book from.
#[derive(Debug, Clone, Copy)]
pub struct BookGame<'g> {
    /// The keys of its start position and of the position after each ply. Keys
    /// after [`MAX_PLIES`] plies are ignored.
    pub keys: &'g [u32],
    /// The value to predict.
    pub value: u64,
}

impl<'g> BookGame<'g> {
    /// The keys that are not ignored.
    fn first_keys(&self) -> impl Iterator<Item = u32> + use<'g> {
        self.keys.iter().take(MAX_PLIES + 1).copied()
    }
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

/// A position of a game.
#[derive(Debug, Clone, Copy)]
struct Occurrence {
    position: PositionNumber,
    /// The index of the game.
    game: u32,
    /// The value to predict in the game.
    value: u64,
}

struct BookBuilder {
    miss_bits: i64,
    /// The key of each position, by number.
    keys: Vec<u32>,
    /// The value of each position that the book contains.
    values: Vec<Option<u64>>,
    /// The number of games.
    games: usize,
    /// For each number of plies, the positions of games after it, in the order of positions,
    /// then of values.
    by_ply: Vec<Vec<Occurrence>>,
}

/// The last position of a game that the book contains.
#[derive(Debug, Clone, Copy)]
struct GameEnd {
    position: PositionNumber,
    /// The last other one that the book contains before it.
    before: Option<PositionNumber>,
    /// The value to predict in the game.
    value: u64,
}

/// The vote of a game for the value of a position.
#[derive(Debug, Clone, Copy)]
struct Vote {
    value: u64,
    /// Whether the value is predicted without the position.
    is_predicted: bool,
}

/// The value with the most votes, the lowest of several, and how many more games it
/// predicts correctly than are predicted without the position. The votes are in the order
/// of values.
fn best_value(votes: impl IntoIterator<Item = Vote>) -> (u64, i64) {
    let (mut best, mut best_count) = (0, 0);
    let (mut last, mut count) = (0, 0);
    let mut predicted = 0;
    for vote in votes {
        count = if vote.value == last { count + 1 } else { 1 };
        last = vote.value;
        if count > best_count {
            (best, best_count) = (last, count);
        }
        predicted += i64::from(vote.is_predicted);
    }
    (best, best_count - predicted)
}

impl BookBuilder {
    fn new(lines: &[BookGame<'_>], miss_bits: i64) -> BookBuilder {
        let mut counts: HashMap<u32, u32> = HashMap::default();
        for key in lines.iter().flat_map(BookGame::first_keys) {
            *counts.entry(key).or_default() += 1;
        }
        counts.retain(|_, count| *count >= MIN_OCCURRENCES);
        let mut keys: Vec<u32> = counts.into_keys().collect();
        keys.sort_unstable();
        let numbers: HashMap<u32, PositionNumber> = keys.iter().copied().zip(0..).collect();
        let mut by_ply = vec![Vec::new(); MAX_PLIES + 1];
        for (game, line) in (0..).zip(lines) {
            for (occurrences, key) in by_ply.iter_mut().zip(line.first_keys()) {
                let value = line.value;
                let occurrence = |position| Occurrence {
                    position,
                    game,
                    value,
                };
                occurrences.extend(numbers.get(&key).copied().map(occurrence));
            }
        }
        parallel::for_each(&mut by_ply, |occurrences| {
            occurrences.sort_unstable_by_key(|at| (at.position, at.value));
        });
        BookBuilder {
            miss_bits,
            values: vec![None; keys.len()],
            keys,
            games: lines.len(),
            by_ply,
        }
    }

    fn value(&self, position: PositionNumber) -> Option<u64> {
        self.values.get(position as usize).copied().flatten()
    }

    /// Adds a position with its best value, if that saves more than it costs.
    fn add_if_worthwhile(
        &mut self,
        position: PositionNumber,
        votes: impl IntoIterator<Item = Vote>,
    ) {
        let (value, gain) = best_value(votes);
        if gain * self.miss_bits > ENTRY_BITS
            && let Some(entry) = self.values.get_mut(position as usize)
        {
            *entry = Some(value);
        }
    }

    /// Adds positions that save more than they cost, those after the fewest plies
    /// first.
    fn add(&mut self) {
        let mut predicted: Vec<Option<u64>> = vec![None; self.games];
        let by_ply = std::mem::take(&mut self.by_ply);
        let is_same = |a: &Occurrence, b: &Occurrence| a.position == b.position;
        for same in by_ply.iter().flat_map(|ply| ply.chunk_by(is_same)) {
            let Some(Occurrence { position, .. }) = same.first().copied() else {
                continue;
            };
            if self.value(position).is_none() {
                let votes = same.iter().map(|at| Vote {
                    value: at.value,
                    is_predicted: predicted.get(at.game as usize) == Some(&Some(at.value)),
                });
                self.add_if_worthwhile(position, votes);
            }
            if let Some(value) = self.value(position) {
                for at in same {
                    if let Some(predicted) = predicted.get_mut(at.game as usize) {
                        *predicted = Some(value);
                    }
                }
            }
        }
        self.by_ply = by_ply;
    }

    /// Sets each position in the book to the value with the most votes among the
    /// games whose last position in the book it is. Removes positions that save
    /// less than they cost.
    fn prune(&mut self) {
        let mut ends: Vec<Option<GameEnd>> = vec![None; self.games];
        for at in self.by_ply.iter().flatten() {
            if self.value(at.position).is_some()
                && let Some(end) = ends.get_mut(at.game as usize)
                && end.is_none_or(|end| end.position != at.position)
            {
                *end = Some(GameEnd {
                    position: at.position,
                    before: end.map(|end| end.position),
                    value: at.value,
                });
            }
        }
        let mut ends: Vec<GameEnd> = ends.into_iter().flatten().collect();
        ends.sort_unstable_by_key(|end| (end.position, end.value));
        let before = std::mem::replace(&mut self.values, vec![None; self.keys.len()]);
        let before = |position: PositionNumber| before.get(position as usize).copied().flatten();
        for same in ends.chunk_by(|a, b| a.position == b.position) {
            let votes = same.iter().map(|end| Vote {
                value: end.value,
                is_predicted: end.before.and_then(before) == Some(end.value),
            });
            if let Some(end) = same.first() {
                self.add_if_worthwhile(end.position, votes);
            }
        }
    }

    fn finish(self, lines: &[BookGame<'_>]) -> OpeningBook {
        let is_known = |at: &Occurrence| self.value(at.position).is_some();
        let last = self.by_ply.iter().rposition(|ply| ply.iter().any(is_known));
        let plies = last.unwrap_or(0);
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
