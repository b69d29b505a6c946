//! The interface of an index search: its target and its result.

use crate::chess::{ChessPosition, Skeleton};

/// A search target: a set of positions of standard chess.
pub trait SearchTarget: Sync {
    /// Whether `position` is a target.
    fn matches(&self, position: &ChessPosition) -> bool;
    /// Whether a position with this skeleton may be a target.
    fn may_match(&self, skeleton: &Skeleton) -> bool;
    /// Whether no target can occur later in a game than a position with this skeleton that
    /// is not itself a target.
    fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool;
    /// Whether a target may occur in a game whose last position has this many pieces of
    /// White and of Black, kings and pawns included, and these
    /// [pawns at home](super::home_pawns).
    fn may_occur_in_game_ending(&self, piece_counts: [u8; 2], home_pawns: u16) -> bool;
    /// Whether a target may occur in a game before a position with this skeleton.
    fn may_precede(&self, later: &Skeleton) -> bool;
}

/// What the indexes show about a game that they do not rule out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// The target first occurs in the main line, after this many plies.
    Ply(usize),
    /// The target may occur in the game.
    Possible,
}
