//! Traversal of the opening tree.

use super::board::UncheckedBoard;
use super::continuations::Continuations;
use super::line::PackedPly;
use super::target::{Found, KnownPosition, SearchScope, SearchTarget, Ternary};
use super::tree::OpeningTree;
use crate::chess::{ChessPosition, Skeleton};
use crate::codec::error::CodecError;
use std::ops::Range;

pub(super) const ILLEGAL: CodecError = CodecError::Damaged("an illegal move in an index");

/// A node on the path from the root.
struct WalkLevel {
    ply: PackedPly,
    board: UncheckedBoard,
    /// The position with full rules, computed on demand.
    position: Option<ChessPosition>,
    /// The first node after its subtree.
    end: usize,
}

/// The position of the last level of a path. Intermediate positions are cached in the
/// levels, so that no move of the tree is played twice.
fn position_of_path(path: &mut [WalkLevel]) -> Result<ChessPosition, CodecError> {
    let known = path.iter().rposition(|level| level.position.is_some());
    let mut position = ChessPosition::standard();
    for (at, level) in path.iter_mut().enumerate().skip(known.unwrap_or(0)) {
        if let Some(known) = &level.position {
            position.clone_from(known);
            continue;
        }
        if at > 0 {
            let played = position.make(level.ply.ply());
            played.map_err(|_| ILLEGAL)?;
        }
        level.position = Some(position.clone());
    }
    Ok(position)
}

/// A game that leaves the tree, with the node and the skeleton where it does.
pub(super) struct TreeExit {
    /// Its index in the tree order.
    pub(super) place: usize,
    pub(super) node: usize,
    pub(super) skeleton: Skeleton,
}

/// The state of a traversal of the tree.
pub(super) struct TreeWalk<'a> {
    pub(super) tree: &'a OpeningTree,
    pub(super) continuations: Option<&'a Continuations>,
    pub(super) scope: SearchScope,
    /// The places of the games that may contain the target according to their tails, in
    /// ascending order; `None` without tails.
    pub(super) candidates: Option<Vec<usize>>,
    /// The number of candidates before the current node.
    pub(super) passed: usize,
    /// The nodes that are the target, or may be it. Their subtrees are not searched.
    pub(super) matches: Vec<NodeMatch>,
    /// The games that may contain it after they leave the tree.
    pub(super) exits: Vec<TreeExit>,
}

/// A node that is the target, or may be it.
pub(super) struct NodeMatch {
    pub(super) node: usize,
    /// The number of plies before it.
    pub(super) plies: usize,
    /// The games that pass it.
    pub(super) places: Range<usize>,
    pub(super) found: Found,
}

impl<'a> TreeWalk<'a> {
    pub(super) fn new(
        tree: &'a OpeningTree,
        continuations: Option<&'a Continuations>,
        sought: &(impl SearchTarget + ?Sized),
        scope: SearchScope,
    ) -> TreeWalk<'a> {
        TreeWalk {
            tree,
            continuations,
            scope,
            candidates: continuations.map(|continuations| continuations.candidates(tree, sought)),
            passed: 0,
            matches: Vec::new(),
            exits: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, sought: &(impl SearchTarget + ?Sized)) -> Result<(), CodecError> {
        let mut levels: Vec<WalkLevel> = Vec::new();
        let mut next = 0;
        while let Some(node) = self.tree.node(next) {
            while levels.last().is_some_and(|level| level.end <= next) {
                levels.pop();
            }
            let places = node.first_place..self.tree.games_before(node.subtree_end);
            if !self.has_candidate(&places) {
                next = node.subtree_end;
                continue;
            }
            let board = match levels.last() {
                None => UncheckedBoard::standard(),
                Some(level) => level.board.after(node.ply),
            };
            let skeleton = *board.skeleton();
            levels.push(WalkLevel {
                ply: node.ply,
                board,
                position: None,
                end: node.subtree_end,
            });
            // Games that pass the node have castled alike up to it.
            let continuations = self.continuations;
            let castlings = continuations.and_then(|it| it.castlings(places.start));
            let judged = sought.judge(&KnownPosition::of(&skeleton, castlings));
            let found = match judged {
                Ternary::FALSE => None,
                _ if sought.is_of_positions() => sought
                    .matches(&position_of_path(&mut levels)?)
                    .then_some(Found::Ply(levels.len() - 1)),
                Ternary::TRUE if self.scope.without_places => Some(Found::Somewhere),
                _ => Some(Found::ANYWHERE),
            };
            if let Some(found) = found {
                self.matches.push(NodeMatch {
                    node: next,
                    plies: levels.len() - 1,
                    places,
                    found,
                });
                next = node.subtree_end;
                continue;
            }
            if judged == Ternary::FALSE && sought.is_unreachable_after(&skeleton) {
                next = node.subtree_end;
                continue;
            }
            self.record_exits(
                places.start..self.tree.games_before(next + 1),
                next,
                skeleton,
            );
            next += 1;
        }
        Ok(())
    }

    /// Whether a game in `places` may contain the target.
    fn has_candidate(&mut self, places: &Range<usize>) -> bool {
        let Some(candidates) = &self.candidates else {
            return true;
        };
        let mut left = candidates.iter().skip(self.passed);
        let Some(ahead) = left.position(|place| *place >= places.start) else {
            self.passed = candidates.len();
            return false;
        };
        self.passed += ahead;
        let next = candidates.get(self.passed);
        next.is_some_and(|place| *place < places.end)
    }

    /// The games that pass a matching node and may contain the target.
    pub(super) fn candidates_of(&self, node: &NodeMatch) -> impl Iterator<Item = usize> {
        let places = node.places.clone();
        let (all, some) = match &self.candidates {
            None => (places, &[][..]),
            Some(candidates) => {
                let [from, to] = [places.start, places.end]
                    .map(|place| candidates.partition_point(|candidate| *candidate < place));
                (0..0, candidates.get(from..to).unwrap_or_default())
            }
        };
        all.chain(some.iter().copied())
    }

    /// Records the games that leave the tree at a node with this skeleton.
    fn record_exits(&mut self, places: Range<usize>, node: usize, skeleton: Skeleton) {
        let left = |place| TreeExit {
            place,
            node,
            skeleton,
        };
        match &self.candidates {
            None => self.exits.extend(places.map(left)),
            Some(candidates) => {
                let candidates = candidates.iter().copied().skip(self.passed);
                let leaving = candidates.take_while(|place| *place < places.end);
                self.exits.extend(leaving.map(left));
            }
        }
    }
}
