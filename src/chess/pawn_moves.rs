//! The moves of pawns as sets of their origins, which takes no loop over the pawns.

use shakmaty::{Bitboard, Color, File, Rank, Square};

/// The distances from a pawn to its targets, in canonical order: a capture, a step, the other
/// capture, a double step. Black's are negative.
const DISTANCES: [i32; 4] = [7, 8, 9, 16];

/// The number of moves of a pawn to a square on which it promotes, one for each of
/// [`CANONICAL_PROMOTIONS`](super::CANONICAL_PROMOTIONS).
pub(super) const PROMOTIONS: u32 = 4;

/// The legal moves of some pawns of a side.
#[derive(Debug)]
pub(super) struct PawnMoves {
    side: Color,
    /// For each distance, the pawns that can move by it.
    origins: [Bitboard; DISTANCES.len()],
}

impl PawnMoves {
    /// No moves.
    pub(super) fn none(side: Color) -> PawnMoves {
        PawnMoves {
            side,
            origins: [Bitboard::EMPTY; DISTANCES.len()],
        }
    }

    /// Adds the moves of some pawns to the squares of `mask`, without en passant: steps to
    /// squares of `free` and captures on squares of `enemies`.
    pub(super) fn add(
        &mut self,
        pawns: Bitboard,
        free: Bitboard,
        enemies: Bitboard,
        mask: Bitboard,
    ) {
        let side = self.side;
        let [low, high] = side.fold_wb([File::A, File::H], [File::H, File::A]);
        let passed = free & Bitboard::from_rank(side.fold_wb(Rank::Third, Rank::Sixth));
        let moves = [
            (pawns & !Bitboard::from_file(low), enemies),
            (pawns, free),
            (pawns & !Bitboard::from_file(high), enemies),
            (pawns, free & shifted(passed, side, 8)),
        ];
        for ((origins, distance), (from, to)) in self.origins.iter_mut().zip(DISTANCES).zip(moves) {
            *origins |= from & shifted(to & mask, side, -distance);
        }
    }

    /// Adds a capture en passant.
    pub(super) fn add_en_passant(&mut self, from: Square, to: Square) {
        let from = Bitboard::from_square(from);
        for (origins, distance) in self.origins.iter_mut().zip(DISTANCES) {
            if shifted(from, self.side, distance).contains(to) {
                *origins |= from;
            }
        }
    }

    /// The targets of a pawn.
    pub(super) fn targets(&self, from: Square) -> Bitboard {
        let moves = self.origins.iter().zip(DISTANCES);
        let own = moves.filter(|(origins, _)| origins.contains(from));
        let targets =
            own.map(|(_, distance)| shifted(Bitboard::from_square(from), self.side, distance));
        targets.fold(Bitboard::EMPTY, |all, target| all | target)
    }

    /// The number of moves of the pawns on some squares; each promotion counts.
    pub(super) fn count(&self, squares: Bitboard) -> u32 {
        let steps = |squares| {
            self.origins
                .iter()
                .map(move |origins| ones(*origins & squares))
                .sum::<u32>()
        };
        match squares & seventh(self.side) {
            Bitboard::EMPTY => steps(squares),
            promoting => steps(squares) + (PROMOTIONS - 1) * steps(promoting),
        }
    }

    /// The number of moves of the pawn on a square.
    pub(super) fn count_of(&self, from: Square) -> u32 {
        let own = self
            .origins
            .iter()
            .map(|origins| u32::from(origins.contains(from)));
        let steps: u32 = own.sum();
        if self.promotes(from) {
            PROMOTIONS * steps
        } else {
            steps
        }
    }

    /// Whether the moves of a pawn on a square are promotions.
    pub(super) fn promotes(&self, from: Square) -> bool {
        seventh(self.side).contains(from)
    }
}

/// The rank from which a pawn promotes.
fn seventh(side: Color) -> Bitboard {
    Bitboard::from_rank(side.fold_wb(Rank::Seventh, Rank::Second))
}

/// The squares at a distance in the direction of play from some squares.
fn shifted(squares: Bitboard, side: Color, distance: i32) -> Bitboard {
    squares.shift(side.fold_wb(distance, -distance))
}

/// The number of squares in a set.
pub(super) fn ones(squares: Bitboard) -> u32 {
    squares.0.count_ones()
}
