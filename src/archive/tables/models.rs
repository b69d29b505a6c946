//! The move model that the records of a segment need.

use crate::archive::error::ContentError;
use crate::bits::ByteReader;
use crate::codec::pack;
use crate::limits::Limits;
use crate::model::{BuiltinModel, MAX_FILE_BYTES, MoveModel};

/// A move model, as archives name it: the BLAKE3 digest of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub [u8; 32]);

impl ModelId {
    /// The name of the model's level, if the model is built in.
    pub fn level(&self) -> Option<&'static str> {
        BuiltinModel::of_digest(&self.0).map(BuiltinModel::level)
    }

    /// The model: a built-in one, or one of `own`.
    pub(crate) fn find(self, own: OwnModels<'_>) -> Result<MoveModel, ContentError> {
        let Some(model) = BuiltinModel::of_digest(&self.0) else {
            return own(self)?.ok_or(ContentError::NoModel { id: self });
        };
        match model.is_available() {
            true => Ok(model.into()),
            false => Err(ContentError::ModelNotIncluded {
                level: model.level(),
            }),
        }
    }
}

impl std::fmt::Display for ModelId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        blake3::Hash::from_bytes(self.0).fmt(out)
    }
}

/// Where models are found that are not built in.
pub(crate) type OwnModels<'m> =
    &'m (dyn Fn(ModelId) -> Result<Option<MoveModel>, ContentError> + Sync);

/// A model as an archive contains it.
pub(crate) fn pack_model(file: &[u8]) -> Vec<u8> {
    pack::compress(file, PACK_LEVEL)
}

/// Of zstd. Models hardly become smaller at higher levels.
const PACK_LEVEL: i32 = 19;

/// Reads a model as an archive contains it.
///
/// # Errors
/// It exceeds a limit, or it is not the model with this digest.
pub(crate) fn unpack_model(
    packed: &[u8],
    id: ModelId,
    limits: &Limits,
) -> Result<MoveModel, ContentError> {
    let most = limits.tables_bytes.min(MAX_FILE_BYTES);
    let file = pack::decompress(packed, most, limits)?;
    if *blake3::hash(&file).as_bytes() != id.0 {
        return Err(ContentError::Invalid("a model with another digest"));
    }
    Ok(MoveModel::from_bytes(&file)?)
}

/// Reads the table of the model, which is absent or empty if the segment has none.
pub(crate) fn read_model(table: Option<&[u8]>) -> Result<Option<ModelId>, ContentError> {
    match table {
        None | Some([]) => Ok(None),
        Some(bytes) => {
            let mut input = ByteReader::new(bytes);
            let id = ModelId(input.array()?);
            input.finish()?;
            Ok(Some(id))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_32_bytes() {
        for none in [None, Some(&[][..])] {
            assert_eq!(read_model(none), Ok(None));
        }
        assert_eq!(read_model(Some(&[7; 32])), Ok(Some(ModelId([7; 32]))));
        assert!(read_model(Some(&[7; 31])).is_err());
        assert!(read_model(Some(&[7; 33])).is_err());
    }

    #[test]
    fn missing_models_are_reported() {
        for model in BuiltinModel::ALL {
            let mut id = ModelId(model.digest());
            let own = |_| Ok(None);
            assert_eq!(id.find(&own), Ok(model.into()));
            assert_eq!(id.level(), Some(model.level()));
            id.0[31] ^= 1;
            let missing = id.find(&own).unwrap_err().to_string();
            assert!(missing.contains(&id.to_string()), "{missing}");
            assert_eq!(id.level(), None);
        }
    }
}
