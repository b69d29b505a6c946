//! How often the positions of a line have occurred in it.

use std::collections::HashMap;

/// A position, by its hash.
type Hash = [u8; 16];

/// The positions of a line from the start of the game, and how often each has occurred.
#[derive(Debug, Default)]
pub(super) struct Repetitions {
    counts: HashMap<Hash, u32>,
    /// The positions in order.
    path: Vec<Hash>,
    /// For each open variation: how long the path is where it leaves its line, and the position
    /// that it replaces.
    branches: Vec<(usize, Option<Hash>)>,
}

impl Repetitions {
    /// Adds the next position.
    pub(super) fn push(&mut self, hash: Hash) {
        *self.counts.entry(hash).or_default() += 1;
        self.path.push(hash);
    }

    /// How often the last position has occurred.
    pub(super) fn count(&self) -> u32 {
        let last = self.path.last();
        last.and_then(|hash| self.counts.get(hash))
            .copied()
            .unwrap_or(0)
    }

    /// Opens a variation, which replaces the last position.
    pub(super) fn open(&mut self) {
        let replaced = self.pop();
        self.branches.push((self.path.len(), replaced));
    }

    /// Closes a variation.
    pub(super) fn close(&mut self) {
        let Some((length, replaced)) = self.branches.pop() else {
            return;
        };
        while self.path.len() > length {
            self.pop();
        }
        if let Some(hash) = replaced {
            self.push(hash);
        }
    }

    fn pop(&mut self) -> Option<Hash> {
        let hash = self.path.pop()?;
        if let Some(count) = self.counts.get_mut(&hash) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&hash);
            }
        }
        Some(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_count_the_positions_of_their_line() {
        let mut seen = Repetitions::default();
        let hash = |number| [number; 16];
        for number in [1, 2, 1, 2] {
            seen.push(hash(number));
        }
        assert_eq!(seen.count(), 2);
        seen.open();
        assert_eq!(seen.count(), 2);
        seen.push(hash(1));
        assert_eq!(seen.count(), 3);
        seen.push(hash(3));
        seen.open();
        seen.push(hash(2));
        assert_eq!(seen.count(), 2);
        seen.close();
        assert_eq!(seen.count(), 1);
        seen.close();
        assert_eq!(seen.count(), 2);
        seen.push(hash(1));
        assert_eq!(seen.count(), 3);
    }
}
