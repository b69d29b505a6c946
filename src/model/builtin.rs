//! The built-in models (`spec/models.md`, "Models").

use std::sync::OnceLock;

use crate::chess::{ChessPosition, PlyKind};
use crate::codec::range::{Decoder, Encoder, RangeError};

use super::adaptation::{Adaptation, GameAdaptation, SampleGame};
use super::coded_ply::CodedPly;
use super::context::GameContext;
use super::follower::Follower;
use super::groups::{Default, Fast, Level, Max};
use super::loader;
use super::weights::Weights;

/// A built-in model. The discriminant is its number in archives, by which models are ordered;
/// [`ALL`](Self::ALL) is in the order of the levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum BuiltinModel {
    /// The model of the level `fast`.
    Fast = 4,
    /// The model of the level `default`.
    Default = 2,
    /// The model of the level `max`.
    Max = 3,
}

/// The bytes of a file, aligned.
#[allow(unused_macros, reason = "a build can be without models")]
macro_rules! include_aligned {
    ($file:literal) => {{
        static BYTES: &Aligned<[u8]> = &Aligned(*include_bytes!($file));
        &BYTES.0
    }};
}

impl BuiltinModel {
    /// All built-in models, the smallest first.
    pub const ALL: [BuiltinModel; 3] =
        [BuiltinModel::Fast, BuiltinModel::Default, BuiltinModel::Max];

    /// The number of the model in archives.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The model with this number.
    pub fn from_number(number: u64) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|model| u64::from(model.number()) == number)
    }

    /// Fits an adaptation of the model to these games. Returns the default
    /// adaptation if this build does not include the weights.
    pub(crate) fn fit_adaptation(self, games: &[SampleGame<'_>]) -> Adaptation {
        let adaptation = match self {
            BuiltinModel::Fast => FAST
                .weights()
                .map(|weights| Adaptation::fit(weights, games)),
            BuiltinModel::Default => DEFAULT
                .weights()
                .map(|weights| Adaptation::fit(weights, games)),
            BuiltinModel::Max => MAX.weights().map(|weights| Adaptation::fit(weights, games)),
        };
        // A test checks that all included weights can be decoded.
        adaptation.unwrap_or_default()
    }

    /// The name of its level.
    pub const fn level(self) -> &'static str {
        match self {
            BuiltinModel::Fast => "fast",
            BuiltinModel::Default => "default",
            BuiltinModel::Max => "max",
        }
    }

    /// Whether the program has the weights of the model: its build includes them, for which each
    /// model has a Cargo feature, they were [loaded](Self::load), or the
    /// [loader](Self::set_loader) gives them now.
    pub fn is_available(self) -> bool {
        self.has_weights() || loader::load(self)
    }

    /// Sets the function that gives the program the weights of a model that its build leaves out,
    /// when an archive first needs them; see [`load`](Self::load). It is called by one thread at a
    /// time, and again after a failure. Only the first call of `set_loader` has an effect.
    pub fn set_loader(loader: fn(BuiltinModel) -> Option<Vec<u8>>) {
        loader::set(loader);
    }

    /// Whether weights that are not available may be later.
    pub(crate) fn may_be_loaded() -> bool {
        loader::is_set()
    }

    /// Gives the program the weights of a model that its build leaves out: the bytes of the file
    /// `spec/models/N.weights` of the source, where N is the number of the model. It has no effect if
    /// the weights are available.
    ///
    /// # Errors
    /// The weights are not available yet, and the bytes are not those of the weights of this model.
    pub fn load(self, weights: Vec<u8>) -> Result<(), InvalidWeights> {
        if self.has_weights() {
            return Ok(());
        }
        self.check(&weights)?;
        // If another thread was faster, it has loaded the same.
        let _ = self.loaded_weights().set(weights);
        Ok(())
    }

    fn check(self, weights: &[u8]) -> Result<(), InvalidWeights> {
        match blake3::hash(weights) == self.digest() {
            true => Ok(()),
            false => Err(InvalidWeights {
                level: self.level(),
            }),
        }
    }

    fn loaded_weights(self) -> &'static OnceLock<Vec<u8>> {
        static LOADED: [OnceLock<Vec<u8>>; 3] = [const { OnceLock::new() }; 3];
        let [fast, default, max] = &LOADED;
        match self {
            BuiltinModel::Fast => fast,
            BuiltinModel::Default => default,
            BuiltinModel::Max => max,
        }
    }

    pub(super) fn has_weights(self) -> bool {
        self.weights().is_some()
    }

    /// The bytes of the weights, if the program has them.
    fn weights(self) -> Option<&'static [u8]> {
        let loaded = || self.loaded_weights().get().map(Vec::as_slice);
        self.included_weights().or_else(loaded)
    }

    /// The bytes of the weights, if this build includes them.
    const fn included_weights(self) -> Option<&'static [u8]> {
        match self {
            #[cfg(feature = "model-fast")]
            BuiltinModel::Fast => Some(include_aligned!("../../spec/models/4.weights")),
            #[cfg(feature = "model-default")]
            BuiltinModel::Default => Some(include_aligned!("../../spec/models/2.weights")),
            #[cfg(feature = "model-max")]
            BuiltinModel::Max => Some(include_aligned!("../../spec/models/3.weights")),
            #[cfg(not(all(
                feature = "model-fast",
                feature = "model-default",
                feature = "model-max"
            )))]
            _ => None,
        }
    }

    /// The BLAKE3 digest of the bytes of its weights.
    pub fn digest(self) -> [u8; 32] {
        let [high, low]: [u128; 2] = match self {
            BuiltinModel::Fast => [
                0x78591bba_5647de65_4e32535a_91674c24,
                0x2528f8a5_2446bdd2_7c294c61_5151860f,
            ],
            BuiltinModel::Default => [
                0xe2b9fa19_498a313c_d37f1fad_b507892b,
                0xd0ffee06_c1b22eef_745286c1_97f9f39e,
            ],
            BuiltinModel::Max => [
                0x605a9d39_3560ae85_cda47268_229f6ede,
                0xf8bc63ae_b2c234e1_ec9c20f4_53b953d4,
            ],
        };
        let mut digest = [0; 32];
        let bytes = high.to_be_bytes().into_iter().chain(low.to_be_bytes());
        for (to, from) in digest.iter_mut().zip(bytes) {
            *to = from;
        }
        digest
    }
}

