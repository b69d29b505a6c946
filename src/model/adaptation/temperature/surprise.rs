//! The surprise of the moves of a game so far.

use crate::chess::Color;

/// The shift of the exponential moving average: each update decays it by 1/8.
const MEMORY: u32 = 3;

/// The maximum surprise of a move, in 1/64 bit (16 bits).
const MAX_SURPRISE: u32 = 1 << 10;

/// The initial average, in 1/512 bit (1.3 bits).
const INITIAL: u32 = 664;

/// For each side, an exponential moving average of the score differences between
/// the best and the played move. It is eight times the mean in 1/64 bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super::super) struct Surprise {
    white: u32,
    black: u32,
}

impl Surprise {
    /// The state before the first move.
    pub(in super::super::super) fn new() -> Self {
        Surprise {
            white: INITIAL,
            black: INITIAL,
        }
    }

    /// Updates a side's average with a move that scores `below`, in 1/64 bit,
    /// less than the best.
    pub(in super::super::super) fn update(&mut self, side: Color, below: u32) {
        let mean = side.fold_wb(&mut self.white, &mut self.black);
        *mean = *mean - (*mean >> MEMORY) + below.min(MAX_SURPRISE);
    }

    /// The surprise for a side: twice its own average plus that of the other
    /// side.
    pub(super) fn of(&self, side: Color) -> u32 {
        2 * side.fold_wb(self.white, self.black) + side.fold_wb(self.black, self.white)
    }
}
