//! The candidates for writing a segment: with plans and, if it is short, without.

use crate::archive::write::block_encoder::{BlockEncoder, EncodedBlock};
use crate::archive::write::prose_columns::CompressedProse;
use crate::container::Tables;
use crate::parallel;
use std::ops::Range;

/// A segment of at most this many blocks is also encoded without plans; the
/// smaller result is written.
const MAX_UNPLANNED_BLOCKS: usize = 8;

/// Whether a segment of these blocks is also encoded without plans: a few records may take
/// less space without them.
pub(crate) fn is_short(blocks: &[Range<usize>]) -> bool {
    blocks.len() <= MAX_UNPLANNED_BLOCKS
}

/// A way to encode the blocks of a segment, and the tables for it.
pub(crate) struct EncodingCandidate<'w, 's> {
    pub(crate) tables: Tables,
    pub(crate) block_encoder: BlockEncoder<'w, 's>,
    /// The encoded blocks, if they have been encoded.
    pub(crate) encoded: Option<Vec<EncodedBlock>>,
}

impl<'w, 's> EncodingCandidate<'w, 's> {
    pub(crate) fn new(tables: Tables, block_encoder: BlockEncoder<'w, 's>) -> Self {
        EncodingCandidate {
            tables,
            block_encoder,
            encoded: None,
        }
    }

    /// The smaller of two candidates after all blocks are encoded with both; `other` if
    /// both have the same size. `None` if the prose cannot be compressed.
    pub(crate) fn smaller(mut self, mut other: Self, blocks: &[Range<usize>]) -> Option<Self> {
        let prose = parallel::map(blocks, |range| other.block_encoder.prose(range));
        let prose: Vec<CompressedProse> = prose.into_iter().collect::<Option<_>>()?;
        let of_other = other.encode(blocks, &prose);
        let is_other = of_other.is_some() && of_other <= self.encode(blocks, &prose);
        Some(if is_other { other } else { self })
    }

    /// Encodes all blocks with their prose. Returns the size of blocks and tables
    /// in bytes.
    fn encode(&mut self, blocks: &[Range<usize>], prose: &[CompressedProse]) -> Option<usize> {
        let encode = |(range, prose)| self.block_encoder.encode(range, prose);
        let encoded = parallel::map(blocks.iter().zip(prose), encode).into_iter();
        let encoded: Vec<EncodedBlock> = encoded.collect::<Option<_>>()?;
        let tables = self.tables.iter().map(|table| table.bytes.len());
        let packed = encoded.iter().map(|block| &block.packed);
        let bytes = tables.chain(packed.map(|packed| packed.tags.len() + packed.movetext.len()));
        let bytes = bytes.sum();
        self.encoded = Some(encoded);
        Some(bytes)
    }
}
