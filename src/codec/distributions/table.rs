//! The encoding of a table of distributions: for each context, the nodes that have
//! a level of their own.

use super::super::adaptive_counts::AdaptiveCounts;
use super::super::range::{Decoder, Encoder, RangeError};
use super::levels::{LEVELS, UNFITTED};
use super::tree::{Levels, SymbolNode};

/// An entry for a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeEntry {
    /// The node and all nodes below it inherit their levels.
    Inherit,
    /// The node inherits its level. Entries for the nodes below it follow.
    Descend,
    /// The node has this level. Entries for the nodes below it follow.
    Level(u8),
}

/// The depth of a context in the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Family = 0,
    Outer = 1,
    Inner = 2,
}

/// The adaptive counts of writer and reader.
struct TableCounts {
    /// By depth, and whether the node is the root.
    actions: [AdaptiveCounts<3>; 6],
    levels: [AdaptiveCounts<{ LEVELS as usize }>; 3],
    any: AdaptiveCounts<2>,
}

impl TableCounts {
    fn new() -> Self {
        TableCounts {
            actions: std::array::from_fn(|_| AdaptiveCounts::new()),
            levels: std::array::from_fn(|_| AdaptiveCounts::new()),
            any: AdaptiveCounts::new(),
        }
    }

    fn actions(&mut self, depth: Depth, node: &SymbolNode) -> Option<&mut AdaptiveCounts<3>> {
        let is_root = usize::from(node.number == 1);
        self.actions.get_mut(2 * (depth as usize) + is_root)
    }

    fn levels(&mut self, depth: Depth) -> Option<&mut AdaptiveCounts<{ LEVELS as usize }>> {
        self.levels.get_mut(depth as usize)
    }
}

/// The inherited level of a node. Levels are coded as their distance from it.
fn inherited_level(levels: &Levels, node: &SymbolNode) -> u8 {
    let level = levels.get(node.number).copied().unwrap_or(UNFITTED);
    if level == UNFITTED { LEVELS / 2 } else { level }
}

/// Writes the levels of contexts.
pub(super) struct TableWriter {
    encoder: Encoder,
    counts: TableCounts,
}

impl TableWriter {
    pub(super) fn new() -> Self {
        TableWriter {
            encoder: Encoder::new(),
            counts: TableCounts::new(),
        }
    }

    /// Codes whether any of the following inner contexts has levels of its own.
    pub(super) fn any_entries(&mut self, any: bool) {
        self.counts.any.encode(any.into(), &mut self.encoder);
    }

    /// Codes the levels of a context. `levels` are the inherited ones and become
    /// its own.
    pub(super) fn tree(
        &mut self,
        depth: Depth,
        root: SymbolNode,
        entry: impl Fn(&SymbolNode) -> NodeEntry + Copy,
        levels: &mut Levels,
    ) {
        if root.symbol().is_some() {
            return;
        }
        let (left, right) = root.children();
        if let Some(right) = right {
            let action = entry(&root);
            let (symbol, level) = match action {
                NodeEntry::Inherit => (0, None),
                NodeEntry::Descend => (1, None),
                NodeEntry::Level(level) => (2, Some(level)),
            };
            if let Some(counts) = self.counts.actions(depth, &root) {
                counts.encode(symbol, &mut self.encoder);
            }
            if action == NodeEntry::Inherit {
                return;
            }
            if let Some(level) = level {
                let distance = (level + LEVELS - inherited_level(levels, &root)) % LEVELS;
                if let Some(counts) = self.counts.levels(depth) {
                    counts.encode(distance.into(), &mut self.encoder);
                }
                set(levels, &root, level);
            }
            self.tree(depth, right, entry, levels);
        }
        self.tree(depth, left, entry, levels);
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.encoder.finish()
    }
}

/// Reads the levels of contexts.
pub(super) struct TableReader<'a> {
    decoder: Decoder<'a>,
    counts: TableCounts,
}

impl<'a> TableReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        TableReader {
            decoder: Decoder::new(bytes),
            counts: TableCounts::new(),
        }
    }

    pub(super) fn any(&mut self) -> Result<bool, RangeError> {
        Ok(self.counts.any.decode(&mut self.decoder)? == 1)
    }

    /// Changes inherited levels to those of a context. Returns whether the context
    /// has any of its own.
    pub(super) fn tree(
        &mut self,
        depth: Depth,
        root: SymbolNode,
        levels: &mut Levels,
    ) -> Result<bool, RangeError> {
        if root.symbol().is_some() {
            return Ok(false);
        }
        let (left, right) = root.children();
        let mut any = false;
        if let Some(right) = right {
            let counts = self.counts.actions(depth, &root);
            let said = counts.ok_or(RangeError::InvalidSymbol)?;
            let said = said.decode(&mut self.decoder)?;
            if said == 0 {
                return Ok(false);
            }
            if said == 2 {
                let counts = self.counts.levels(depth).ok_or(RangeError::InvalidSymbol)?;
                let distance = counts.decode(&mut self.decoder)?;
                let distance = u8::try_from(distance).map_err(|_| RangeError::InvalidSymbol)?;
                set(
                    levels,
                    &root,
                    (inherited_level(levels, &root) + distance) % LEVELS,
                );
                any = true;
            }
            any |= self.tree(depth, right, levels)?;
        }
        Ok(any | self.tree(depth, left, levels)?)
    }

    pub(super) fn finish(self) -> Result<(), RangeError> {
        self.decoder.finish()
    }
}

fn set(levels: &mut Levels, node: &SymbolNode, level: u8) {
    if let Some(entry) = levels.get_mut(node.number) {
        *entry = level;
    }
}
