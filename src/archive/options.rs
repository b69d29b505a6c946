//! Options for writing an archive.

use super::error::{Error, ErrorKind};
use crate::archive::block::MAX_BLOCK_RECORDS;
use crate::archive::read::indexes::Indexes;
use crate::moves::{BuiltinModel, Codec, MoveModel};

/// Options for writing an archive.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// The candidate move codecs. For each game the codec `model` is used if its
    /// moves take at most 4 bits per ply, otherwise the codec with the smallest
    /// result.
    pub codecs: Vec<Codec>,
    /// The model of the codec `model`.
    pub model: MoveModel,
    /// The size of a segment's text, in bytes. It bounds the memory for packing,
    /// which is about 5 times this size for master games and 5.5 times for a comment
    /// of 1 GB.
    pub segment_bytes: usize,
    /// The maximum number of records per block, clamped to 1 to
    /// [`MAX_BLOCK_RECORDS`](PackOptions::MAX_BLOCK_RECORDS).
    pub block_records: u32,
    /// The maximum amount of prose in a block of several records, in bytes, if prose is
    /// compressed by context mixing; 0 for no mixing. Prose is comments and text that is not
    /// structure. Mixed, it takes a fifth less space, but about 0.4 µs a byte to decode, and
    /// reading a game decodes the prose of its block up to the game, and once 64 KiB that the
    /// segment shares.
    pub mixed_prose_bytes: usize,
    /// The kind of indexes that segments get.
    pub indexes: Indexes,
}

impl PackOptions {
    /// The maximum of [`block_records`](PackOptions::block_records).
    pub const MAX_BLOCK_RECORDS: u32 = MAX_BLOCK_RECORDS;

    /// The options of a level: its model, and what prose costs to read.
    pub fn of_level(level: BuiltinModel) -> Self {
        PackOptions {
            codecs: Codec::ALL.to_vec(),
            model: level.into(),
            segment_bytes: 128 << 20,
            block_records: 256,
            mixed_prose_bytes: match level {
                BuiltinModel::Fast => 0,
                BuiltinModel::Default => 64 << 10,
                BuiltinModel::Max => usize::MAX,
            },
            indexes: Indexes::default(),
        }
    }

    /// These options with other codecs. Who chooses codecs without a model wants speed, so prose
    /// is then not mixed.
    #[must_use]
    pub fn with_codecs(self, codecs: Vec<Codec>) -> Self {
        let mixed_prose_bytes = match codecs.contains(&Codec::Model) {
            true => self.mixed_prose_bytes,
            false => 0,
        };
        PackOptions {
            codecs,
            mixed_prose_bytes,
            ..self
        }
    }

    /// Whether prose may be compressed by context mixing.
    pub(super) fn mixes_prose(&self) -> bool {
        self.mixed_prose_bytes > 0
    }

    /// Fails if a codec needs a model that this build leaves out.
    pub(super) fn check(&self) -> Result<(), Error> {
        if !self.codecs.contains(&Codec::Model) || self.model.is_available() {
            return Ok(());
        }
        let level = self.model.level();
        Err(ErrorKind::ModelNotIncluded { level }.into())
    }
}

/// Those of the level `default`.
impl Default for PackOptions {
    fn default() -> Self {
        PackOptions::of_level(BuiltinModel::Default)
    }
}
