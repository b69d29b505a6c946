//! The inputs of the net. Each is a row of weights that is on or off.

use crate::chess::{Bitboard, Square};
use crate::model::board::{Board, PlacedPiece, ViewSide};
use crate::model::feature_context::FeatureContext;
use crate::model::history::PlayedMove;

const THEIR_LAST: usize = 1024;
const THEIR_LAST_FROM: usize = THEIR_LAST + 512;
const OUR_LAST: usize = THEIR_LAST_FROM + 64;
const OUR_LAST_FROM: usize = OUR_LAST + 512;
const CASTLING: usize = OUR_LAST_FROM + 64;
const CHECK: usize = CASTLING + 8;
const PLY: usize = CHECK + 1;
const RATING: usize = PLY + 8;
const PHASE: usize = RATING + 7;
const RESULT: usize = PHASE + 4;
const HANGING: usize = RESULT + 8;
const WINNING: usize = HANGING + 512;

/// The number of inputs.
pub const INPUTS: usize = WINNING + 512;

/// The input of a piece on its square, from the view of the side to move.
#[inline]
pub fn piece_input(piece: PlacedPiece) -> usize {
    let side = usize::from(piece.side == ViewSide::Them);
    side << 9 | number(piece.role as usize, piece.square)
}

#[inline]
fn number(role: usize, square: Square) -> usize {
    role << 6 | square as usize
}

/// Emits all inputs that are on, except those of the pieces.
#[inline(always)]
pub fn emit_inputs(features: &FeatureContext<'_>, mut on: impl FnMut(usize)) {
    let mut last = |played: Option<PlayedMove>, target: usize, origin: usize| {
        if let Some(played) = played {
            on(target + number(played.role as usize, played.to));
            on(origin + played.from as usize);
        }
    };
    last(features.history.theirs(), THEIR_LAST, THEIR_LAST_FROM);
    last(features.history.ours(), OUR_LAST, OUR_LAST_FROM);
    let board = features.board;
    let rights = board.castling_rooks().count().min(2);
    let they = usize::from(board.their_castling_rooks().any());
    on(CASTLING + (they << 2 | rights));
    if features.is_check() {
        on(CHECK);
    }
    on(PLY + features.ply_bucket);
    on(RATING + features.rating);
    on(PHASE + features.phase);
    on(RESULT + (features.result << 1 | usize::from(features.is_last)));
    each(board, features.threats.hanging, |piece| on(HANGING + piece));
    each(board, features.threats.winning, |piece| on(WINNING + piece));
}

#[inline(always)]
fn each(board: &Board, pieces: Bitboard, mut on: impl FnMut(usize)) {
    for square in pieces {
        let role = board.role_at(square).map_or(0, |role| role as usize);
        on(number(role, square));
    }
}
