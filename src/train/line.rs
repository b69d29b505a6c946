//! The games to train on.

use crate::chess::{ChessPosition, PlyKind};
use crate::model::{GameContext, SampleGame};

/// The main line of a game.
#[derive(Debug)]
pub struct TrainingLine {
    /// The position before the first ply.
    pub start: ChessPosition,
    /// The plies, at least one, none of them null.
    pub plies: Vec<PlyKind>,
    /// The ratings, the result and the number of plies.
    pub context: GameContext,
    /// The names of White and Black.
    pub names: [Vec<u8>; 2],
}

impl TrainingLine {
    /// The game as a model is fitted to it.
    pub fn sample(&self) -> SampleGame<'_> {
        let [white, black] = &self.names;
        SampleGame {
            start: &self.start,
            plies: &self.plies,
            context: self.context,
            white,
            black,
        }
    }
}

/// Random numbers: xorshift64* (Marsaglia).
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next_number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Shuffles a slice.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, (self.next_number() % (last as u64 + 1)) as usize);
        }
    }

    /// A random number from −bound to bound.
    pub(super) fn spread(&mut self, bound: f32) -> f32 {
        let unit = (self.next_number() >> 40) as f32 / (1u64 << 24) as f32;
        bound * (2.0 * unit - 1.0)
    }
}
