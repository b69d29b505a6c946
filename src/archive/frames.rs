//! What an archive holds beside columns and tables: what finds and checks them.

use crate::container::{BlockEntry, SectionEntry, Segment};
use std::collections::BTreeMap;

/// What the container adds, by name, in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frames {
    /// The header and checksum of each block.
    pub block_frames: u64,
    /// The numbers and lengths of the columns in each block.
    pub column_heads: u64,
    /// The ends of segments, which tell where each block is.
    pub block_index: u64,
    /// The checksums of tables, and what mends them.
    pub table_frames: u64,
    /// Sections of segments that are neither tables nor blocks.
    pub other_sections: u64,
    /// The file's header and commit slots, its directory and footers.
    pub directory: u64,
}

impl Frames {
    /// The names of all parts, with their bytes.
    pub fn parts(&self) -> BTreeMap<&'static str, u64> {
        BTreeMap::from([
            ("block frames", self.block_frames),
            ("column heads", self.column_heads),
            ("block index", self.block_index),
            ("table frames", self.table_frames),
            ("other sections", self.other_sections),
            ("directory", self.directory),
        ])
    }

    /// Adds what a segment has, whose tables hold so many bytes.
    pub(super) fn add_segment(&mut self, segment: &Segment, tables_bytes: u64) {
        let blocks = segment.index().blocks();
        let tables = blocks.first().map_or(0, |block| block.offset);
        let packed = blocks.iter().map(|block| u64::from(block.packed_bytes));
        let packed: u64 = packed.sum();
        let framed: u64 = blocks.iter().map(BlockEntry::section_bytes).sum();
        let others = segment.index().sections().iter();
        let others: u64 = others.filter_map(SectionEntry::section_bytes).sum();
        let index = segment
            .entry()
            .bytes
            .saturating_sub(tables + framed + others);
        self.table_frames += tables.saturating_sub(tables_bytes);
        self.block_frames += framed.saturating_sub(packed);
        self.other_sections += others;
        self.block_index += index;
    }
}
