//! What the games of a segment open with (`spec/models.md`, "Book").
//!
//! A model knows what is played in general; a collection has habits of its own,
//! and its regular players have theirs. A book says, of positions near the start,
//! which moves are played more often than the model thinks.

mod bytes;
mod fit;

use std::sync::LazyLock;

use super::super::board::Board;
use crate::chess::Position;

/// Parts of a whole that the moves of a node share with the model.
pub(in super::super) const WHOLE: u32 = 32;

/// The maximum depth of a node, in plies.
pub(super) const DEPTH: usize = 40;

/// No book has more nodes.
const MOST_NODES: usize = 1 << 16;

/// No book knows more players by name.
const MOST_REGULARS: usize = 15;

/// The openings of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Book {
    /// The rest, as stored in a segment.
    pub(super) bytes: Vec<u8>,
    /// The players with trees of their own, by name.
    regulars: Vec<Vec<u8>>,
    /// Where the trees start: that of all games without a regular; then of each
    /// regular that of his games as White, and as Black.
    roots: Vec<Option<usize>>,
    nodes: Vec<Node>,
}

/// What is played in a position: moves by ascending number.
pub(super) type Node = Vec<Edge>;

/// A move of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    /// Its number among the legal moves.
    pub(super) number: u8,
    /// How many parts of [`WHOLE`] it has; all shares of a node leave one part.
    pub(super) share: u8,
    /// What is played then.
    pub(super) child: Option<usize>,
}

/// A place in a book: a game that has followed it so far.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Place<'b> {
    book: &'b Book,
    node: usize,
}

/// What a node and a move are counted as, on every machine the same.
const NODE_BYTES: usize = 24;
const EDGE_BYTES: usize = 8;

impl Book {
    /// About how much memory it takes, in bytes.
    pub(super) fn memory_bytes(&self) -> u64 {
        let names = self.regulars.iter().map(Vec::len).sum::<usize>();
        let edges = self.nodes.iter().map(Vec::len).sum::<usize>();
        let nodes = NODE_BYTES * self.nodes.len() + EDGE_BYTES * edges;
        (self.bytes.len() + names + nodes) as u64
    }

    /// How many nodes it has.
    pub(super) fn positions(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// How many players it knows by name.
    pub(super) fn regulars(&self) -> u64 {
        self.regulars.len() as u64
    }

    /// The start of a game between these players.
    pub(super) fn start(&self, white: &[u8], black: &[u8]) -> Option<Place<'_>> {
        let node = (*self.roots.get(tree(&self.regulars, white, black))?)?;
        Some(Place { book: self, node })
    }
}

/// The number of the tree of a game: 0, or 1 + twice the number of the first
/// regular that plays, and 1 more if he is Black.
fn tree<T: AsRef<[u8]>>(regulars: &[T], white: &[u8], black: &[u8]) -> usize {
    let plays = |name: &T| {
        [white, black]
            .iter()
            .position(|player| *player == name.as_ref())
    };
    let mut found = regulars
        .iter()
        .zip(0..)
        .filter_map(|(name, at)| Some((at, plays(name)?)));
    found
        .next()
        .map_or(0, |(at, side): (usize, usize)| 1 + 2 * at + side)
}

impl<'b> Place<'b> {
    /// The moves of the node.
    pub(in super::super) fn shares(self) -> impl Iterator<Item = (usize, u32)> + 'b {
        let node = self.book.nodes.get(self.node).into_iter().flatten();
        node.map(|edge| (edge.number.into(), edge.share.into()))
    }

    /// The node after the move of a number.
    pub(in super::super) fn after(self, number: usize) -> Option<Self> {
        let node = self.book.nodes.get(self.node)?;
        let edge = node
            .iter()
            .find(|edge| usize::from(edge.number) == number)?;
        Some(Place {
            node: edge.child?,
            ..self
        })
    }
}

/// Whether a game starts where books do.
pub(in super::super) fn opens(board: &Board) -> bool {
    static START: LazyLock<Option<Board>> = LazyLock::new(|| Board::new(&Position::standard()));
    START.as_ref() == Some(board)
}

#[cfg(test)]
pub(super) mod tests;
