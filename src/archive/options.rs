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
    /// Whether prose may be compressed by context mixing. It then takes a fifth less
    /// space, but about 2 µs per byte to decode. Reading a game decodes the prose of
    /// its block, which takes up to half a second.
    pub context_mixing: bool,
    /// The kind of indexes that segments get.
    pub indexes: Indexes,
}

impl PackOptions {
    /// The maximum of [`block_records`](PackOptions::block_records).
    pub const MAX_BLOCK_RECORDS: u32 = MAX_BLOCK_RECORDS;

    /// Fails if a codec needs a model that this build leaves out.
    pub(super) fn check(&self) -> Result<(), Error> {
        if !self.codecs.contains(&Codec::Model) || self.model.is_available() {
            return Ok(());
        }
        let level = self.model.level();
        Err(ErrorKind::ModelNotIncluded { level }.into())
    }
}

impl Default for PackOptions {
    fn default() -> Self {
        PackOptions {
            codecs: Codec::ALL.to_vec(),
            model: BuiltinModel::Default.into(),
            segment_bytes: 128 << 20,
            block_records: 256,
            context_mixing: false,
            indexes: Indexes::default(),
        }
    }
}
