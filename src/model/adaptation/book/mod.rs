//! The opening book of a segment (`spec/models.md`, "Book").
//!
//! A model describes chess games in general. A collection has opening preferences
//! of its own, and so have its frequent players. A book lists moves near the
//! start that are played more often than the model predicts.

mod bytes;
mod fit;

use std::ops::Range;
use std::sync::LazyLock;

use super::super::board::Board;
use crate::chess::ChessPosition;

/// The number of parts that the moves of a node and the model share.
pub(in super::super) const SHARE_TOTAL: u32 = 32;

/// The maximum depth of a node, in plies.
pub(super) const DEPTH: usize = 40;

/// The maximum number of nodes of a book.
const MAX_NODES: usize = 1 << 16;

/// The maximum number of frequent players of a book.
const MAX_FREQUENT_PLAYERS: usize = 15;

/// The opening book of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Book {
    /// The encoded form of the other fields, as stored in a segment.
    pub(super) bytes: Vec<u8>,
    /// The names of the frequent players, who have trees of their own.
    frequent_players: Vec<Vec<u8>>,
    /// The roots of the trees: first that of games without frequent players;
    /// then, for each frequent player, that of the games as White and that of the
    /// games as Black.
    roots: Vec<Option<u32>>,
    /// For each node, the indexes of its moves in `edges`. A node is before its children.
    nodes: Vec<Range<u32>>,
    /// The moves of all nodes, those of a node by ascending number.
    edges: Vec<Edge>,
}

/// A move of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    /// The number of the move among the legal moves. If there are fewer, the
    /// share belongs to no move.
    pub(super) number: u8,
    /// Its share in parts of [`SHARE_TOTAL`]. The shares of a node sum to at most
    /// `SHARE_TOTAL` − 1.
    pub(super) share: u8,
    /// The node after the move.
    pub(super) child: Option<u32>,
}

/// A node of a book, reached by a game that has followed its moves.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct BookNode<'b> {
    book: &'b Book,
    node: u32,
}

/// The memory charged for a node and for a move, in bytes. These are constants so
/// that all machines report the same size.
const NODE_BYTES: usize = 8;
const EDGE_BYTES: usize = 12;

impl Book {
    /// The approximate memory use, in bytes.
    pub(super) fn memory_bytes(&self) -> u64 {
        let names = self.frequent_players.iter().map(Vec::len).sum::<usize>();
        let nodes = NODE_BYTES * self.nodes.len() + EDGE_BYTES * self.edges.len();
        (self.bytes.len() + names + nodes) as u64
    }

    /// The moves of a node.
    fn edges(&self, node: u32) -> &[Edge] {
        let range = self.nodes.get(node as usize).cloned().unwrap_or_default();
        let edges = self.edges.get(range.start as usize..range.end as usize);
        edges.unwrap_or_default()
    }

    /// Adds a node without moves.
    fn push_node(&mut self) -> u32 {
        self.nodes.push(0..0);
        index(self.nodes.len() - 1)
    }

    /// Gives moves to a node without moves.
    fn set_edges(&mut self, node: u32, edges: &[Edge]) {
        let start = self.edges.len();
        self.edges.extend(edges);
        if let Some(range) = self.nodes.get_mut(node as usize) {
            *range = index(start)..index(self.edges.len());
        }
    }

    /// The number of nodes.
    pub(super) fn positions(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// The number of frequent players.
    pub(super) fn frequent_player_count(&self) -> u64 {
        self.frequent_players.len() as u64
    }

    /// The root for a game between these players, if their tree has one.
    pub(super) fn start(&self, white: &[u8], black: &[u8]) -> Option<BookNode<'_>> {
        let node = (*self.roots.get(tree(&self.frequent_players, white, black))?)?;
        Some(BookNode { book: self, node })
    }
}

/// Nodes are at most 2^16, and fewer than 2^5 moves of each have shares; the others lead to nodes.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The number of the tree of a game: 0 without frequent players; otherwise 1 +
/// twice the number of the first one that plays, and 1 more if he is Black.
fn tree<T: AsRef<[u8]>>(frequent_players: &[T], white: &[u8], black: &[u8]) -> usize {
    let plays = |name: &T| {
        [white, black]
            .iter()
            .position(|player| *player == name.as_ref())
    };
    let mut found = frequent_players
        .iter()
        .zip(0..)
        .filter_map(|(name, at)| Some((at, plays(name)?)));
    found
        .next()
        .map_or(0, |(at, side): (usize, usize)| 1 + 2 * at + side)
}

impl<'b> BookNode<'b> {
    /// The number of the node in its book.
    pub(in super::super) fn number(self) -> usize {
        self.node as usize
    }

    /// The moves of the node, each as its number and its share.
    pub(in super::super) fn shares(self) -> impl Iterator<Item = (usize, u32)> + 'b {
        let edges = self.book.edges(self.node).iter();
        edges.map(|edge| (edge.number.into(), edge.share.into()))
    }

    /// The node after the move with this number.
    pub(in super::super) fn after(self, number: usize) -> Option<Self> {
        let mut edges = self.book.edges(self.node).iter();
        let edge = edges.find(|edge| usize::from(edge.number) == number)?;
        Some(BookNode {
            node: edge.child?,
            ..self
        })
    }
}

/// Whether a position is the start position of books.
pub(in super::super) fn is_book_start(board: &Board) -> bool {
    static START: LazyLock<Option<Board>> =
        LazyLock::new(|| Board::new(&ChessPosition::standard()));
    START.as_ref() == Some(board)
}

#[cfg(test)]
pub(super) mod tests;
