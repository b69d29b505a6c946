//! A weak but plausible player: it wins material, avoids losing it in one move, develops, castles,
//! and mates when it can. Other choices are random.

use shakmaty::{Chess, Color, Move, Position, Role, Square};

use super::rng::Rng;

/// The value of a piece in hundredths of a pawn.
fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 320,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 10_000,
    }
}

/// White's material less Black's, in hundredths of a pawn.
pub(crate) fn balance(pos: &Chess) -> i32 {
    let board = pos.board();
    let pieces = board.iter().filter(|(_, piece)| piece.role != Role::King);
    pieces
        .map(|(_, piece)| piece.color.fold_wb(1, -1) * worth(piece.role))
        .sum()
}

/// How close a square is to the center of the board, 0 to 6.
fn centrality(square: Square) -> i32 {
    let near = |n: u32| n.min(7 - n).cast_signed();
    near(square.file().to_u32()) + near(square.rank().to_u32())
}

fn home_rank(square: Square, color: Color) -> bool {
    square.rank().to_u32() == color.fold_wb(0, 7)
}

fn taste(pos: &Chess, m: Move) -> i32 {
    if m.is_castle() {
        return 60;
    }
    let to = m.to();
    let from = m.from().unwrap_or(to);
    let step = centrality(to) - centrality(from);
    let leaves_home = home_rank(from, pos.turn()) && !home_rank(to, pos.turn());
    match m.role() {
        Role::Pawn => 10 + 6 * step,
        Role::Knight | Role::Bishop => 8 * step + if leaves_home { 35 } else { 0 },
        Role::Rook | Role::Queen => 3 * step,
        Role::King => -25,
    }
}

/// The material that the opponent's best capture wins, with one recapture considered.
fn threat(pos: &Chess) -> i32 {
    let board = pos.board();
    let gain = |m: &Move| {
        let taken = m.capture().map_or(0, worth);
        let covered = (board.attacks_to(m.to(), !pos.turn(), board.occupied())).any();
        taken - if covered { worth(m.role()) } else { 0 }
    };
    pos.capture_moves()
        .iter()
        .map(gain)
        .max()
        .unwrap_or(0)
        .max(0)
}

fn score(pos: &Chess, m: Move, rng: &mut Rng) -> i32 {
    let mut after = pos.clone();
    after.play_unchecked(m);
    if after.is_checkmate() {
        return 1_000_000;
    }
    if after.is_stalemate() {
        return -5_000;
    }
    let won = m.capture().map_or(0, worth) + m.promotion().map_or(0, worth);
    let check = if after.is_check() { 15 } else { 0 };
    won + check + taste(pos, m) - threat(&after) + rng.below(50).cast_signed()
}

/// The move of the highest score; `None` when there is no legal move.
pub(crate) fn choose(pos: &Chess, rng: &mut Rng) -> Option<Move> {
    let mut moves: Vec<Move> = pos.legal_moves().into_iter().collect();
    // The samples must not depend on the order of moves in the library.
    moves.sort_by_key(|m| (m.from(), m.to(), m.promotion()));
    moves.into_iter().max_by_key(|m| score(pos, *m, rng))
}
