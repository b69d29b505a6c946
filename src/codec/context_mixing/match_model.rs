//! The match model: it predicts the byte that followed the last occurrence of the
//! most recent bytes.

use crate::codec::bit_cell::{BitCell, UNSEEN};

/// The minimum length of a match, in bytes.
const MIN_MATCH: usize = 6;
/// The maximum length of a match; longer ones count as this long.
const MAX_MATCH: usize = 24;

/// A prediction of the next byte.
pub(super) struct Prediction<'m> {
    pub(super) byte: u8,
    /// The class of the length of the match, 1 to 3.
    pub(super) class: usize,
    /// The cells of a predicted 0 and of a predicted 1.
    pub(super) cells: &'m mut [BitCell; 2],
}

/// The text so far, and the current match in it.
#[derive(Debug, Clone)]
pub(super) struct MatchModel {
    text: Vec<u8>,
    /// For each hash of [`MIN_MATCH`] bytes, the length of the text when they were
    /// last seen.
    last_ends: Vec<u32>,
    log: u32,
    /// The index in the text of the predicted byte, and the length of the match;
    /// length 0 for no match.
    at: usize,
    length: usize,
    /// By the length of the match, those of a predicted 0 and of a predicted 1.
    cells: [[BitCell; 2]; MAX_MATCH + 1],
}

impl MatchModel {
    pub(super) fn new(log: u32) -> MatchModel {
        MatchModel {
            text: Vec::new(),
            last_ends: vec![0; 1 << log],
            log,
            at: 0,
            length: 0,
            cells: [[UNSEEN; 2]; MAX_MATCH + 1],
        }
    }

    /// The predicted byte, if there is a match.
    fn predicted_byte(&self) -> Option<u8> {
        match self.length {
            0 => None,
            _ => self.text.get(self.at).copied(),
        }
    }

    /// The prediction of the next byte, if there is a match.
    pub(super) fn prediction(&mut self) -> Option<Prediction<'_>> {
        Some(Prediction {
            byte: self.predicted_byte()?,
            class: match self.length {
                ..=8 => 1,
                9..=15 => 2,
                _ => 3,
            },
            cells: self.cells.get_mut(self.length)?,
        })
    }

    /// Appends a byte to the text. `newest` contains the last eight bytes, the
    /// newest in the lowest byte.
    pub(super) fn push(&mut self, byte: u8, newest: u64) {
        let continues = self.predicted_byte() == Some(byte);
        self.text.push(byte);
        let end = self.text.len();
        match continues {
            true => {
                self.at += 1;
                self.length = (self.length + 1).min(MAX_MATCH);
            }
            false => self.length = 0,
        }
        if end < MIN_MATCH {
            return;
        }
        let hash = (newest << 16).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.log);
        let Some(last) = usize::try_from(hash)
            .ok()
            .and_then(|hash| self.last_ends.get_mut(hash))
        else {
            return;
        };
        if self.length == 0 {
            let (before, _) = self
                .text
                .split_at_checked(*last as usize)
                .unwrap_or_default();
            let pairs = before.iter().rev().zip(self.text.iter().rev());
            let equal = pairs.take(MAX_MATCH).take_while(|(a, b)| a == b).count();
            if equal >= MIN_MATCH {
                (self.at, self.length) = (before.len(), equal);
            }
        }
        *last = u32::try_from(end).unwrap_or(0);
    }
}
