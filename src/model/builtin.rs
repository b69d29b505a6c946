//! The built-in models and their weights (`spec/models.md`, "Models").

use std::sync::OnceLock;

use super::builtin_follower::FollowerError;
use super::groups::{Default, Fast, Level, Max};
use super::loader;
use super::move_model::WeightsVisitor;
use super::weights::Weights;

/// A built-in model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BuiltinModel {
    /// The model of the level `fast`.
    Fast,
    /// The model of the level `default`.
    Default,
    /// The model of the level `max`.
    Max,
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

    /// The model with this digest.
    pub fn of_digest(digest: &[u8; 32]) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|model| model.digest() == *digest)
    }

    /// Calls a function of weights with those of the model, if the program has them.
    pub(super) fn visit<V: WeightsVisitor>(self, visitor: V) -> Option<V::Output> {
        Some(match self {
            BuiltinModel::Fast => visitor.visit(FAST.weights()?),
            BuiltinModel::Default => visitor.visit(DEFAULT.weights()?),
            BuiltinModel::Max => visitor.visit(MAX.weights()?),
        })
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
    #[cfg(feature = "answers")]
    pub(crate) fn may_be_loaded() -> bool {
        loader::is_set()
    }

    /// Gives the program the weights of a model that its build leaves out: the bytes of the file
    /// `spec/models/LEVEL.model` of the source. It has no effect if the weights are available.
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
            BuiltinModel::Fast => Some(include_aligned!("../../spec/models/fast.model")),
            #[cfg(feature = "model-default")]
            BuiltinModel::Default => Some(include_aligned!("../../spec/models/default.model")),
            #[cfg(feature = "model-max")]
            BuiltinModel::Max => Some(include_aligned!("../../spec/models/max.model")),
            #[cfg(not(all(
                feature = "model-fast",
                feature = "model-default",
                feature = "model-max"
            )))]
            _ => None,
        }
    }

    /// The BLAKE3 digest of the bytes of its file, by which archives name it.
    pub fn digest(self) -> [u8; 32] {
        let [high, low]: [u128; 2] = match self {
            BuiltinModel::Fast => [
                0x91ad1ef0_14a693b2_14bf25a3_897cf9ce,
                0x6909bd51_b6a20c06_53e6387f_7b73f7d2,
            ],
            BuiltinModel::Default => [
                0x0ad77d61_11dbc70d_9f89f7d7_cfc12955,
                0x0a8eef00_668c53eb_5d9e93e7_6baa18e7,
            ],
            BuiltinModel::Max => [
                0xb5c0f8e7_ed0b4396_44a3ea01_811b062f,
                0x74e8091d_8b04dfc5_df8395d1_2eb69e5c,
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
pub(super) struct LazyWeights<L, const H: usize, const K: usize> {
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

    pub(super) fn included(&'static self) -> Result<&'static Weights<L, H, K>, FollowerError> {
        let level = self.model.level();
        self.weights().ok_or(FollowerError::NotIncluded { level })
    }
}

pub(super) static FAST: LazyWeights<Fast, { Fast::UNITS }, { Fast::MOVE_UNITS }> =
    LazyWeights::of(BuiltinModel::Fast);
pub(super) static DEFAULT: LazyWeights<Default, { Default::UNITS }, { Default::MOVE_UNITS }> =
    LazyWeights::of(BuiltinModel::Default);
pub(super) static MAX: LazyWeights<Max, { Max::UNITS }, { Max::MOVE_UNITS }> =
    LazyWeights::of(BuiltinModel::Max);

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
}
