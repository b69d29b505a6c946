//! Traversal of the opening tree.

use super::board::UncheckedBoard;
use super::candidates::Candidates;
use super::continuations::Continuations;
use super::line::PackedPly;
use super::target::{Found, KnownPosition, SearchScope, SearchTarget, Ternary};
use super::tree::OpeningTree;
use crate::chess::{ChessPosition, Skeleton};
use crate::codec::error::CodecError;
use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
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

/// The games that leave the tree at a node, with the skeleton there.
pub(super) struct WalkExits {
    pub(super) places: Range<usize>,
    node: usize,
    skeleton: Skeleton,
}

/// The state of a traversal of the tree.
pub(super) struct TreeWalk<'a, S: ?Sized> {
    tree: &'a OpeningTree,
    continuations: Option<&'a Continuations>,
    sought: &'a S,
    scope: SearchScope,
    /// The games that may contain the target according to their tails; `None` without tails.
    candidates: Option<Candidates<'a, S>>,
    /// The nodes that are the target, or may be it. Their subtrees are not searched.
    pub(super) matches: Vec<NodeMatch>,
    /// The nodes where games leave the tree that may contain it after that.
    pub(super) exits: Vec<WalkExits>,
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

impl<'a, S: SearchTarget + ?Sized> TreeWalk<'a, S> {
    pub(super) fn new(
        tree: &'a OpeningTree,
        continuations: Option<&'a Continuations>,
        visitors: Option<&'a BitSlice<usize, Lsb0>>,
        sought: &'a S,
        scope: SearchScope,
    ) -> TreeWalk<'a, S> {
        let candidates = |it: &'a Continuations| it.candidates(tree, sought, visitors);
        TreeWalk {
            tree,
            continuations,
            sought,
            scope,
            candidates: continuations.map(candidates),
            matches: Vec::new(),
            exits: Vec::new(),
        }
    }

    pub(super) fn run(&mut self) -> Result<(), CodecError> {
        let sought = self.sought;
        let mut levels: Vec<WalkLevel> = Vec::new();
        let mut next = 0;
        while let Some(node) = self.tree.node(next) {
            while levels.last().is_some_and(|level| level.end <= next) {
                levels.pop();
            }
            let places = node.first_place..self.tree.games_before(node.subtree_end);
            if !self
                .candidates
                .as_mut()
                .is_none_or(|candidates| candidates.has_one(&places))
            {
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
            self.exits.push(WalkExits {
                places: places.start..self.tree.games_before(next + 1),
                node: next,
                skeleton,
            });
            next += 1;
        }
        Ok(())
    }

    /// The games among these that may contain the target.
    pub(super) fn candidates(&self, places: Range<usize>) -> Vec<usize> {
        match &self.candidates {
            None => places.collect(),
            Some(candidates) => candidates.among(places),
        }
    }

    /// The games that may contain the target after they leave the tree.
    pub(super) fn exiting_games(&self) -> Vec<TreeExit> {
        let of_node = |exits: &WalkExits| {
            let (node, skeleton) = (exits.node, exits.skeleton);
            let places = self.candidates(exits.places.clone()).into_iter();
            places.map(move |place| TreeExit {
                place,
                node,
                skeleton,
            })
        };
        self.exits.iter().flat_map(of_node).collect()
    }
}
