//! What the games of a segment add to a model (`spec/models.md`, "Adaptation").
//!
//! A model knows what is played in general. A [`Adaptation`] says of some games how
//! far the model is to be trusted there, and what they open with. It is fitted to
//! them in integers, so it is the same on every machine.

mod book;

mod segment;
mod sharpness;
#[cfg(test)]
mod tests;

use crate::bits::{BitsError, ByteReader};
use crate::chess::{PlyKind, Position};
use crate::codec::range::RangeError;

use super::context::Context;
use super::groups::Level;
use super::line::Follower;
use super::weights::Weights;
use crate::codec::log::{BIT, log};
use crate::parallel;
#[cfg(test)]
pub(super) use book::tests::example;
use book::{Book, DEPTH};
pub(super) use book::{Place, WHOLE, opens};
pub use segment::{Adaptations, Advice, players};
pub use sharpness::Temperature;
pub(super) use sharpness::{Cell, Surprise, sharpness};

/// Why bytes are no tuning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AdaptationError {
    /// They end early, or more follow.
    #[error("adaptation: {0}")]
    Bits(#[from] BitsError),
    /// The trees of the book are not those of any book.
    #[error("adaptation: {0}")]
    Range(#[from] RangeError),
    /// The book is too large, names a player twice, or has moves that are not
    /// legal.
    #[error("adaptation: no book")]
    Book,
    /// Bytes that have no effect, where there should be none.
    #[error("adaptation: bytes without effect")]
    Idle,
}

/// What a segment adds to a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Adaptation {
    sharpness: Temperature,
    book: Book,
}

/// A game that a tuning is fitted to.
#[derive(Debug, Clone, Copy)]
pub struct Game<'g> {
    /// Where its main line starts.
    pub start: &'g Position,
    /// The plies of the line, or as many of them as a fit looks at.
    pub plies: &'g [PlyKind],
    /// What is known of it besides.
    pub context: Context,
    /// The name of White, or nothing.
    pub white: &'g [u8],
    /// The name of Black, or nothing.
    pub black: &'g [u8],
}

impl Game<'_> {
    /// The number of plies of the line, if it is known.
    fn length(&self) -> u64 {
        u64::from(self.context.plies).max(self.plies.len() as u64)
    }
}

/// Of all games one in so many is seen whole, but at least, and at most, about so
/// many.
const SEEN: usize = 40;
const FEW: usize = 150;
const MANY: usize = 1000;

/// Of so many games, one in how many is seen whole.
fn stride(games: usize) -> usize {
    games.div_ceil((games / SEEN).clamp(FEW, MANY)).max(1)
}

/// The games that are seen whole.
fn whole<'g, 'a>(games: &'g [Game<'a>]) -> impl Iterator<Item = &'g Game<'a>> {
    games.iter().step_by(stride(games.len()))
}

/// What a tuning consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AdaptationParts {
    /// Terms of sharpness that are not 0.
    pub terms: u64,
    /// Positions of the book.
    pub positions: u64,
    /// Players with trees of their own.
    pub regulars: u64,
}

/// What a tuning has to say on one game.
#[derive(Debug, Clone, Copy)]
pub struct Hints<'t> {
    pub(super) sharpness: &'t Temperature,
    pub(super) place: Option<Place<'t>>,
}

impl Hints<'static> {
    /// Nothing.
    pub const NONE: Self = Hints {
        sharpness: &Temperature::NEUTRAL,
        place: None,
    };
}

/// Of no game a fit sees more plies, so that its memory is bounded.
const MOST_PLIES: usize = 1024;

impl Adaptation {
    /// How many plies a fit looks at of the game of a number, from 0, of so many:
    /// of most games it sees no more than the opening.
    pub fn plies_seen(number: usize, games: usize) -> usize {
        if number.is_multiple_of(stride(games)) {
            MOST_PLIES
        } else {
            DEPTH
        }
    }

    /// The tuning that suits these games: neutral if none is worth its bytes. It is
    /// found in rayon's current thread pool, and the same whatever its size.
    pub fn fit<L: Level, const H: usize, const K: usize>(
        weights: &Weights<L, H, K>,
        games: &[Game<'_>],
    ) -> Self {
        let (sharpness, book) = parallel::join(
            || Temperature::of(weights, games),
            || Book::fit(weights, games),
        );
        let tuning = Adaptation { sharpness, book };
        let terms = Adaptation {
            book: Book::default(),
            ..tuning.clone()
        };
        // What is seen whole says what all games save.
        let seen = games.len().div_ceil(stride(games.len())).max(1) as u64;
        let saved = tuning.saved(weights, games);
        let gain = |saved: i64, tuning: &Adaptation| {
            let bits = 8 * i64::try_from(tuning.to_bytes().len()).unwrap_or(i64::MAX >> 20);
            let saved = i128::from(saved) * games.len() as i128 / i128::from(seen);
            saved - i128::from(bits) * i128::from(BIT)
        };
        let found = saved.into_iter().zip([terms, tuning]);
        let gains = found.map(|(saved, tuning)| (gain(saved, &tuning), tuning));
        let best = gains.max_by_key(|(gain, _)| *gain);
        best.filter(|(gain, _)| *gain > 0)
            .map_or_else(Adaptation::default, |(_, tuning)| tuning)
    }

    /// What the terms save on the games that are seen whole, and what they and the
    /// book do, in 1/1024 bit.
    fn saved<L: Level, const H: usize, const K: usize>(
        &self,
        weights: &Weights<L, H, K>,
        games: &[Game<'_>],
    ) -> [i64; 2] {
        if *self == Adaptation::default() {
            return [0; 2];
        }
        let of_game = |game: &Game<'_>| {
            let mut saved = [0; 2];
            let hints = self.hints(game.white, game.black);
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
                if follower.weigh(*ply, weigh).is_none() {
                    break;
                }
            }
            saved
        };
        let add = |a: [i64; 2], b: [i64; 2]| [a[0] + b[0], a[1] + b[1]];
        let saved = parallel::map(whole(games), of_game);
        saved.into_iter().fold([0; 2], add)
    }

    /// About how much memory it takes, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.book.memory_bytes()
    }

    /// What it consists of.
    pub fn parts(&self) -> AdaptationParts {
        AdaptationParts {
            terms: self.sharpness.terms(),
            positions: self.book.positions(),
            regulars: self.book.regulars(),
        }
    }

    /// What it has to say on a game between these players; an unknown name is
    /// empty.
    pub fn hints(&self, white: &[u8], black: &[u8]) -> Hints<'_> {
        Hints {
            sharpness: &self.sharpness,
            place: self.book.start(white, black),
        }
    }

    /// The tuning as bytes: none if it is neutral.
    pub fn to_bytes(&self) -> Vec<u8> {
        if *self == Adaptation::default() {
            return Vec::new();
        }
        let mut out = self.sharpness.to_bytes().to_vec();
        out.extend(&self.book.bytes);
        out
    }

    /// The tuning of these bytes.
    ///
    /// # Errors
    /// No tuning has these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AdaptationError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let mut input = ByteReader::new(bytes);
        let tuning = Adaptation {
            sharpness: Temperature::from_bytes(input.array()?)?,
            book: Book::from_bytes(input.rest())?,
        };
        if tuning == Adaptation::default() {
            return Err(AdaptationError::Idle);
        }
        Ok(tuning)
    }
}
