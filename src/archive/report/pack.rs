//! Statistics on packing.

use crate::archive::schema::registry::ColumnId;
use crate::container::BlockCounts;
use crate::pgn::VerbatimReason;
use std::collections::BTreeMap;

/// Statistics on what was packed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackReport {
    /// The number of sources.
    pub sources: u64,
    /// The number of games.
    pub games: u64,
    /// The size of all sources, in bytes.
    pub raw_bytes: u64,
    /// The number of plies of all main lines, without verbatim tails.
    pub plies: u64,
    /// The number of games with a patch, i.e. whose layout alone does not give
    /// their text.
    pub patched: u64,
    /// The number of games with a verbatim tail, by reason.
    pub verbatim: BTreeMap<VerbatimReason, u64>,
    /// The size of all blocks by the number of the column (`spec/registry.md`), in bytes.
    pub columns: BTreeMap<u64, u64>,
}

/// Statistics on a block.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockReport {
    /// The number of games with a verbatim tail, by reason.
    pub(crate) rests: BTreeMap<VerbatimReason, u64>,
    /// The number of games with a patch.
    pub(crate) patched: u64,
    /// The number of plies of main lines, without verbatim tails.
    pub(crate) plies: u64,
    /// The size of each column in bytes.
    pub(crate) columns: BTreeMap<ColumnId, u64>,
}

impl PackReport {
    /// Adds a block.
    pub(crate) fn add(&mut self, shape: BlockCounts, block: &BlockReport) {
        self.games += u64::from(shape.games);
        self.raw_bytes += u64::from(shape.raw_bytes);
        self.plies += block.plies;
        self.patched += block.patched;
        for (reason, count) in &block.rests {
            *self.verbatim.entry(*reason).or_default() += count;
        }
        for (column, bytes) in &block.columns {
            *self.columns.entry(column.0).or_default() += bytes;
        }
    }
}
