//! Whether a game can still reach a position, judged by irreversible changes.

use crate::chess::Skeleton;
use crate::index::home_pawns;

/// A pawn reaches any file with this many captures.
const MOST_SHIFTS: usize = 7;

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

/// The skeleton of a position to reach.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    skeleton: Skeleton,
    men: [u32; 2],
    home_pawns: u16,
    /// For each side, the squares from which a pawn can reach a pawn of the skeleton,
    /// indexed by the maximum number of captures.
    origins: [[u64; MOST_SHIFTS + 1]; 2],
    /// For each side, the squares that a pawn of the skeleton can reach, indexed by the
    /// maximum number of captures.
    reached: [[u64; MOST_SHIFTS + 1]; 2],
}

impl Goal {
    pub(super) fn new(skeleton: Skeleton) -> Goal {
        let [white, black] = skeleton.pawns;
        Goal {
            skeleton,
            men: [0, 1].map(|side| skeleton.piece_count(side)),
            home_pawns: home_pawns(&skeleton),
            origins: [origins(white, 0), origins(black, 1)],
            // Moving forward is moving backward for the other side.
            reached: [origins(white, 1), origins(black, 0)],
        }
    }

    pub(super) fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Whether positions with these two skeletons may have the same pieces.
    pub(super) fn has_pieces_of(&self, skeleton: &Skeleton) -> bool {
        (self.skeleton.pawns, self.skeleton.officers) == (skeleton.pawns, skeleton.officers)
    }

    /// Whether a game may reach the position, given the number of men of White and of
    /// Black and the pawns at home at its end.
    pub(super) fn may_be_before(&self, men: [u8; 2], home_pawns: u16) -> bool {
        let mut sides = men.iter().zip(self.men);
        sides.all(|(men, goal)| u32::from(*men) <= goal) && home_pawns & !self.home_pawns == 0
    }

    /// Whether a game with this later skeleton may have had the position, judged by men
    /// and pawns.
    pub(super) fn may_have_been(&self, later: &Skeleton) -> bool {
        let lost = |side: usize| {
            let goal = self.men.get(side).copied().unwrap_or(0);
            Some((goal.checked_sub(later.piece_count(side))? as usize).min(MOST_SHIFTS))
        };
        let (Some(of_white), Some(of_black)) = (lost(0), lost(1)) else {
            return false;
        };
        let sides = later.pawns.iter().zip(&self.reached);
        let mut sides = sides.zip([of_black, of_white]);
        sides.all(|((pawns, reached), captures)| {
            let reached = reached.get(captures).copied().unwrap_or(u64::MAX);
            pawns & !reached == 0
        })
    }

    /// Whether the position is out of reach from this skeleton.
    pub(super) fn is_unreachable_after(&self, present: &Skeleton) -> bool {
        let men = [0, 1].map(|side| present.piece_count(side));
        let spare = men.iter().zip(self.men);
        let mut spare = spare.map(|(men, goal)| men.checked_sub(goal));
        let (Some(Some(of_white)), Some(Some(of_black))) = (spare.next(), spare.next()) else {
            return true;
        };
        let sides = present.pawns.iter().zip(&self.skeleton.pawns);
        let captures = [of_black, of_white];
        let mut sides = sides.zip(&self.origins).zip(captures);
        let pawns_cannot = sides.any(|(((pawns, goal), origins), captures)| {
            let captures = (captures as usize).min(MOST_SHIFTS);
            let useless = pawns & !origins.get(captures).copied().unwrap_or(u64::MAX);
            // All other pawns can still be captured or promoted.
            useless.count_ones() + goal.count_ones() > pawns.count_ones()
        });
        pawns_cannot || self.skeleton.castling_rooks & !present.castling_rooks != 0
    }
}

/// The squares from which pawns of a side can reach these squares, by the number of
/// captures.
pub(super) fn origins<const N: usize>(pawns: u64, side: usize) -> [u64; N] {
    let mut reached = straight(pawns, side);
    std::array::from_fn(|captures| {
        if captures > 0 {
            let back = back(reached, side);
            let shifted = (back & !H_FILE) << 1 | (back & !A_FILE) >> 1;
            reached |= straight(shifted, side);
        }
        reached
    })
}

/// The squares from which pawns reach these squares without captures.
fn straight(pawns: u64, side: usize) -> u64 {
    (0..6).fold(pawns, |pawns, _| pawns | back(pawns, side))
}

fn back(squares: u64, side: usize) -> u64 {
    if side == 0 {
        squares >> 8
    } else {
        squares << 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Setup;

    fn skeleton(fen: &str) -> Skeleton {
        Setup::from_fen(fen.as_bytes()).unwrap().skeleton()
    }

    fn is_unreachable(present: &str, goal: &str) -> bool {
        Goal::new(skeleton(goal)).is_unreachable_after(&skeleton(present))
    }

    #[test]
    fn what_has_advanced_does_not_come_back() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        assert!(!is_unreachable(start, e4) && is_unreachable(e4, start));
        assert!(!is_unreachable(e4, e4));
        let no_castling = e4.replace("KQkq", "kq");
        assert!(!is_unreachable(e4, &no_castling) && is_unreachable(&no_castling, e4));
    }

    fn may_have_been(goal: &str, later: &str) -> bool {
        Goal::new(skeleton(goal)).may_have_been(&skeleton(later))
    }

    #[test]
    fn what_comes_of_it_has_fewer_men_and_pawns_further_on() {
        let goal = "r3k3/8/8/8/3p4/8/4P3/4K3 w q -";
        for last in [
            goal,
            "4k3/8/8/8/3p4/4P3/8/4K3 w - -",
            "r3k3/8/8/8/8/3P4/8/4K3 w - -",
            "r3k3/8/8/8/8/8/8/3RK3 w - -",
            "r3k3/8/8/8/8/8/3p4/4K3 w q -",
        ] {
            assert!(may_have_been(goal, last), "{last}");
        }
        for last in [
            "r3k3/8/8/3p4/8/8/4P3/4K3 w - -",
            "r3k3/8/8/8/3p4/8/3P4/4K3 w - -",
            "r3k3/8/8/8/3p4/3P4/8/4K3 w - -",
            "r3k3/8/8/8/2P5/8/8/4K3 w - -",
            "rr2k3/8/8/8/3p4/8/4P3/4K3 w q -",
        ] {
            assert!(!may_have_been(goal, last), "{last}");
        }
    }

    #[test]
    fn pawns_change_files_by_captures_alone() {
        let before = "4k3/8/8/8/3p4/8/4P3/4K3 w - -";
        assert!(!is_unreachable(before, "4k3/8/8/8/8/3P4/8/4K3 w - -"));
        assert!(is_unreachable(before, "4k3/8/8/8/3p4/3P4/8/4K3 w - -"));
        assert!(is_unreachable(before, "4k3/8/8/8/8/8/3P4/4K3 w - -"));
        assert!(is_unreachable(before, "4k3/8/8/8/8/2P5/8/4K3 w - -"));
        // The pawn may be captured or promoted.
        assert!(!is_unreachable(before, "4k3/8/8/8/8/8/3p4/4K3 w - -"));
        assert!(!is_unreachable(before, "4k3/8/8/8/8/8/3p4/3QK3 w - -"));
    }
}
