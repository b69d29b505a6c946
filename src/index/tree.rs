//! The lines that games share, as a tree of moves in preorder.

use super::board::UncheckedBoard;
use super::line::PackedPly;
use crate::chess::Skeleton;
use crate::codec::error::CodecError;
use std::ops::Range;

/// The tree as columns, in the form that is built, encoded and decoded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TreeColumns {
    /// The number of children of each node. The root comes first.
    pub(super) children: Vec<u64>,
    /// The move that leads to each node except the root.
    pub(super) plies: Vec<PackedPly>,
    /// The node where each game leaves the tree, plus 1; 0 if the game is outside the tree.
    pub(super) nodes: Vec<u64>,
    /// For each game, 1 if it has variations.
    pub(super) variations: Vec<u64>,
}

/// The lines that games of a segment share, and the node where each game leaves them.
///
/// Nodes and games are sorted by line, so that the games that pass a node are contiguous.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningTree {
    nodes: Vec<IndexNode>,
    /// The tree order: the games of the tree, counted from 0 in the segment, by node, then
    /// by number.
    order: Vec<u32>,
    /// The games outside the tree.
    pub(super) unindexed_games: Vec<u32>,
    /// The games with variations.
    pub(super) games_with_variations: Vec<u32>,
}

/// The games that leave the tree at a node.
pub(super) struct NodeExits {
    /// Their indexes in the tree order.
    pub(super) places: Range<usize>,
    /// The skeleton at the node.
    pub(super) skeleton: Skeleton,
    /// The number of promotions before it.
    pub(super) promotions: u32,
}

/// A node of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexNode {
    /// The move that leads to it; the default at the root.
    pub(super) ply: PackedPly,
    /// The first node after its subtree.
    pub(super) subtree_end: usize,
    /// The number of games in the tree order before its first.
    pub(super) first_place: usize,
}

/// The maximum depth of a node in plies. It bounds the memory of a search.
pub(super) const MAX_PLIES: usize = 1024;

const MALFORMED: CodecError = CodecError::Damaged("a tree of openings that is none");

impl OpeningTree {
    /// The number of nodes except the root.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether the tree has no node except the root.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The games of the tree, in the tree order.
    pub(super) fn game_order(&self) -> &[u32] {
        &self.order
    }

    pub(super) fn node(&self, number: usize) -> Option<&IndexNode> {
        self.nodes.get(number)
    }

    /// The number of games that leave the tree before this node.
    pub(super) fn games_before(&self, node: usize) -> usize {
        self.node(node)
            .map_or(self.order.len(), |node| node.first_place)
    }

