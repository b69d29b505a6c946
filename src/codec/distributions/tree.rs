//! The binary tree over the symbols of a family.

use super::Family;
use super::levels::UNFITTED;
use std::ops::Range;

/// A node of the tree, with the range of symbols below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct SymbolNode {
    /// 1 for the root; the children of n are 2n and 2n + 1.
    pub(super) number: usize,
    first: u16,
    /// A power of two. Symbols from `symbols` on do not exist.
    span: u16,
    symbols: u16,
}

/// The maximum number of symbols of a family.
pub(super) const MAX_SYMBOLS: usize = 256;

/// The levels of all nodes of a tree, by number.
pub(super) type Levels = [u8; MAX_SYMBOLS];

/// The levels of a tree in which no level is set.
pub(super) const UNFITTED_LEVELS: Levels = [UNFITTED; MAX_SYMBOLS];

impl SymbolNode {
    pub(super) fn root(family: &Family) -> SymbolNode {
        SymbolNode {
            number: 1,
            first: 0,
            span: family.symbols.next_power_of_two(),
            symbols: family.symbols,
        }
    }

    /// The symbol, if the node is a leaf.
    pub(super) fn symbol(&self) -> Option<u16> {
        (self.span == 1).then_some(self.first)
    }

    /// The children. The right one is `None` if none of its symbols exists.
    pub(super) fn children(&self) -> (SymbolNode, Option<SymbolNode>) {
        let span = self.span / 2;
        let left = SymbolNode {
            number: 2 * self.number,
            span,
            ..*self
        };
        let right = SymbolNode {
            number: 2 * self.number + 1,
            first: self.first + span,
            span,
            ..*self
        };
        (left, (right.first < self.symbols).then_some(right))
    }

    /// The existing symbols below the node.
    pub(super) fn range(&self) -> Range<usize> {
        let end = self.symbols.min(self.first + self.span);
        usize::from(self.first)..usize::from(end)
    }

    /// The number of existing symbols below the node.
    pub(super) fn width(&self) -> u32 {
        u32::from(self.symbols.min(self.first + self.span) - self.first)
    }
}
