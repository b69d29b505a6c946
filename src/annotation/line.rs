//! The position of a group of marks within its line.

use super::history::PlayerHistory;
use crate::pgn::Mark;

/// The state of the current line that the marks depend on.
#[derive(Debug, Clone, Default)]
pub(super) struct ValueLine {
    /// The number of plies so far.
    plies: u64,
    /// The ply counts of the enclosing lines.
    outer: Vec<u64>,
    /// The glyph of a bad move in the group: 1 for `?!`, 2 for `?`, 3 for `??`,
    /// otherwise 0.
    pub(super) fault: u32,
}

impl ValueLine {
    /// Advances by `plies` plies to the next group.
    pub(super) fn step(&mut self, plies: usize) {
        self.plies = self.plies.saturating_add(plies as u64);
        self.fault = 0;
    }

    /// Updates the state with a mark of the group.
    pub(super) fn see(&mut self, mark: Mark) {
        match mark {
            Mark::Open => {
                self.outer.push(self.plies);
                self.plies = self.plies.saturating_sub(1);
            }
            Mark::Close => self.plies = self.outer.pop().unwrap_or(self.plies),
            Mark::Nag(6) | Mark::Glyph(6) => self.fault = 1,
            Mark::Nag(2) | Mark::Glyph(2) => self.fault = 2,
            Mark::Nag(4) | Mark::Glyph(4) => self.fault = 3,
            _ => {}
        }
    }

    /// The side that made the last ply, by the parity of the ply count.
    pub(super) fn side(&self) -> PlayerHistory {
        if self.plies % 2 == 1 {
            PlayerHistory::White
        } else {
            PlayerHistory::Black
        }
    }

    pub(super) fn is_variation(&self) -> bool {
        !self.outer.is_empty()
    }
}
