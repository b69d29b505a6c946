//! The interface of an index search: its target and its result.

use super::first_positions::PositionTrace;
use super::structures::PawnStructure;
use super::visits::Visits;
use crate::chess::{Castlings, ChessPosition, Skeleton};
use bitvec::order::Lsb0;
use bitvec::vec::BitVec;
use std::ops::{BitAnd, BitOr, Not};

/// A set of games of a segment: one bit for each, in the order of the tree.
pub type PlaceSet = BitVec<usize, Lsb0>;

/// A search target: a set of positions of standard chess.
pub trait SearchTarget: Sync {
    /// Whether skeletons or visits can decide anything about the target, so that a search is of use.
    fn is_indexed(&self) -> bool;
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
    /// The [pawns at home](super::home_pawns) of the targets, if these are the same in all.
    fn home_pawns(&self) -> Option<u16>;
    /// The pawns of the targets, if these are the same in all.
    fn pawns(&self) -> Option<PawnStructure>;
    /// The only position that can be a target, if there is one.
    fn position(&self) -> Option<PositionTrace>;
    /// Whether a target may occur before a position with this skeleton in a game with this many
    /// promotions.
    fn may_precede(&self, later: &Skeleton, promotions: u32) -> bool;
    /// The games that may contain a target, judged by the squares that their pieces visit and by
    /// castling; `None` if these rule out none.
    fn visitors(&self, visits: &Visits) -> Option<PlaceSet>;

    /// Whether a position with this skeleton may be a target.
    fn may_match(&self, skeleton: &Skeleton) -> bool {
        let known = KnownPosition {
            skeleton,
            castled: None,
        };
        self.judge(&known) != Ternary::FALSE
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

/// Whether something holds, as far as is known: S. C. Kleene's strong logic.
///
/// Two bits and their own "and" and "or", not an ordered enum with `min` and `max`: LLVM 22 turned
/// a recursive function with both into one that takes the maximum for the minimum (rustc 1.95,
/// `opt-level` 2 and 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ternary {
    /// Whether it holds for certain.
    must: bool,
    /// Whether it can hold.
    may: bool,
}

impl Ternary {
    pub const FALSE: Ternary = Ternary {
        must: false,
        may: false,
    };
    pub const UNKNOWN: Ternary = Ternary {
        must: false,
        may: true,
    };
    pub const TRUE: Ternary = Ternary {
        must: true,
        may: true,
    };

    /// Whether all of these hold.
    pub fn all(parts: impl IntoIterator<Item = Ternary>) -> Ternary {
        let mut all = Ternary::TRUE;
        for part in parts {
            all = all & part;
            if all == Ternary::FALSE {
                break;
            }
        }
        all
    }

    /// Whether one of these holds.
    pub fn any(parts: impl IntoIterator<Item = Ternary>) -> Ternary {
        !Ternary::all(parts.into_iter().map(Ternary::not))
    }
}

impl From<bool> for Ternary {
    fn from(holds: bool) -> Ternary {
        Ternary {
            must: holds,
            may: holds,
        }
    }
}

impl Not for Ternary {
    type Output = Ternary;

    fn not(self) -> Ternary {
        Ternary {
            must: !self.may,
            may: !self.must,
        }
    }
}

impl BitAnd for Ternary {
    type Output = Ternary;

    fn bitand(self, other: Ternary) -> Ternary {
        Ternary {
            must: self.must & other.must,
            may: self.may & other.may,
        }
    }
}

impl BitOr for Ternary {
    type Output = Ternary;

    fn bitor(self, other: Ternary) -> Ternary {
        Ternary {
            must: self.must | other.must,
            may: self.may | other.may,
        }
    }
}

/// What the indexes show about a game that they do not rule out. Of two results for one game the
/// lesser holds: what is certain, then the lower potential.
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
