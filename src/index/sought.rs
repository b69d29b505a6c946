//! What an index is asked, and what it answers.

use crate::chess::{Position, Skeleton};

/// What is sought: some positions of standard chess.
pub trait Sought: Sync {
    /// Whether a position is it.
    fn is(&self, position: &Position) -> bool;
    /// Whether a position with this skeleton may be it.
    fn may_be(&self, skeleton: &Skeleton) -> bool;
    /// Whether no position that comes later in a game than one with this skeleton,
    /// which is not it, can be it.
    fn is_behind(&self, skeleton: &Skeleton) -> bool;
    /// Whether a game may have it whose last position has so many men of White and of
    /// Black, and these [pawns at home](super::home_pawns).
    fn may_be_before(&self, men: [u8; 2], home_pawns: u16) -> bool;
    /// Whether a game with this skeleton may have had it before.
    fn may_have_been(&self, later: &Skeleton) -> bool;
}

/// What an index knows of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// What is sought comes first in the main line, behind so many plies.
    Ply(usize),
    /// It may be there.
    Perhaps,
}
