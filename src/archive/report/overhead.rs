//! The overhead of an archive beyond columns and tables: framing, indexes and
//! checksums.

use crate::bits::put_varint;
use crate::container::{BlockEntry, SectionEntry, Segment, Table, Tables};
use crate::index::{CONTINUATIONS, DERIVED_TAGS, OPENINGS, STRUCTURES, VISITS};
use std::collections::BTreeMap;

/// The size of the CRC-32 at the end of each block.
const CHECKSUM_BYTES: u64 = 4;

/// The sizes of the parts of the overhead, in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overhead {
    /// The headers of blocks.
    pub block_heads: u64,
    /// The column directories of blocks: numbers and lengths of columns.
    pub column_heads: u64,
    /// The ends of segments, which hold the offsets of blocks.
    pub block_index: u64,
    /// The kinds, keys and lengths of tables.
    pub table_heads: u64,
    /// The frames of tables.
    pub table_frames: u64,
    /// The checksums of blocks.
    pub block_checksums: u64,
    /// The index of openings.
    pub openings_index: u64,
    /// The index of irreversible events and first plies after the openings.
    pub continuations_index: u64,
    /// The index of the structures of pawns.
    pub structures_index: u64,
    /// The index of the squares that pieces visit.
    pub visits_index: u64,
    /// The index of tags that depend on the moves.
    pub tags_index: u64,
    /// Other sections of segments that are neither tables nor blocks.
    pub other_sections: u64,
    /// The names of players, by which searches leave out segments.
    pub names: u64,
    /// The models that the archive contains.
    pub models: u64,
    /// The parity by which damage is mended.
    pub parity: u64,
    /// The header, commit slots, directory and footers of the file.
    pub directory: u64,
}

impl Overhead {
    /// The sizes of all parts, by name.
    pub fn parts(&self) -> BTreeMap<&'static str, u64> {
        BTreeMap::from([
            ("block heads", self.block_heads),
            ("block checksums", self.block_checksums),
            ("column heads", self.column_heads),
            ("block index", self.block_index),
            ("table heads", self.table_heads),
            ("table frames", self.table_frames),
            ("index of openings", self.openings_index),
            ("index of continuations", self.continuations_index),
            ("index of pawn structures", self.structures_index),
            ("index of visits", self.visits_index),
            ("index of tags", self.tags_index),
            ("other sections", self.other_sections),
            ("names of players", self.names),
            ("models", self.models),
            ("parity", self.parity),
            ("directory", self.directory),
        ])
    }

    /// Adds a segment. `held` are its tables.
    pub(crate) fn add_segment(&mut self, segment: &Segment, tables: &Tables) {
        let blocks = segment.index().blocks().iter();
        let header_bytes: u64 = blocks
            .map(|block| segment.index().header_bytes(block))
            .sum();
        let (held_bytes, held_heads) = (
            sum(tables, |table| table.bytes.len()),
            sum(tables, head_bytes),
        );
        let blocks = segment.index().blocks();
        let tag_sections = segment.index().tags();
        let tables = tag_sections.first().map_or(0, |tags| tags.offset);
        let packed = blocks
            .iter()
            .map(|block| u64::from(block.payload_bytes) + u64::from(block.tags.bytes));
        let packed: u64 = packed.sum::<u64>().saturating_sub(header_bytes);
        let framed: u64 = blocks.iter().map(BlockEntry::section_bytes).sum();
        let framed = framed + tag_sections.iter().map(|tags| tags.bytes).sum::<u64>();
        let sections = segment.index().sections();
        let others: u64 = sections
            .iter()
            .filter_map(SectionEntry::section_bytes)
            .sum();
        self.add_sections(sections);
        let index = segment
            .entry()
            .bytes
            .saturating_sub(tables + framed + others);
        let checksums = CHECKSUM_BYTES * blocks.len() as u64;
        self.table_heads += held_heads;
        self.table_frames += tables.saturating_sub(held_bytes + held_heads);
        self.block_heads += framed.saturating_sub(packed + checksums);
        self.block_checksums += checksums;
        self.block_index += index;
    }

    /// The sizes of the indexes, by name.
    pub(crate) fn indexes(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("openings", self.openings_index),
            ("continuations", self.continuations_index),
            ("pawn structures", self.structures_index),
            ("visits", self.visits_index),
            ("tags", self.tags_index),
        ]
    }

    pub(crate) fn add_sections(&mut self, sections: &[SectionEntry]) {
        for section in sections {
            let sum = match section.section_type {
                OPENINGS => &mut self.openings_index,
                CONTINUATIONS => &mut self.continuations_index,
                STRUCTURES => &mut self.structures_index,
                VISITS => &mut self.visits_index,
                DERIVED_TAGS => &mut self.tags_index,
                _ => &mut self.other_sections,
            };
            *sum += section.section_bytes().unwrap_or(0);
        }
    }
}

fn sum(tables: &Tables, bytes: fn(&Table<'_>) -> usize) -> u64 {
    tables.iter().map(|table| bytes(&table) as u64).sum()
}

/// The size of the header of a table: its kind, key and length.
fn head_bytes(table: &Table<'_>) -> usize {
    let mut head = vec![table.kind.0];
    put_varint(&mut head, table.key);
    put_varint(&mut head, table.bytes.len() as u64);
    head.len()
}
