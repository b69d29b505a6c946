//! The built-in models and their weights (`spec/models.md`, "Models").

use std::sync::OnceLock;

use super::adaptation::{Adaptation, SampleGame};
use super::builtin_follower::FollowerError;
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
    #[cfg(feature = "answers")]
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
