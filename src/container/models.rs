//! Models that a file contains (spec/format.md, “Models”): each is stored once, for all segments.

use super::error::{ContainerError, FilePlace};
use super::read_at::ReadAt;
use super::reader::Container;
use super::registry::{self, MODEL, MODELS};
use super::section::{self, FRAME_BYTES, Section};
use super::slot::FIRST_SECTION;
use super::tables::Tables;
use super::writer::{ContainerWriter, into_misuse};
use crate::bits::{BitsError, ByteReader, put_varint};
use std::io::Write;

/// The digest of a model: BLAKE3.
pub type ModelDigest = [u8; 32];

/// The bytes of a payload before the packed model: its digest.
pub(super) const DIGEST_BYTES: u64 = 32;

/// The maximum number of models in a file. It bounds the time of comparing their digests.
pub(super) const MAX_MODELS: usize = 4096;

/// The entry of a model in the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ModelEntry {
    pub(super) digest: ModelDigest,
    /// File offset of its section.
    pub(super) offset: u64,
    /// Size of the section in bytes.
    pub(super) bytes: u64,
}

impl ModelEntry {
    /// The least bytes of an entry: the digest and two numbers.
    pub(super) const MIN_BYTES: u64 = DIGEST_BYTES + 2;

    pub(super) fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.digest);
        put_varint(out, self.offset);
        put_varint(out, self.bytes);
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(ModelEntry {
            digest: reader.array()?,
            offset: reader.varint()?,
            bytes: reader.varint()?,
        })
    }

    pub(super) fn is_possible(&self) -> bool {
        self.offset >= FIRST_SECTION
            && self.bytes >= FRAME_BYTES + DIGEST_BYTES
            && self.offset.checked_add(self.bytes).is_some()
    }

    /// The end of the section.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }

    /// The packed model in the bytes of its section.
    pub(super) fn check(
        &self,
        bytes: Vec<u8>,
        place: FilePlace,
    ) -> Result<Vec<u8>, ContainerError> {
        let section = Section::check_critical(bytes, MODELS, place)?;
        match section.payload().split_first_chunk() {
            Some((digest, packed)) if *digest == self.digest => Ok(packed.to_vec()),
            _ => Err(place.invalid("the section is not that of the model")),
        }
    }
}

/// The model that the tables of a segment name.
pub(super) fn model_of(tables: &Tables) -> Option<ModelDigest> {
    tables.get(MODEL, 0)?.try_into().ok()
}

impl<W: Write + ?Sized> ContainerWriter<W> {
    /// Whether the file contains a model.
    pub fn has_model(&self, digest: &ModelDigest) -> bool {
        self.directory.model(digest).is_some()
    }

    /// Writes a packed model, unless the file contains it. Segments that need it come after it, so
    /// that they can be read if the end of the file is lost.
    ///
    /// # Errors
    /// A segment is open, a limit is exceeded, or the sink fails.
    pub fn model(&mut self, digest: ModelDigest, packed: &[u8]) -> Result<(), ContainerError> {
        if self.segment.is_some() {
            return Err(ContainerError::Misuse("a segment is open"));
        }
        if self.has_model(&digest) {
            return Ok(());
        }
        let offset = self.offset;
        let place = section::place(MODELS, offset);
        let bytes = (packed.len() as u64).saturating_add(FRAME_BYTES + DIGEST_BYTES);
        place.check_limit("size of the model", bytes, self.limits.index_bytes)?;
        self.write_section(MODELS, registry::CRITICAL, &[&digest, packed])?;
        let entry = ModelEntry {
            digest,
            offset,
            bytes,
        };
        self.directory.push_model(entry).map_err(into_misuse)
    }

    /// Copies the model that tables name, if the other file contains it.
    pub(super) fn copy_model<S: ReadAt>(
        &mut self,
        from: &Container<S>,
        tables: &Tables,
    ) -> Result<(), ContainerError> {
        match model_of(tables) {
            Some(digest) if !self.has_model(&digest) => match from.model(&digest)? {
                Some(packed) => self.model(digest, &packed),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

impl<S: ReadAt> Container<S> {
    /// The models that the file contains.
    pub fn models(&self) -> impl Iterator<Item = ModelDigest> {
        let models = self.commit().directory.models().iter();
        models.map(|entry| entry.digest)
    }

    /// The size of the sections of models in bytes.
    pub fn models_bytes(&self) -> u64 {
        let models = self.commit().directory.models().iter();
        models.fold(0, |sum, entry| sum.saturating_add(entry.bytes))
    }

    /// Reads a packed model; `None` if the file does not contain it. Whether its digest is that of
    /// its bytes is not checked.
    ///
    /// # Errors
    /// It is damaged, exceeds a limit, or cannot be read.
    pub fn model(&self, digest: &ModelDigest) -> Result<Option<Vec<u8>>, ContainerError> {
        let Some(entry) = self.commit().directory.model(digest) else {
            return Ok(None);
        };
        let place = section::place(MODELS, entry.offset);
        let limit = self.limits().index_bytes;
        place.check_limit("size of the model", entry.bytes, limit)?;
        let read = || entry.check(self.input().read(place, entry.bytes)?, place);
        self.read_mended(place, entry.bytes, read).map(Some)
    }
}
