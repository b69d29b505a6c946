//! The interface of an index search: its target and its result.

use super::visits::Visits;
use crate::chess::{Castlings, ChessPosition, Skeleton};
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use std::ops::Not;

/// A set of games of a segment: one bit for each, in the order of the tree.
pub type PlaceSet = BitVec<usize, Lsb0>;

/// A search target: a set of positions of standard chess.
pub trait SearchTarget: Sync {
    /// Whether [`SearchTarget::matches`] decides: the target depends on nothing but the position.
    fn is_of_positions(&self) -> bool;
    /// Whether `position` is a target.
    fn matches(&self, position: &ChessPosition) -> bool;
    /// Whether the positions of which this is known are targets.
    fn judge(&self, known: &KnownPosition<'_>) -> Ternary;
    /// Whether no target can occur later in a game than a position with this skeleton that
    /// is not itself a target.
    fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool;
    /// Whether a target may occur in a game whose last position has this many pieces of
    /// White and of Black, kings and pawns included, and these
    /// [pawns at home](super::home_pawns).
    fn may_occur_in_game_ending(&self, piece_counts: [u8; 2], home_pawns: u16) -> bool;
    /// Whether a target may occur in a game before a position with this skeleton.
    fn may_precede(&self, later: &Skeleton) -> bool;
    /// The games that may contain a target, judged by the squares that their pieces visit; `None`
    /// if these rule out none.
    fn visitors(&self, visits: &Visits) -> Option<PlaceSet>;

    /// Whether a position with this skeleton may be a target.
    fn may_match(&self, skeleton: &Skeleton) -> bool {
        let known = KnownPosition {
            skeleton,
            castled: None,
        };
        self.judge(&known) != Ternary::False
    }
}

/// What an index search is to find.
#[derive(Debug, Clone, Copy)]
pub struct SearchScope {
    /// Whether targets in variations count, which are not indexed.
    pub in_variations: bool,
    /// Whether a game that certainly has a target is of use without its place. Otherwise no game
    /// is [`Found::Somewhere`].
    pub without_places: bool,
}

/// What indexes know of a position.
#[derive(Debug, Clone, Copy)]
pub struct KnownPosition<'s> {
    pub skeleton: &'s Skeleton,
    /// To which sides the players have castled; `None` if that is not known.
    pub castled: Option<Castlings>,
}

impl KnownPosition<'_> {
    /// A position with this skeleton in a game whose players castle to these sides. Castling takes
    /// the last rights of a player: with a right he has not castled, without one he has, if ever.
    pub fn of(skeleton: &Skeleton, castlings: Option<Castlings>) -> KnownPosition<'_> {
        let castled = castlings.map(|[white, black]| {
            let [of_white, of_black] =
                [0xff, 0xff << 56].map(|rank| skeleton.castling_rooks & rank);
            [
                white.filter(|_| of_white == 0),
                black.filter(|_| of_black == 0),
            ]
        });
        KnownPosition { skeleton, castled }
    }
}

/// Whether something holds, as far as is known. The order is that of S. C. Kleene's strong logic:
/// the minimum is "and", the maximum "or".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ternary {
    False,
    Unknown,
    True,
}

impl From<bool> for Ternary {
    fn from(holds: bool) -> Ternary {
        match holds {
            true => Ternary::True,
            false => Ternary::False,
        }
    }
}

impl Not for Ternary {
    type Output = Ternary;

    fn not(self) -> Ternary {
        match self {
            Ternary::False => Ternary::True,
            Ternary::Unknown => Ternary::Unknown,
            Ternary::True => Ternary::False,
        }
    }
}

/// What the indexes show about a game that they do not rule out. Stronger results come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// The target first occurs in the main line, after this many plies.
    Ply(usize),
    /// The target occurs in the main line.
    Somewhere,
    /// The target may occur in the game, in a position whose
    /// [potential](crate::chess::Skeleton::potential) is at least this.
    Possible(u16),
}

impl Found {
    /// The target may occur anywhere in the game.
    pub const ANYWHERE: Found = Found::Possible(0);
}
