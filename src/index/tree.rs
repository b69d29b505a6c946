//! Lines that games share, as a tree of moves in preorder.

use super::board::UncheckedBoard;
use super::line::PackedPly;
use crate::chess::{PlyKind, Skeleton};
use crate::codec::error::CodecError;
use std::ops::Range;

/// A tree of lines that begin in the start position, and the number of games that leave it at each
/// node.
///
/// The games that pass a node are contiguous: a game's *place* is its index when the games are sorted
/// by the node at which they leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpeningTree {
    nodes: Vec<IndexNode>,
    places: usize,
}

/// A node in the list that a tree is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NodeRow {
    /// The number of plies that lead to it; 0 for the first row, and at most one more than that of
    /// the row before.
    pub(super) depth: usize,
    /// The move that leads to it; the default at the root.
    pub(super) ply: PackedPly,
    /// The number of games that leave the tree there.
    pub(super) exits: usize,
}

/// A node of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexNode {
    /// The move that leads to it; the default at the root.
    pub(super) ply: PackedPly,
    /// The number of plies that lead to it.
    pub(super) depth: usize,
    /// The first node after its subtree.
    pub(super) subtree_end: usize,
    /// The number of games that leave the tree at nodes before it.
    pub(super) first_place: usize,
}

/// The games that leave the tree at a node.
pub(super) struct NodeExits {
    pub(super) places: Range<usize>,
    /// The skeleton at the node.
    pub(super) skeleton: Skeleton,
    /// The number of promotions before it.
    pub(super) promotions: u32,
}

/// The maximum depth of a node in plies. It bounds the memory of a search.
pub(super) const MAX_PLIES: usize = 1024;

impl OpeningTree {
    /// The tree of these nodes, in preorder.
    pub(super) fn new(rows: impl IntoIterator<Item = NodeRow>) -> OpeningTree {
        let mut nodes: Vec<IndexNode> = Vec::new();
        let mut places = 0usize;
        // The path to the last node.
        let mut path: Vec<usize> = Vec::new();
        for row in rows {
            let number = nodes.len();
            while path.len() > row.depth
                && let Some(node) = path.pop()
            {
                end_subtree(&mut nodes, node, number);
            }
            path.push(number);
            nodes.push(IndexNode {
                ply: row.ply,
                depth: row.depth,
                subtree_end: number,
                first_place: places,
            });
            places = places.saturating_add(row.exits);
        }
        let count = nodes.len();
        for node in path {
            end_subtree(&mut nodes, node, count);
        }
        OpeningTree { nodes, places }
    }

    /// The number of nodes, with the root.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of games.
    pub(super) fn places(&self) -> usize {
        self.places
    }

    pub(super) fn node(&self, number: usize) -> Option<&IndexNode> {
        self.nodes.get(number)
    }

    /// The number of games that leave the tree before this node.
    pub(super) fn games_before(&self, node: usize) -> usize {
        self.node(node).map_or(self.places, |node| node.first_place)
    }

    /// The node where the game at `place` leaves.
    pub(super) fn node_of(&self, place: usize) -> usize {
        let after = self.nodes.partition_point(|node| node.first_place <= place);
        after.saturating_sub(1)
    }

    /// The nodes from the root to this one.
    pub(super) fn path_to(&self, node: usize) -> Vec<usize> {
        let mut path = vec![0];
        let mut next = 1;
        while next <= node
            && let Some(IndexNode { subtree_end, .. }) = self.node(next)
        {
            if *subtree_end <= node {
                next = *subtree_end;
            } else {
                path.push(next);
                next += 1;
            }
        }
        path
    }

    /// The places of the games that pass each child of a node, with the ply to it.
    pub(super) fn games_after(&self, node: usize) -> Vec<(Range<usize>, PlyKind)> {
        let end = self.node(node).map_or(0, |node| node.subtree_end);
        let mut child = node + 1;
        let mut after = Vec::new();
        while let Some(node) = self.node(child)
            && child < end
        {
            let places = node.first_place..self.games_before(node.subtree_end);
            after.push((places, node.ply.ply()));
            child = node.subtree_end;
        }
        after
    }

