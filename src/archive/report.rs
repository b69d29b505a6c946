//! What was packed.

use super::registry::ColumnId;
use crate::container::BlockShape;
use crate::pgn::Rest;
use std::collections::BTreeMap;

/// What was packed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackReport {
    /// Sources.
    pub sources: u64,
    /// Games.
    pub games: u64,
    /// Size of all sources in bytes.
    pub raw_bytes: u64,
    /// Plies of main lines that are structure.
    pub plies: u64,
    /// Games whose text needs a patch beside its layout.
    pub patched: u64,
    /// Games that are kept verbatim from some place on, by reason.
    pub rests: BTreeMap<Rest, u64>,
    /// Bytes of all blocks by column.
    pub columns: BTreeMap<ColumnId, u64>,
}

/// What became of the records of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockReport {
    /// Games that are kept verbatim from some place on, by reason.
    pub(super) rests: BTreeMap<Rest, u64>,
    /// Games whose text needs a patch.
    pub(super) patched: u64,
    /// Plies that are structure.
    pub(super) plies: u64,
    /// Sizes in bytes by column.
    pub(super) columns: BTreeMap<ColumnId, u64>,
}

impl PackReport {
    /// Adds a block.
    pub(super) fn add(&mut self, shape: BlockShape, block: &BlockReport) {
        self.games += u64::from(shape.games);
        self.raw_bytes += u64::from(shape.raw_bytes);
        self.plies += block.plies;
        self.patched += block.patched;
        for (rest, count) in &block.rests {
            *self.rests.entry(*rest).or_default() += count;
        }
        for (column, bytes) in &block.columns {
            *self.columns.entry(*column).or_default() += bytes;
        }
    }
}
