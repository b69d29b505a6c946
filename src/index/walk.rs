//! Traversal of the opening tree.

use super::board::QuickBoard;
use super::line::PackedPly;
use super::sought::{Found, Sought};
use super::tree::OpeningTree;
use crate::chess::{Position, Skeleton};
use crate::codec::error::CodecError;
use std::collections::VecDeque;
use std::ops::Range;

pub(super) const ILLEGAL: CodecError = CodecError::Damaged("an illegal move in an index");

/// A node on the path from the root.
struct Level {
    ply: PackedPly,
    board: QuickBoard,
    /// The position with full rules, computed on demand.
    position: Option<Position>,
    /// The first node after its subtree.
    end: usize,
}

/// The position of the last level of a path. Intermediate positions are cached in the
/// levels, so that no move of the tree is played twice.
fn position_at(way: &mut [Level]) -> Result<Position, CodecError> {
    let known = way.iter().rposition(|level| level.position.is_some());
    let mut position = Position::standard();
    for (at, level) in way.iter_mut().enumerate().skip(known.unwrap_or(0)) {
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
pub(super) struct Left {
    /// Its index in the tree order.
    pub(super) place: usize,
    pub(super) node: usize,
    pub(super) skeleton: Skeleton,
}

/// The state of a traversal of the tree.
pub(super) struct Walk<'a> {
    pub(super) tree: &'a OpeningTree,
    /// The places of the games that may contain the target according to their tails,
    /// without those before the current node; `None` without tails.
    pub(super) possible: Option<VecDeque<usize>>,
    pub(super) found: Vec<(u32, Found)>,
    /// The games that may contain it after they leave the tree.
    pub(super) leaving: Vec<Left>,
}

impl Walk<'_> {
    pub(super) fn go(&mut self, sought: &(impl Sought + ?Sized)) -> Result<(), CodecError> {
        let mut levels: Vec<Level> = Vec::new();
        let mut next = 0;
        while let Some(node) = self.tree.node(next) {
            while levels.last().is_some_and(|level| level.end <= next) {
                levels.pop();
            }
            let places = node.first..self.tree.games_before(node.end);
            if !self.is_possible(&places) {
                next = node.end;
                continue;
            }
            let board = match levels.last() {
                None => QuickBoard::standard(),
                Some(level) => level.board.after(node.ply),
            };
            let skeleton = *board.skeleton();
            levels.push(Level {
                ply: node.ply,
                board,
                position: None,
                end: node.end,
            });
            let may_be = sought.may_be(&skeleton);
            if may_be && sought.is(&position_at(&mut levels)?) {
                let games = self.tree.games(places).iter();
                let ply = Found::Ply(levels.len() - 1);
                self.found.extend(games.map(|game| (*game, ply)));
                next = node.end;
                continue;
            }
            if !may_be && sought.is_behind(&skeleton) {
                next = node.end;
                continue;
            }
            self.leave(
                places.start..self.tree.games_before(next + 1),
                next,
                skeleton,
            );
            next += 1;
        }
        Ok(())
    }

    /// Whether a game in `places` may contain the target.
    fn is_possible(&mut self, places: &Range<usize>) -> bool {
        let Some(possible) = &mut self.possible else {
            return true;
        };
        while possible.front().is_some_and(|place| *place < places.start) {
            possible.pop_front();
        }
        possible.front().is_some_and(|place| *place < places.end)
    }

    /// Records the games that leave the tree at a node with this skeleton.
    fn leave(&mut self, places: Range<usize>, node: usize, skeleton: Skeleton) {
        let left = |place| Left {
            place,
            node,
            skeleton,
        };
        match &mut self.possible {
            None => self.leaving.extend(places.map(left)),
            Some(possible) => {
                while let Some(place) = possible.pop_front_if(|place| *place < places.end) {
                    self.leaving.push(left(place));
                }
            }
        }
    }
}
