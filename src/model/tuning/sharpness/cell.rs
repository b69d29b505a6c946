//! What the sharpness of a ply depends on.

use super::super::super::context::reached;
use super::super::super::probabilities::Scores;
use super::super::super::scene::FeatureContext;
use super::Surprise;

/// How many terms there are: of surprise, rating, ply and choice.
pub(super) const TERMS: usize = 8 + 7 + 8 + 8;

/// The number of the first term of each kind.
pub(super) const FIRST: [usize; 4] = [0, 8, 15, 23];

/// From how much surprise on the next term counts.
pub(super) const SURPRISE: [u32; 7] = [1344, 1600, 1792, 1952, 2144, 2400, 2784];

/// From which ply on, counted from 0, the next term counts.
pub(super) const PLIES: [u32; 7] = [4, 8, 12, 16, 24, 40, 80];

/// From how many moves on that come into question the next term counts.
pub(super) const CHOICES: [usize; 7] = [3, 5, 7, 10, 14, 19, 25];

/// A move that is not further below the best than 4 bits comes into question.
const IN_QUESTION: u32 = 256;

/// Which terms bear on a ply: one of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super::super) struct Cell([u8; 4]);

impl Cell {
    pub(in super::super::super) fn new(
        scene: &FeatureContext<'_>,
        surprise: &Surprise,
        scores: &Scores,
    ) -> Self {
        let choices = scores.below().filter(|below| *below <= IN_QUESTION).count();
        let buckets = [
            reached(&SURPRISE, surprise.of(scene.board.turn())),
            scene.rating,
            reached(&PLIES, scene.ply),
            reached(&CHOICES, choices),
        ];
        // All buckets are less than 8.
        Cell(buckets.map(|bucket| u8::try_from(bucket).unwrap_or(0)))
    }

    /// The numbers of the terms.
    pub(super) fn terms(self) -> [usize; 4] {
        let mut terms = FIRST;
        for (term, bucket) in terms.iter_mut().zip(self.0) {
            *term += usize::from(bucket);
        }
        terms
    }
}
