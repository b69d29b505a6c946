//! The list of move models that the records of a segment need.

use crate::archive::error::ContentError;
use crate::bits::{ByteReader, put_varint};
use crate::model::BuiltinModel;

/// A move model, as identified in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelId {
    /// The number of the model.
    pub number: u64,
    /// The BLAKE3 digest of the model's weights.
    pub digest: [u8; 32],
}

impl ModelId {
    /// The ID of a model of this release.
    pub(crate) fn of(model: BuiltinModel) -> Self {
        ModelId {
            number: model.number().into(),
            digest: model.digest(),
        }
    }

    /// The name of the model's level, if this release has the model.
    pub fn level(&self) -> Option<&'static str> {
        self.known().ok().map(BuiltinModel::level)
    }

    /// The model, if this release knows it.
    fn known(&self) -> Result<BuiltinModel, ContentError> {
        let number = self.number;
        let model = BuiltinModel::from_number(number).ok_or(ContentError::NoModel { number })?;
        match model.digest() == self.digest {
            true => Ok(model),
            false => Err(ContentError::OtherModel { number }),
        }
    }

    /// The model, if this program has it.
    pub(crate) fn builtin(&self) -> Result<BuiltinModel, ContentError> {
        let model = self.known()?;
        match model.is_available() {
            true => Ok(model),
            false => Err(ContentError::ModelNotIncluded {
                level: model.level(),
            }),
        }
    }
}

pub(crate) fn write_models(models: &[ModelId]) -> Vec<u8> {
    let mut out = Vec::new();
    for model in models {
        put_varint(&mut out, model.number);
        out.extend_from_slice(&model.digest);
    }
    out
}

/// Reads the list; numbers must be strictly ascending.
pub(crate) fn read_models(bytes: &[u8]) -> Result<Vec<ModelId>, ContentError> {
    let mut input = ByteReader::new(bytes);
    let mut models: Vec<ModelId> = Vec::new();
    while !input.is_empty() {
        let number = input.varint()?;
        let mut digest = [0; 32];
        digest.copy_from_slice(input.take(32)?);
        if models.last().is_some_and(|last| last.number >= number) {
            return Err(ContentError::Invalid("models out of order"));
        }
        models.push(ModelId { number, digest });
    }
    Ok(models)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_round_trip() {
        let mut models = BuiltinModel::ALL.map(ModelId::of);
        models.sort_by_key(|model| model.number);
        let bytes = write_models(&models);
        assert_eq!(bytes.len(), 3 * 33);
        assert_eq!(read_models(&bytes), Ok(models.to_vec()));
        assert_eq!(read_models(&[]), Ok(Vec::new()));
        assert!(read_models(&bytes[..bytes.len() - 1]).is_err());
        let twice = [&bytes[..33], &bytes[..33]].concat();
        assert!(read_models(&twice).is_err());
    }

    #[test]
    fn missing_models_are_reported() {
        for model in BuiltinModel::ALL {
            assert_eq!(ModelId::of(model).builtin(), Ok(model));
            assert_eq!(ModelId::of(model).level(), Some(model.level()));
        }
        let mut id = ModelId::of(BuiltinModel::Default);
        id.digest[31] ^= 1;
        let other = id.builtin().unwrap_err();
        assert_eq!(other, ContentError::OtherModel { number: 2 });
        id.number = 7;
        let unknown = id.builtin().unwrap_err().to_string();
        assert_eq!(
            unknown,
            "needs move model 7, which this release does not have"
        );
        assert_eq!(id.level(), None);
    }
}
