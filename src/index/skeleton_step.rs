//! The pawn move and the capture between two skeletons.

use crate::chess::{OFFICERS, Skeleton};

/// A pawn move.
pub(super) struct PawnStep {
    pub(super) side: usize,
    pub(super) from: u32,
    /// 0: one square, 1: two squares, 2 and 3: a capture towards the a- and the h-file. A
    /// capture that promotes always has 2.
    pub(super) kind: u8,
    /// The destination; `None` for a promotion.
    pub(super) to: Option<u32>,
    /// What the pawn promotes to: 0 to 3 for a knight, bishop, rook or queen.
    pub(super) promotion: Option<u8>,
}

impl PawnStep {
    /// The pawn move between two skeletons, if there is one.
    pub(super) fn between(before: &Skeleton, after: &Skeleton) -> Option<PawnStep> {
        (0..2).find_map(|side| {
            let (old, new) = (pawns(before, side), pawns(after, side));
            let gone = old & !new;
            let from = gone.trailing_zeros();
            if gone.count_ones() != 1 {
                return None;
            }
            let to = (new & !old).trailing_zeros();
            if to < 64 {
                let kinds = 0..4;
                let mut kinds = kinds.filter(|kind| target(side, from, *kind) == Some(to));
                return Some(PawnStep {
                    side,
                    from,
                    kind: kinds.next()?,
                    to: Some(to),
                    promotion: None,
                });
            }
            let captures = lost_by_capture(before, after).officer.is_some();
            let kind = if captures { 2 } else { 0 };
            let promotion = (0u8..4).find(|role| {
                let officer = promoted_officer(*role, from, kind);
                officers(after, side, officer) > officers(before, side, officer)
            })?;
            Some(PawnStep {
                side,
                from,
                kind,
                to: None,
                promotion: Some(promotion),
            })
        })
    }

    /// Whether the destination holds a pawn of the other side.
    pub(super) fn takes_pawn(&self, skeleton: &Skeleton) -> bool {
        let others = pawns(skeleton, 1 - self.side);
        self.to.is_some_and(|to| others >> to & 1 == 1)
    }
}

/// The capture between two skeletons.
pub(super) struct CaptureLoss {
    /// The side that loses a pawn or an officer.
    pub(super) side: usize,
    pub(super) pawn: Option<u32>,
    pub(super) officer: Option<u8>,
}

pub(super) fn lost_by_capture(before: &Skeleton, after: &Skeleton) -> CaptureLoss {
    let side = usize::from(after.piece_count(0) == before.piece_count(0));
    let gone = pawns(before, side) & !pawns(after, side);
    let is_less = after.piece_count(side) < before.piece_count(side);
    let mut kinds = 0..OFFICERS;
    let officer = kinds.find(|it| officers(after, side, *it) < officers(before, side, *it));
    CaptureLoss {
        side,
        pawn: (is_less && gone != 0 && officer.is_none()).then(|| gone.trailing_zeros()),
        officer: officer.filter(|_| is_less),
    }
}

pub(super) fn pawns(skeleton: &Skeleton, side: usize) -> u64 {
    skeleton.pawns.get(side).copied().unwrap_or(0)
}

fn officers(skeleton: &Skeleton, side: usize, officer: u8) -> u8 {
    let of_side = skeleton.officers.get(side);
    let count = of_side.and_then(|counts| counts.get(usize::from(officer)));
    count.copied().unwrap_or(0)
}

/// The rank of a square from the perspective of a side, from 0.
pub(super) fn rank_of(side: usize, square: u32) -> u32 {
    if side == 0 {
        square / 8
    } else {
        7 - square / 8
    }
}

/// The destination of a pawn move of this kind; `None` if it is off the board or on the
/// last rank.
pub(super) fn target(side: usize, from: u32, kind: u8) -> Option<u32> {
    let ranks = if kind == 1 { 2 } else { 1 };
    let file = match kind {
        2 => (from % 8).checked_sub(1)?,
        3 => Some(from % 8 + 1).filter(|file| *file < 8)?,
        _ => from % 8,
    };
    let rank = match side {
        0 => from / 8 + ranks,
        _ => (from / 8).checked_sub(ranks)?,
    };
    (1..7).contains(&rank).then_some(8 * rank + file)
}

/// The officer that a pawn on `from` promotes to: 0 to 3 for a knight, bishop, rook or queen.
pub(super) fn promoted_officer(role: u8, from: u32, kind: u8) -> u8 {
    // A step ahead changes the colour of the square; a capture, to either side, does not.
    let is_from_dark = (from / 8 + from).is_multiple_of(2);
    let is_to_dark = is_from_dark == (kind >= 2);
    match role {
        0 => 0,
        1 => 1 + u8::from(is_to_dark),
        role => role.saturating_add(1),
    }
}
