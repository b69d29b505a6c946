//! Adaptation of a model to the games of a segment (`spec/models.md`,
//! "Adaptation").
//!
//! A model describes chess games in general. An [`Adaptation`] adds two parts for
//! the games of a segment: terms of the softmax temperature and a book of their
//! openings. It is fitted with integer arithmetic, so the result is the same on
//! every machine.

mod book;

mod segment;
mod temperature;
#[cfg(test)]
mod tests;

use crate::bits::{BitsError, ByteReader};
use crate::chess::{ChessPosition, PlyKind};
use crate::codec::range::RangeError;

use super::context::GameContext;
use super::follower::Follower;
use super::groups::Level;
use super::weights::Weights;
use crate::codec::log::{BIT, log};
use crate::parallel;
#[cfg(test)]
pub(super) use book::tests::example;
use book::{Book, DEPTH};
pub(super) use book::{BookNode, SHARE_TOTAL, is_book_start};
pub use segment::{SegmentModel, SideInfo, players};
pub use temperature::Temperature;
pub(super) use temperature::{Surprise, TemperatureBuckets, inverse_temperature};

/// Adaptation decoding errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AdaptationError {
    /// The bytes end early, or bytes follow the end.
    #[error("adaptation: {0}")]
    Bits(#[from] BitsError),
    /// The range decoder rejects the trees of the book.
    #[error("adaptation: {0}")]
    Range(#[from] RangeError),
    /// The book has too many nodes or players, lists a player twice, or has moves
    /// that are not legal.
    #[error("adaptation: no book")]
    Book,
    /// The bytes are not empty but have no effect.
    #[error("adaptation: bytes without effect")]
    NoEffect,
}

/// The adaptation of a model to a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Adaptation {
    temperature: Temperature,
    book: Book,
}

/// A game that an adaptation is fitted to.
#[derive(Debug, Clone, Copy)]
pub struct SampleGame<'g> {
    /// The start position of its main line.
    pub start: &'g ChessPosition,
    /// The plies of the main line. The fit reads at most [`Adaptation::plies_read`]
    /// of them.
    pub plies: &'g [PlyKind],
    /// The ratings, the result and the number of plies.
    pub context: GameContext,
    /// The name of White, or empty.
    pub white: &'g [u8],
    /// The name of Black, or empty.
    pub black: &'g [u8],
}

impl SampleGame<'_> {
    /// The number of plies of the main line, or of the given plies if that is
    /// larger.
    fn length(&self) -> u64 {
        u64::from(self.context.plies).max(self.plies.len() as u64)
    }
}

/// The sample that is read beyond the opening: one game in `SEEN`, but about `FEW`
/// to `MANY` games.
const SAMPLE_DIVISOR: usize = 40;
const MIN_SAMPLE: usize = 150;
const MAX_SAMPLE: usize = 1000;

/// The distance between sampled games, of this number of games.
fn stride(games: usize) -> usize {
    games
        .div_ceil((games / SAMPLE_DIVISOR).clamp(MIN_SAMPLE, MAX_SAMPLE))
        .max(1)
}

/// The sampled games.
fn sampled<'g, 'a>(games: &'g [SampleGame<'a>]) -> impl Iterator<Item = &'g SampleGame<'a>> {
    games.iter().step_by(stride(games.len()))
}

/// Statistics of an adaptation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AdaptationParts {
    /// The number of temperature terms that are not 0.
    pub terms: u64,
    /// The number of positions in the book.
    pub positions: u64,
    /// The number of frequent players, who have trees of their own.
    pub frequent_players: u64,
}

/// The part of an adaptation that applies to one game.
#[derive(Debug, Clone, Copy)]
pub struct GameAdaptation<'t> {
    pub(super) temperature: &'t Temperature,
    pub(super) place: Option<BookNode<'t>>,
}

impl GameAdaptation<'static> {
    /// No adaptation.
    pub const NONE: Self = GameAdaptation {
        temperature: &Temperature::NEUTRAL,
        place: None,
    };
}

impl GameAdaptation<'_> {
    /// The number of the book's node at the start of the game. In equal adaptations, equal
    /// numbers mean that equal parts apply.
    pub(super) fn start_node(&self) -> Option<usize> {
        self.place.map(BookNode::number)
    }
}

/// The maximum number of plies of a sampled game. It bounds the memory of a fit.
const MAX_PLIES: usize = 1024;