    /// The depth in plies of the node where each game leaves.
    pub(super) fn exit_depths(&self) -> Vec<usize> {
        let mut shared = Vec::with_capacity(self.places);
        for (number, node) in self.nodes.iter().enumerate() {
            shared.resize(self.games_before(number + 1), node.depth);
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
}

fn end_subtree(nodes: &mut [IndexNode], node: usize, end: usize) {
    if let Some(node) = nodes.get_mut(node) {
        node.subtree_end = end;
    }
}

/// The number of children of each node, from the depths of the nodes of a tree in preorder.
pub(super) fn children_of(depths: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut children: Vec<u64> = Vec::new();
    // The path to the last node, by numbers and depths.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for (number, depth) in depths.into_iter().enumerate() {
        while path.pop_if(|(_, above)| *above >= depth).is_some() {}
        if let Some(count) = path
            .last()
            .and_then(|(parent, _)| children.get_mut(*parent))
        {
            *count += 1;
        }
        path.push((number, depth));
        children.push(0);
    }
    children
}

/// The depths of nodes in preorder, from the number of children of each.
///
/// # Errors
/// The numbers do not close the tree with its last node, or it is too deep.
pub(super) fn depths_of(children: &[u64]) -> Result<Vec<usize>, CodecError> {
    const MALFORMED: CodecError = CodecError::Damaged("a tree of openings that is none");
    let mut depths = Vec::with_capacity(children.len());
    // The numbers of children that the ancestors still lack.
    let mut open: Vec<u64> = Vec::new();
    for (number, count) in children.iter().enumerate() {
        if number > 0 {
            *open.last_mut().ok_or(MALFORMED)? -= 1;
        }
        depths.push(open.len());
        open.push(*count);
        if open.len() > MAX_PLIES + 1 {
            return Err(MALFORMED);
        }
        while open.last() == Some(&0) {
            open.pop();
        }
    }
    match open.is_empty() && !children.is_empty() {
        true => Ok(depths),
        false => Err(MALFORMED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(rows: &[(usize, usize)]) -> OpeningTree {
        OpeningTree::new(rows.iter().map(|(depth, exits)| NodeRow {
            depth: *depth,
            exits: *exits,
            ..NodeRow::default()
        }))
    }

    #[test]
    fn depths_follow_from_the_numbers_of_children() {
        assert_eq!(depths_of(&[0]), Ok(vec![0]));
        assert_eq!(depths_of(&[2, 1, 0, 0]), Ok(vec![0, 1, 2, 1]));
        assert_eq!(children_of([0, 1, 2, 1]), [2, 1, 0, 0]);
        assert_eq!(children_of([5, 6, 6]), [2, 0, 0]);
        for malformed in [&[][..], &[0, 0], &[1], &[2, 0], &[1, 0, 0]] {
            assert!(depths_of(malformed).is_err(), "{malformed:?}");
        }
        let deep = |plies: usize| [vec![1; plies], vec![0]].concat();
        assert!(depths_of(&deep(MAX_PLIES)).is_ok());
        assert!(depths_of(&deep(MAX_PLIES + 1)).is_err());
    }

    #[test]
    fn games_that_pass_a_node_are_contiguous() {
        let tree = tree(&[(0, 1), (1, 0), (2, 2), (2, 3), (1, 4), (2, 0)]);
        let ends: Vec<_> = (0..6).map(|n| tree.node(n).unwrap().subtree_end).collect();
        assert_eq!(ends, [6, 4, 3, 4, 6, 6]);
        assert_eq!((tree.len(), tree.places()), (6, 10));
        assert_eq!((tree.games_before(1), tree.games_before(4)), (1, 6));
        let nodes: Vec<_> = (0..10).map(|place| tree.node_of(place)).collect();
        assert_eq!(nodes, [0, 2, 2, 3, 3, 3, 4, 4, 4, 4]);
        assert_eq!(tree.exit_depths(), [0, 2, 2, 2, 2, 2, 1, 1, 1, 1]);
        assert_eq!(tree.path_to(3), [0, 1, 3]);
        assert_eq!(tree.path_to(5), [0, 4, 5]);
        assert_eq!(tree.path_to(0), [0]);
    }
}
