//! The buckets that the temperature of a ply depends on.

use super::super::super::context::reached;
use super::super::super::feature_context::FeatureContext;
use super::super::super::probabilities::Scores;
use super::Surprise;

/// The number of terms: of surprise, rating, ply and choice.
pub(super) const TERMS: usize = 8 + 7 + 8 + 8;

/// The number of the first term of each kind.
pub(super) const FIRST: [usize; 4] = [0, 8, 15, 23];

/// The thresholds of the buckets of surprise, in 1/1536 bit.
pub(super) const SURPRISE: [u32; 7] = [1344, 1600, 1792, 1952, 2144, 2400, 2784];

/// The thresholds of the buckets of the ply, which is counted from 0.
pub(super) const PLIES: [u32; 7] = [4, 8, 12, 16, 24, 40, 80];

/// The thresholds of the buckets of choice, in moves.
pub(super) const CHOICES: [usize; 7] = [3, 5, 7, 10, 14, 19, 25];

/// The maximum distance from the best move, in 1/64 bit (4 bits), of a move
/// that counts as a choice.
const MAX_CHOICE_DISTANCE: u32 = 256;

/// The buckets of a ply, one for each kind of term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super::super) struct TemperatureBuckets([u8; 4]);

impl TemperatureBuckets {
    #[inline(always)]
    pub(in super::super::super) fn new(
        features: &FeatureContext<'_>,
        surprise: &Surprise,
        scores: &Scores,
    ) -> Self {
        let choices = scores
            .distances()
            .filter(|below| *below <= MAX_CHOICE_DISTANCE)
            .count();
        let buckets = [
            reached(&SURPRISE, surprise.of(features.board.turn())),
            features.rating,
            reached(&PLIES, features.ply),
            reached(&CHOICES, choices),
        ];
        // All buckets are below 8.
        TemperatureBuckets(buckets.map(|bucket| u8::try_from(bucket).unwrap_or(0)))
    }

    /// The indexes of the terms that apply.
    pub(super) fn terms(self) -> [usize; 4] {
        let mut terms = FIRST;
        for (term, bucket) in terms.iter_mut().zip(self.0) {
            *term += usize::from(bucket);
        }
        terms
    }
}
