//! How surprising the moves of a game were so far.

use crate::chess::Color;

/// The moves of one side count eightfold, each a bit less than the one after it.
const MEMORY: u32 = 3;

/// Moves that are still worse surprise no more: 16 bits below the best.
const MOST: u32 = 1 << 10;

/// A side of which nothing is known plays 1.3 bits below the best move.
const USUAL: u32 = 664;

/// Of each side, how far its moves were below the best, the latest counting
/// most: eight times the mean, in 1/64 bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super::super) struct Surprise {
    white: u32,
    black: u32,
}

impl Surprise {
    /// Before the first move.
    pub(in super::super::super) fn new() -> Self {
        Surprise {
            white: USUAL,
            black: USUAL,
        }
    }

    /// A side has played a move that is so far below the best.
    pub(in super::super::super) fn see(&mut self, side: Color, below: u32) {
        let mean = side.fold_wb(&mut self.white, &mut self.black);
        *mean = *mean - (*mean >> MEMORY) + below.min(MOST);
    }

    /// What is to be expected of a side: its own moves count twice, those of the
    /// other side once.
    pub(super) fn of(&self, side: Color) -> u32 {
        2 * side.fold_wb(self.white, self.black) + side.fold_wb(self.black, self.white)
    }
}
