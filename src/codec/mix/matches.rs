//! The last place where the text stood that now stands again.

use super::cells::{Cell, UNSEEN, stretch, update};

/// Text of so many bytes is looked for.
const LEAST: usize = 6;
/// Longer matches are like these.
const MOST: usize = 24;
/// Classes of lengths, each with the bit that is foreseen.
const CELLS: usize = 2 * (MOST + 1);

/// What stood where the last bytes stood before.
#[derive(Debug, Clone)]
pub(super) struct Matches {
    text: Vec<u8>,
    /// Behind which byte each hash of [`LEAST`] bytes was last seen.
    last: Vec<u32>,
    log: u32,
    /// Where the match goes on, and how long it is; 0 for none.
    at: usize,
    length: usize,
    cells: [Cell; CELLS],
}

impl Matches {
    pub(super) fn new(log: u32) -> Matches {
        Matches {
            text: Vec::new(),
            last: vec![0; 1 << log],
            log,
            at: 0,
            length: 0,
            cells: [UNSEEN; CELLS],
        }
    }

    /// How long the match is, at most 24; 0 for none.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// The byte that is foreseen.
    pub(super) fn byte(&self) -> Option<u8> {
        match self.length {
            0 => None,
            _ => self.text.get(self.at).copied(),
        }
    }

    fn cell(length: usize, bit: bool) -> usize {
        2 * length + usize::from(bit)
    }

    /// What a foreseen bit says, on the logistic scale.
    #[inline]
    pub(super) fn stretch(&self, bit: bool) -> i32 {
        let cell = self.cells.get(Self::cell(self.length, bit));
        cell.copied().map_or(0, stretch)
    }

    #[inline]
    pub(super) fn update(&mut self, foreseen: bool, bit: bool) {
        if let Some(cell) = self.cells.get_mut(Self::cell(self.length, foreseen)) {
            update(cell, bit);
        }
    }

    /// Appends a byte; the last eight are those of the number, the newest lowest.
    pub(super) fn push(&mut self, byte: u8, newest: u64) {
        let goes_on = self.byte() == Some(byte);
        self.text.push(byte);
        let end = self.text.len();
        match goes_on {
            true => {
                self.at += 1;
                self.length = (self.length + 1).min(MOST);
            }
            false => self.length = 0,
        }
        if end < LEAST {
            return;
        }
        let hash = (newest << 16).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.log);
        let Some(last) = usize::try_from(hash)
            .ok()
            .and_then(|hash| self.last.get_mut(hash))
        else {
            return;
        };
        if self.length == 0 {
            let (before, _) = self
                .text
                .split_at_checked(*last as usize)
                .unwrap_or_default();
            let pairs = before.iter().rev().zip(self.text.iter().rev());
            let equal = pairs.take(MOST).take_while(|(a, b)| a == b).count();
            if equal >= LEAST {
                (self.at, self.length) = (before.len(), equal);
            }
        }
        *last = u32::try_from(end).unwrap_or(0);
    }
}
