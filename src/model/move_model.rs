//! A move model, whatever its origin.

use std::sync::Arc;

use super::adaptation::{Adaptation, SampleGame};
use super::builtin::BuiltinModel;
use super::groups::{Default, Fast, Level, Max};
use super::net::WeightsError;
use super::weights::Weights;

/// A move model: a built-in one, or one from a file. Two are equal if they have the same digest.
#[derive(Debug, Clone)]
pub struct MoveModel(pub(super) Origin);

#[derive(Debug, Clone)]
pub(super) enum Origin {
    Builtin(BuiltinModel),
    File(Arc<FileModel>),
}

/// A model from a file.
#[derive(Debug)]
pub(super) struct FileModel {
    digest: [u8; 32],
    pub(super) weights: AnyWeights,
}

/// The weights of a model of any level.
#[derive(Debug)]
pub(super) enum AnyWeights {
    Fast(Box<Weights<Fast, { Fast::UNITS }, { Fast::MOVE_UNITS }>>),
    Default(Box<Weights<Default, { Default::UNITS }, { Default::MOVE_UNITS }>>),
    Max(Box<Weights<Max, { Max::UNITS }, { Max::MOVE_UNITS }>>),
}

impl PartialEq for MoveModel {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for MoveModel {}

impl From<BuiltinModel> for MoveModel {
    fn from(model: BuiltinModel) -> Self {
        MoveModel(Origin::Builtin(model))
    }
}

/// Bytes that are not the file of a move model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the file of a move model: {0}")]
pub struct InvalidModel(#[from] WeightsError);

/// The size of the largest file of a model, in bytes.
pub(crate) const MAX_FILE_BYTES: u64 =
    file_bytes::<Max, { Max::UNITS }, { Max::MOVE_UNITS }>() as u64;

const fn file_bytes<L: Level, const H: usize, const K: usize>() -> usize {
    Weights::<L, H, K>::FILE_BYTES
}

impl MoveModel {
    /// Reads the file of a model. The same bytes as those of a built-in model give that one.
    ///
    /// # Errors
    /// The bytes are not those of a model: their number, their end or the bound of a sum is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidModel> {
        let digest = *blake3::hash(bytes).as_bytes();
        if let Some(model) = BuiltinModel::of_digest(&digest).filter(|model| model.is_available()) {
            return Ok(model.into());
        }
        let weights = match bytes.last() {
            Some(&Fast::NUMBER) => AnyWeights::Fast(Box::new(Weights::copied(bytes)?)),
            Some(&Default::NUMBER) => AnyWeights::Default(Box::new(Weights::copied(bytes)?)),
            Some(&Max::NUMBER) => AnyWeights::Max(Box::new(Weights::copied(bytes)?)),
            _ => return Err(WeightsError::Level.into()),
        };
        Ok(MoveModel(Origin::File(Arc::new(FileModel {
            digest,
            weights,
        }))))
    }

    /// The bytes of the file of a model that is not built in.
    pub(crate) fn file(&self) -> Option<Vec<u8>> {
        match &self.0 {
            Origin::Builtin(_) => None,
            Origin::File(model) => Some(model.weights.visit(ToBytes)),
        }
    }

    /// Calls a function of weights with those of the model. Returns `None` if the program does not
    /// have them.
    pub(crate) fn visit<V: WeightsVisitor>(&self, visitor: V) -> Option<V::Output> {
        match &self.0 {
            Origin::Builtin(model) => model.visit(visitor),
            Origin::File(model) => Some(model.weights.visit(visitor)),
        }
    }

    /// The name of its level.
    pub fn level(&self) -> &'static str {
        let level = match &self.0 {
            Origin::Builtin(model) => *model,
            Origin::File(model) => match &model.weights {
                AnyWeights::Fast(_) => BuiltinModel::Fast,
                AnyWeights::Default(_) => BuiltinModel::Default,
                AnyWeights::Max(_) => BuiltinModel::Max,
            },
        };
        level.level()
    }

    /// The BLAKE3 digest of the bytes of its file.
    pub fn digest(&self) -> [u8; 32] {
        match &self.0 {
            Origin::Builtin(model) => model.digest(),
            Origin::File(model) => model.digest,
        }
    }

    /// Whether the program has its weights.
    pub fn is_available(&self) -> bool {
        match &self.0 {
            Origin::Builtin(model) => model.is_available(),
            Origin::File(_) => true,
        }
    }

    /// Fits an adaptation of the model to these games. Returns the default
    /// adaptation if this build does not include the weights.
    pub(crate) fn fit_adaptation(&self, games: &[SampleGame<'_>]) -> Adaptation {
        // A test checks that all included weights can be read.
        self.visit(FitAdaptation(games)).unwrap_or_default()
    }
}

impl AnyWeights {
    fn visit<V: WeightsVisitor>(&self, visitor: V) -> V::Output {
        match self {
            AnyWeights::Fast(weights) => visitor.visit(weights),
            AnyWeights::Default(weights) => visitor.visit(weights),
            AnyWeights::Max(weights) => visitor.visit(weights),
        }
    }
}

/// A function of the weights of a model of any level.
pub trait WeightsVisitor {
    /// What it returns.
    type Output;

    /// Calls the function.
    fn visit<L: Level, const H: usize, const K: usize>(
        self,
        weights: &Weights<L, H, K>,
    ) -> Self::Output;
}

struct ToBytes;

impl WeightsVisitor for ToBytes {
    type Output = Vec<u8>;

    fn visit<L: Level, const H: usize, const K: usize>(
        self,
        weights: &Weights<L, H, K>,
    ) -> Vec<u8> {
        weights.to_bytes()
    }
}

struct FitAdaptation<'g>(&'g [SampleGame<'g>]);

impl WeightsVisitor for FitAdaptation<'_> {
    type Output = Adaptation;

    fn visit<L: Level, const H: usize, const K: usize>(
        self,
        weights: &Weights<L, H, K>,
    ) -> Adaptation {
        Adaptation::fit(weights, self.0)
    }
}
