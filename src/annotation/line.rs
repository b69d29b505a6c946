//! Where a group of marks stands.

use super::history::Side;
use crate::pgn::Mark;

/// The line at hand, as far as marks see it.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// How many plies it has so far.
    plies: u64,
    /// The same of the lines that it belongs to.
    outer: Vec<u64>,
    /// The glyph of a bad move in the group: 1 for `?!`, 2 for `?`, 3 for `??`.
    pub(super) fault: u32,
}

impl Line {
    /// Goes on by so many plies, to another group.
    pub(super) fn step(&mut self, plies: usize) {
        self.plies = self.plies.saturating_add(plies as u64);
        self.fault = 0;
    }

    /// Notes a mark of the group.
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

    /// Who has made the last ply.
    pub(super) fn side(&self) -> Side {
        if self.plies % 2 == 1 {
            Side::White
        } else {
            Side::Black
        }
    }

    /// How many plies it has so far.
    pub(super) fn plies(&self) -> i64 {
        i64::try_from(self.plies).unwrap_or(i64::MAX)
    }

    pub(super) fn is_variation(&self) -> bool {
        !self.outer.is_empty()
    }
}
