//! The main line of a game as indexes see it.

use crate::chess::{Ply, Role, Square};

/// A move in 16 bits: six of where the piece stands, six of where it goes, and the
/// number of what a pawn becomes, 0 for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct PackedPly(u16);

impl PackedPly {
    /// The move of a ply, if it is one of a piece on the board.
    pub fn of(ply: Ply) -> Option<PackedPly> {
        let Ply::Move {
            from,
            to,
            promotion,
        } = ply
        else {
            return None;
        };
        let promotion = promotion.map_or(0, |role| role as u16);
        Some(PackedPly(
            u16::from(from) | u16::from(to) << 6 | promotion << 12,
        ))
    }

    /// A move by what its columns hold.
    pub(super) fn of_fields(squares: u64, promotion: u64) -> Option<PackedPly> {
        let squares = u16::try_from(squares).ok().filter(|it| *it < 1 << 12)?;
        let promotion = u16::try_from(promotion).ok().filter(|it| *it < 8)?;
        Some(PackedPly(squares | promotion << 12))
    }

    /// From which square to which, and the number of what a pawn becomes.
    pub(super) fn fields(self) -> (u64, u64) {
        (u64::from(self.0 & 0xfff), u64::from(self.0 >> 12))
    }

    /// Where the piece stands, where it goes, and what a pawn becomes.
    pub(super) fn parts(self) -> (Square, Square, Option<Role>) {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        let promotion = Role::try_from(u32::from(self.0 >> 12)).ok();
        (square(self.0), square(self.0 >> 6), promotion)
    }

    /// The ply.
    pub fn ply(self) -> Ply {
        let (from, to, promotion) = self.parts();
        Ply::Move {
            from,
            to,
            promotion,
        }
    }
}

/// The main line of a game that begins with the standard position of chess.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The plies.
    pub plies: Vec<PackedPly>,
    /// Whether the game has variations beside it.
    pub has_variations: bool,
}

impl Line {
    /// A line, unless a ply in it is not a move of a piece on the board.
    pub fn new(plies: impl Iterator<Item = Ply>, has_variations: bool) -> Option<Line> {
        Some(Line {
            plies: plies.map(PackedPly::of).collect::<Option<_>>()?,
            has_variations,
        })
    }
}