impl Adaptation {
    /// The number of plies that a fit reads of a game, by its number, from 0, and
    /// the number of games. Only the opening of most games is read.
    pub fn plies_read(number: usize, games: usize) -> usize {
        if number.is_multiple_of(stride(games)) {
            MAX_PLIES
        } else {
            DEPTH
        }
    }

    /// Fits an adaptation to these games. Returns the default if none saves more
    /// than its own size. Runs on the thread pool of the feature `threads`; the
    /// result does not depend on the number of threads.
    pub fn fit<L: Level, const H: usize, const K: usize>(
        weights: &Weights<L, H, K>,
        games: &[SampleGame<'_>],
    ) -> Self {
        let (temperature, book) = parallel::join(
            || Temperature::of(weights, games),
            || Book::fit(weights, games),
        );
        let adaptation = Adaptation { temperature, book };
        let terms = Adaptation {
            book: Book::default(),
            ..adaptation.clone()
        };
        // The savings of the sample are extrapolated to all games.
        let seen = games.len().div_ceil(stride(games.len())).max(1) as u64;
        let saved = adaptation.savings(weights, games);
        let gain = |saved: i64, adaptation: &Adaptation| {
            let bits = 8 * i64::try_from(adaptation.to_bytes().len()).unwrap_or(i64::MAX >> 20);
            let saved = i128::from(saved) * games.len() as i128 / i128::from(seen);
            saved - i128::from(bits) * i128::from(BIT)
        };
        let found = saved.into_iter().zip([terms, adaptation]);
        let gains = found.map(|(saved, adaptation)| (gain(saved, &adaptation), adaptation));
        let best = gains.max_by_key(|(gain, _)| *gain);
        best.filter(|(gain, _)| *gain > 0)
            .map_or_else(Adaptation::default, |(_, adaptation)| adaptation)
    }

    /// The bits that the terms alone, and the terms and the book together, save on
    /// the sampled games, in 1/1024 bit.
    fn savings<L: Level, const H: usize, const K: usize>(
        &self,
        weights: &Weights<L, H, K>,
        games: &[SampleGame<'_>],
    ) -> [i64; 2] {
        if *self == Adaptation::default() {
            return [0; 2];
        }
        let of_game = |game: &SampleGame<'_>| {
            let mut saved = [0; 2];
            let hints = self.for_game(game.white, game.black);
            let follower = Follower::new(weights, game.start, game.context, hints);
            let Some(mut follower) = follower else {
                return saved;
            };
            for ply in game.plies {
                let weigh = |chances: [(u32, u32); 3]| {
                    let cost = |(own, all)| i64::from(log(all)) - i64::from(log(own));
                    let [alone, terms, both] = chances.map(cost);
                    saved = [saved[0] + alone - terms, saved[1] + alone - both];
                };
                if follower.play_compared(*ply, weigh).is_none() {
                    break;
                }
            }
            saved
        };
        let add = |a: [i64; 2], b: [i64; 2]| [a[0] + b[0], a[1] + b[1]];
        let saved = parallel::map(sampled(games), of_game);
        saved.into_iter().fold([0; 2], add)
    }

    /// The approximate memory use, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.book.memory_bytes()
    }

    /// Statistics of the adaptation.
    pub fn parts(&self) -> AdaptationParts {
        AdaptationParts {
            terms: self.temperature.terms(),
            positions: self.book.positions(),
            frequent_players: self.book.frequent_player_count(),
        }
    }

    /// The part that applies to a game between these players. The name of an
    /// unknown player is empty.
    pub fn for_game(&self, white: &[u8], black: &[u8]) -> GameAdaptation<'_> {
        GameAdaptation {
            temperature: &self.temperature,
            place: self.book.start(white, black),
        }
    }

    /// Encodes the adaptation. The default has no bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        if *self == Adaptation::default() {
            return Vec::new();
        }
        let mut out = self.temperature.to_bytes().to_vec();
        out.extend(&self.book.bytes);
        out
    }

    /// Decodes an adaptation.
    ///
    /// # Errors
    /// The bytes are not those of an adaptation.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AdaptationError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let mut input = ByteReader::new(bytes);
        let adaptation = Adaptation {
            temperature: Temperature::from_bytes(input.array()?)?,
            book: Book::from_bytes(input.rest())?,
        };
        if adaptation == Adaptation::default() {
            return Err(AdaptationError::NoEffect);
        }
        Ok(adaptation)
    }
}