    /// The depth in plies of the node where each game leaves, in the tree order.
    pub(super) fn exit_depths(&self) -> Vec<usize> {
        let mut shared = Vec::with_capacity(self.order.len());
        let mut open: Vec<usize> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            while open.last().is_some_and(|end| *end <= number) {
                open.pop();
            }
            shared.resize(self.games_before(number + 1), open.len());
            open.push(node.subtree_end);
        }
        shared
    }

    /// For each node, the places of the games that leave there.
    pub(super) fn exits(&self) -> Vec<NodeExits> {
        let mut path: Vec<(usize, UncheckedBoard, u32)> = Vec::new();
        let nodes = self.nodes.iter().enumerate();
        let leaving = nodes.map(|(number, node)| {
            while path.last().is_some_and(|(end, ..)| *end <= number) {
                path.pop();
            }
            let (board, promotions) = match path.last() {
                None => (UncheckedBoard::standard(), 0),
                Some((_, before, promotions)) => {
                    let (.., promotion) = node.ply.parts();
                    let promotions = promotions + u32::from(promotion.is_some());
                    (before.after(node.ply), promotions)
                }
            };
            let skeleton = *board.skeleton();
            path.push((node.subtree_end, board, promotions));
            NodeExits {
                places: node.first_place..self.games_before(number + 1),
                skeleton,
                promotions,
            }
        });
        leaving.collect()
    }

    #[cfg(test)]
    pub(super) fn with_branching(mut self, games: Vec<u32>) -> OpeningTree {
        self.games_with_variations = games;
        self
    }

    /// Builds a tree from its columns.
    pub(super) fn from_columns(columns: &TreeColumns) -> Result<OpeningTree, CodecError> {
        let ends = subtree_ends(&columns.children)?;
        let count = ends.len();
        if columns.plies.len() + 1 != count {
            return Err(MALFORMED);
        }
        // A counting sort of the games by node.
        let mut firsts = vec![0usize; count + 1];
        for node in &columns.nodes {
            let node = usize::try_from(*node).map_err(|_| MALFORMED)?;
            *firsts.get_mut(node).ok_or(MALFORMED)? += 1;
        }
        let mut before = 0;
        for first in &mut firsts {
            before += std::mem::replace(first, before);
        }
        let mut sorted = vec![0u32; columns.nodes.len()];
        let mut next = firsts.clone();
        for (game, node) in (0u32..).zip(&columns.nodes) {
            let node = usize::try_from(*node).map_err(|_| MALFORMED)?;
            let place = next.get_mut(node).ok_or(MALFORMED)?;
            *sorted.get_mut(*place).ok_or(MALFORMED)? = game;
            *place += 1;
        }
        // The games outside the tree come before those of the root.
        let outside = firsts.get(1).copied().unwrap_or(0);
        let order = sorted.split_off(outside);
        let firsts = firsts.into_iter().skip(1).map(|first| first - outside);
        let plies = std::iter::once(PackedPly::default()).chain(columns.plies.iter().copied());
        let nodes = plies.zip(ends).zip(firsts);
        let branching = (0u32..).zip(&columns.variations);
        Ok(OpeningTree {
            nodes: nodes
                .map(|((ply, end), first)| IndexNode {
                    ply,
                    subtree_end: end,
                    first_place: first,
                })
                .collect(),
            order,
            unindexed_games: sorted,
            games_with_variations: branching
                .filter(|(_, has)| **has != 0)
                .map(|(game, _)| game)
                .collect(),
        })
    }
}

/// The first node after the subtree of each node.
fn subtree_ends(children: &[u64]) -> Result<Vec<usize>, CodecError> {
    let mut ends = vec![children.len(); children.len()];
    // The ancestors whose subtrees are incomplete, with the number of missing children.
    let mut open: Vec<(usize, u64)> = Vec::new();
    for (number, count) in children.iter().enumerate() {
        if number > 0 {
            open.last_mut().ok_or(MALFORMED)?.1 -= 1;
        }
        open.push((number, *count));
        if open.len() > MAX_PLIES + 1 {
            return Err(MALFORMED);
        }
        while let Some((node, 0)) = open.last() {
            *ends.get_mut(*node).ok_or(MALFORMED)? = number + 1;
            open.pop();
        }
    }
    match open.is_empty() && !children.is_empty() {
        true => Ok(ends),
        false => Err(MALFORMED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtrees_end_after_their_last_node() {
        assert_eq!(subtree_ends(&[2, 1, 0, 0]), Ok(vec![4, 3, 3, 4]));
        assert_eq!(subtree_ends(&[0]), Ok(vec![1]));
        for malformed in [&[][..], &[0, 0], &[1], &[2, 0], &[1, 0, 0]] {
            assert_eq!(subtree_ends(malformed), Err(MALFORMED), "{malformed:?}");
        }
    }

    #[test]
    fn games_are_sorted_by_node() {
        let columns = TreeColumns {
            children: vec![1, 0],
            plies: vec![PackedPly::default()],
            nodes: vec![2, 0, 1, 2, 1],
            variations: vec![0, 0, 0, 1, 0],
        };
        let tree = OpeningTree::from_columns(&columns).unwrap();
        assert_eq!(tree.game_order(), [2, 4, 0, 3]);
        assert_eq!(
            (
                tree.unindexed_games.as_slice(),
                tree.games_with_variations.as_slice()
            ),
            (&[1][..], &[3][..])
        );
        assert_eq!((tree.games_before(1), tree.games_before(2)), (2, 4));
        let foreign = TreeColumns {
            nodes: vec![3],
            ..columns
        };
        assert_eq!(OpeningTree::from_columns(&foreign), Err(MALFORMED));
    }
}