/// Bytes from the start of a line of the cache: elsewhere, half of the rows of 32 weights would be
/// in two lines.
#[repr(align(64))]
struct Aligned<B: ?Sized>(B);

/// Bytes that are not the weights of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the weights of the move model `{level}`")]
#[non_exhaustive]
pub struct InvalidWeights {
    /// The level of the model.
    pub level: &'static str,
}

/// The weights of a model, parsed on first use.
struct LazyWeights<L, const H: usize, const K: usize> {
    model: BuiltinModel,
    weights: OnceLock<Option<Weights<L, H, K>>>,
}

impl<L: Level, const H: usize, const K: usize> LazyWeights<L, H, K> {
    const fn of(model: BuiltinModel) -> Self {
        LazyWeights {
            model,
            weights: OnceLock::new(),
        }
    }

    fn weights(&'static self) -> Option<&'static Weights<L, H, K>> {
        // Weights that are not available may be loaded later.
        let bytes = self.model.weights()?;
        let weights = self.weights.get_or_init(|| Weights::from_bytes(bytes).ok());
        weights.as_ref()
    }

    fn included(&'static self) -> Result<&'static Weights<L, H, K>, FollowerError> {
        let level = self.model.level();
        self.weights().ok_or(FollowerError::NotIncluded { level })
    }
}

static FAST: LazyWeights<Fast, { Fast::UNITS }, { Fast::MOVE_UNITS }> =
    LazyWeights::of(BuiltinModel::Fast);
static DEFAULT: LazyWeights<Default, { Default::UNITS }, { Default::MOVE_UNITS }> =
    LazyWeights::of(BuiltinModel::Default);
static MAX: LazyWeights<Max, { Max::UNITS }, { Max::MOVE_UNITS }> =
    LazyWeights::of(BuiltinModel::Max);

/// The reasons why a built-in model cannot follow a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FollowerError {
    /// This build leaves out the weights of the model.
    #[error("needs the move model `{level}`, which this build leaves out (feature model-{level})")]
    NotIncluded {
        /// The level of the model.
        level: &'static str,
    },
    /// The start position is not one of chess or Chess960.
    #[error("the model knows no rules but those of chess")]
    Variant,
}

/// The state of a built-in model in a game.
#[derive(Debug, Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one a game and one a variation that is open; boxed, each would be slower to copy"
)]
pub enum BuiltinFollower<'t> {
    /// The state of the model of the level `fast`.
    Fast(Follower<'t, Fast, { Fast::UNITS }, { Fast::MOVE_UNITS }>),
    /// The state of the model of the level `default`.
    Default(Follower<'t, Default, { Default::UNITS }, { Default::MOVE_UNITS }>),
    /// The state of the model of the level `max`.
    Max(Follower<'t, Max, { Max::UNITS }, { Max::MOVE_UNITS }>),
}

/// Evaluates an expression with the follower of any model.
macro_rules! each {
    ($self:expr, $follower:ident => $done:expr) => {
        match $self {
            BuiltinFollower::Fast($follower) => $done,
            BuiltinFollower::Default($follower) => $done,
            BuiltinFollower::Max($follower) => $done,
        }
    };
}

impl<'t> BuiltinFollower<'t> {
    /// The state at the start of a game, with the adaptation of its segment.
    ///
    /// # Errors
    /// This build does not include the weights, or the start position is not one of
    /// chess or Chess960.
    pub fn new(
        model: BuiltinModel,
        start: &ChessPosition,
        context: GameContext,
        hints: GameAdaptation<'t>,
    ) -> Result<Self, FollowerError> {
        let follower = match model {
            BuiltinModel::Fast => {
                Follower::new(FAST.included()?, start, context, hints).map(Self::Fast)
            }
            BuiltinModel::Default => {
                Follower::new(DEFAULT.included()?, start, context, hints).map(Self::Default)
            }
            BuiltinModel::Max => {
                Follower::new(MAX.included()?, start, context, hints).map(Self::Max)
            }
        };
        follower.ok_or(FollowerError::Variant)
    }

    /// A copy for a variation that branches off here. The length of a variation is
    /// unknown, so none of its plies counts as the last.
    pub fn variation(&self) -> Self {
        match self {
            Self::Fast(follower) => Self::Fast(follower.variation()),
            Self::Default(follower) => Self::Default(follower.variation()),
            Self::Max(follower) => Self::Max(follower.variation()),
        }
    }

    /// Encodes a ply and plays it. Returns it as coded, or `None` if it is not legal.
    pub fn encode(&mut self, ply: PlyKind, encoder: &mut Encoder) -> Option<CodedPly> {
        each!(self, follower => follower.encode(ply, encoder))
    }

    /// Decodes a move and plays it. Returns `None` if no move is legal.
    ///
    /// # Errors
    /// The bytes decode to none of the legal moves.
    pub fn decode(&mut self, decoder: &mut Decoder<'_>) -> Result<Option<PlyKind>, RangeError> {
        each!(self, follower => follower.decode(decoder))
    }

    /// Encodes a ply and plays it. The decoder must know that the ply is none of
    /// `besides`, which get no share. Returns the ply as coded, or `None` if it is not
    /// legal or one of `besides`.
    pub fn encode_besides(
        &mut self,
        ply: PlyKind,
        besides: &[PlyKind],
        encoder: &mut Encoder,
    ) -> Option<CodedPly> {
        each!(self, follower => follower.encode_excluding(ply, besides, encoder))
    }

    /// Decodes a move that is known to be none of `besides`, and plays it. Returns
    /// `None` if no move is legal.
    ///
    /// # Errors
    /// The bytes decode to none of the other legal moves.
    pub fn decode_besides(
        &mut self,
        besides: &[PlyKind],
        decoder: &mut Decoder<'_>,
    ) -> Result<Option<PlyKind>, RangeError> {
        each!(self, follower => follower.decode_excluding(besides, decoder))
    }

    /// Plays a ply without coding it. Returns `None` if it is not legal.
    pub fn advance(&mut self, ply: PlyKind) -> Option<()> {
        each!(self, follower => follower.advance(ply))
    }

    /// Whether a ply is a legal move.
    pub fn is_legal(&self, ply: PlyKind) -> bool {
        each!(self, follower => follower.is_legal(ply))
    }

    /// Hash of the pieces and the side to move; may collide.
    pub fn key(&self) -> u64 {
        each!(self, follower => follower.key())
    }

    /// Plays a null move. Returns `None` if the side to move is in check.
    pub fn pass(&mut self) -> Option<()> {
        each!(self, follower => follower.pass())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_those_that_archives_name() {
        for model in BuiltinModel::ALL {
            let weights = model.included_weights().unwrap();
            assert_eq!(model.check(weights), Ok(()));
        }
    }

    #[test]
    fn included_weights_are_aligned() {
        for weights in BuiltinModel::ALL
            .iter()
            .filter_map(|model| model.included_weights())
        {
            assert_eq!(weights.as_ptr().addr() % 64, 0);
        }
    }

    #[test]
    fn other_weights_are_refused() {
        let fast = BuiltinModel::Fast.included_weights().unwrap();
        let default = BuiltinModel::Default.included_weights().unwrap();
        for bytes in [default, &fast[1..], &fast[..fast.len() - 1], b""] {
            let refusal = BuiltinModel::Fast.check(bytes).unwrap_err();
            let message = "not the weights of the move model `fast`";
            assert_eq!(refusal.to_string(), message);
        }
    }

    #[test]
    fn every_model_follows_games() {
        for model in BuiltinModel::ALL {
            assert_eq!(
                BuiltinModel::from_number(model.number().into()),
                Some(model)
            );
            let start = ChessPosition::standard();
            let follower =
                BuiltinFollower::new(model, &start, GameContext::default(), GameAdaptation::NONE);
            assert!(follower.is_ok(), "{model:?}");
        }
        assert_eq!([0, 1, 5].map(BuiltinModel::from_number), [None; 3]);
    }
}
