//! The positions of tree nodes, computed in ascending order of the nodes.

use super::tree::OpeningTree;
use super::walk::ILLEGAL;
use crate::chess::ChessPosition;
use crate::codec::error::CodecError;
use std::sync::Arc;

/// The position of a node where games leave the tree.
#[derive(Debug, Default)]
pub(super) struct NodePosition {
    pub(super) position: ChessPosition,
    /// The number of plies that lead to it.
    pub(super) plies: usize,
}

/// Computes the positions of nodes that are requested in ascending order. No move of the
/// tree is played twice, and no subtree is skipped twice.
pub(super) struct NodePositions<'t> {
    tree: &'t OpeningTree,
    /// The path from the root to the last requested node.
    path: Vec<NodeLevel>,
}

struct NodeLevel {
    at: usize,
    /// The first node after its subtree.
    end: usize,
    start: Arc<NodePosition>,
}

const MISSING: CodecError = CodecError::Damaged("a node that is missing");

impl<'t> NodePositions<'t> {
    pub(super) fn new(tree: &'t OpeningTree) -> NodePositions<'t> {
        NodePositions {
            tree,
            path: Vec::new(),
        }
    }

    /// The position of `node`, which must not be less than the last requested one.
    pub(super) fn at_node(&mut self, node: usize) -> Result<Arc<NodePosition>, CodecError> {
        // The subtrees before `next` are already skipped.
        let mut next = None;
        while let Some(level) = self.path.pop_if(|level| level.end <= node) {
            next = Some(level.end);
        }
        if self.path.is_empty() {
            self.enter(0, Arc::default())?;
        }
        while let Some(NodeLevel { at, start, .. }) = self.path.last()
            && *at != node
        {
            let mut child = next.take().unwrap_or(at + 1);
            while let Some(end) = self.tree.node(child).map(|child| child.subtree_end)
                && end <= node
            {
                child = end;
            }
            let ply = self.tree.node(child).ok_or(MISSING)?.ply;
            let mut position = start.position.clone();
            position.make(ply.ply()).map_err(|_| ILLEGAL)?;
            let plies = start.plies + 1;
            self.enter(child, Arc::new(NodePosition { position, plies }))?;
        }
        let last = self.path.last().ok_or(MISSING)?;
        Ok(Arc::clone(&last.start))
    }

    fn enter(&mut self, at: usize, start: Arc<NodePosition>) -> Result<(), CodecError> {
        let end = self.tree.node(at).ok_or(MISSING)?.subtree_end;
        self.path.push(NodeLevel { at, end, start });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::SanText;
    use crate::index::build::build_groups;
    use crate::index::{IndexLine, IndexMoves};

    #[test]
    fn positions_are_those_of_the_moves() {
        let games = [
            "e4 e5 Nf3 Nc6",
            "e4 e5 Nf3 Nf6",
            "e4 c5",
            "d4 d5 c4",
            "d4 Nf6",
        ];
        let mut expected = vec![ChessPosition::standard().fen()];
        let lines = games.iter().flat_map(|game| {
            let mut position = ChessPosition::standard();
            let plies = game.split(' ').map(|san| {
                let text = SanText::parse(san.as_bytes()).unwrap();
                let ply = position.play_text(&text).unwrap().0;
                expected.push(position.fen());
                ply
            });
            vec![IndexMoves::Line(IndexLine::new(plies, false).unwrap()); 8]
        });
        let lines: Vec<_> = lines.collect();
        let (_, groups) = build_groups(&lines);
        let tree = groups[0].group(&[]).tree;
        expected.sort();
        expected.dedup();
        let count = expected.len();
        for step in [1, 2, 3, 7] {
            let mut starts = NodePositions::new(&tree);
            let mut seen = Vec::new();
            for node in (0..count).step_by(step) {
                let start = starts.at_node(node).unwrap();
                // A repeated request gives the same position.
                assert_eq!(starts.at_node(node).unwrap().position, start.position);
                assert_eq!(
                    start.plies,
                    usize::from(start.position.turn().is_black())
                        + 2 * (start.position.fullmoves() as usize - 1)
                );
                seen.push(start.position.fen());
            }
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), count.div_ceil(step));
            assert!(seen.iter().all(|fen| expected.contains(fen)));
            if step == 1 {
                assert_eq!(seen, expected);
            }
        }
        assert!(NodePositions::new(&tree).at_node(count).is_err());
    }
}
