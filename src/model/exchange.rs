//! Static exchange evaluation: the gains and losses of captures on a square.

use crate::chess::{Bitboard, Role, Square, attacks};

use super::board::{Board, Move};
use super::legal::pawn_attacks;
use super::squares::SquareCode;
use super::table::{MaskedTable, table};
use super::values::{CLASS_VALUES, VALUES, value};

/// The bucket of an even exchange. Buckets range from a clear loss (0) to a
/// clear gain (6).
pub(super) const EVEN: usize = 3;

/// The bucket of a gain in pawns.
const fn bucket(wins: i32) -> u8 {
    match wins {
        ..=-5 => 0,
        -4..=-2 => 1,
        -1 => 2,
        0 => 3,
        1..=2 => 4,
        3..=4 => 5,
        5.. => 6,
    }
}

/// The estimated gain in pawns of a move that captures a piece worth `captured`
/// and puts one worth `moved` on a square with this code. The estimate uses the
/// numbers of attackers and the class of their least attacker.
const fn estimate(captured: i32, moved: i32, code: SquareCode) -> i32 {
    let (theirs, ours) = (code.theirs(), code.ours());
    if theirs == 0 || moved == 100 {
        return captured;
    }
    let least = *CLASS_VALUES.at(code.least());
    let given = moved - least;
    let extra = if least >= 5 { 3 } else { 1 };
    let loss = if ours == 0 {
        moved
    } else if theirs == 1 || ours >= theirs {
        given
    } else if given + extra < moved {
        given + extra
    } else {
        moved
    };
    if loss > 0 { captured - loss } else { captured }
}

/// The bucket of the estimated gain of a move that does not promote, by its
/// role, the captured role and the code of its target.
#[inline]
pub(super) fn estimated(role: Role, captured: Option<Role>, code: SquareCode) -> usize {
    let captured = captured.map_or(0, |role| role as usize);
    ESTIMATES[(role as usize) << 10 | captured << 7 | code.number()].into()
}

/// The bucket of the estimated gain of a promotion.
pub(super) fn promoted(role: Role, captured: Option<Role>, code: SquareCode) -> usize {
    let wins = captured.map_or(0, value) + value(role) - 1;
    bucket(estimate(wins, value(role), code)).into()
}

/// Indexed by role, captured role and code.
static ESTIMATES: MaskedTable<u8, 8192> = table!([0; 8192], |number| {
    let (moved, captured) = (*VALUES.at(number >> 10), *VALUES.at(number >> 7 & 7));
    bucket(estimate(captured, moved, SquareCode::of(number)))
});

/// The bucket of the gain of a move that does not promote, with all captures on
/// its target played out.
#[inline(always)]
pub(super) fn exact(board: &Board, m: Move, captured: Option<Role>) -> usize {
    let occupied = board.occupied().without(m.from);
    let loss = swap_off(board, m.to, value(m.role), occupied, board.them());
    bucket(captured.map_or(0, value) - loss).into()
}

/// The gain in pawns of the side `first` if it may capture a piece worth
/// `prize` on a square, with all captures there that follow. Each side captures
/// with its least attacker and stops when that is better. Pins are ignored.
#[inline(always)]
pub(super) fn swap_off(
    board: &Board,
    square: Square,
    prize: i32,
    mut occupied: Bitboard,
    first: Bitboard,
) -> i32 {
    let mut prizes: MaskedTable<i32, 32> = MaskedTable::default();
    let mut captures = 0;
    let (mut prize, mut side) = (prize, first);
    let mut attackers = attackers(board, square, occupied);
    while let Some((role, from)) = least(board, attackers & side & occupied) {
        let answers = attackers & occupied & !side;
        if role == Role::King && !answers.is_empty() {
            break;
        }
        prizes[captures] = prize;
        captures += 1;
        prize = value(role);
        occupied = occupied.without(from);
        attackers |= sliders(board, square, occupied);
        side = !side;
    }
    // From the last capture to the first: no side captures at a loss.
    let mut won = 0;
    while captures > 0 {
        captures -= 1;
        won = (prizes[captures] - won).max(0);
    }
    won
}

/// The piece of the least role; among equal ones, that on the lowest square.
#[inline(always)]
fn least(board: &Board, pieces: Bitboard) -> Option<(Role, Square)> {
    let first = |role| Some((role, (board.by_role(role) & pieces).first()?));
    Role::ALL.into_iter().find_map(first)
}

/// The pieces of both sides that attack a square, with lines blocked by
/// `occupied`.
#[inline(always)]
pub(super) fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    let down = Bitboard::from_square(square).flip_vertical().first();
    let below = down.map_or(Bitboard::EMPTY, |down| pawn_attacks(down).flip_vertical());
    sliders(board, square, occupied)
        | attacks::knight_attacks(square) & board.by_role(Role::Knight)
        | attacks::king_attacks(square) & board.by_role(Role::King)
        | pawn_attacks(square) & board.theirs(Role::Pawn)
        | below & board.ours(Role::Pawn)
}

#[inline(always)]
fn sliders(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    let queens = board.by_role(Role::Queen);
    let straight = board.by_role(Role::Rook) | queens;
    let diagonal = board.by_role(Role::Bishop) | queens;
    attacks::rook_attacks(square, occupied) & straight
        | attacks::bishop_attacks(square, occupied) & diagonal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};

    fn board(fen: &str) -> Board {
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
        Board::new(&position).expect("chess")
    }

    fn swap(fen: &str, square: Square) -> i32 {
        let board = board(fen);
        let prize = board.role_at(square).map_or(0, value);
        swap_off(&board, square, prize, board.occupied(), board.us())
    }

    #[test]
    fn captures_played_out() {
        for (fen, wins) in [
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", 1),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", 0),
            ("4k3/8/4p3/3r4/8/8/8/3RK3 w - - 0 1", 0),
            ("4k3/8/4p3/3r4/4P3/8/8/3RK3 w - - 0 1", 5),
            ("4k3/8/4p3/3n4/4P3/8/8/4K3 w - - 0 1", 2),
            ("3rk3/8/8/3p4/8/3R4/3R4/4K3 w - - 0 1", 1),
            ("3rk3/3r4/8/3p4/8/3R4/3R4/4K3 w - - 0 1", 0),
            ("8/8/3k4/3p4/4K3/8/8/8 w - - 0 1", 0),
            ("8/8/3k4/3p4/4K3/8/8/3R4 w - - 0 1", 1),
        ] {
            assert_eq!(swap(fen, Square::D5), wins, "{fen}");
        }
    }

    #[test]
    fn moves_played_out() {
        let board = board("3rk3/8/8/3p4/8/3R4/3R4/4K3 w - - 0 1");
        let exact = |from, to, captured| {
            let (role, promotion) = (Role::Rook, None);
            let m = Move {
                role,
                from,
                to,
                promotion,
            };
            super::exact(&board, m, captured)
        };
        assert_eq!(exact(Square::D3, Square::D5, Some(Role::Pawn)), 4);
        assert_eq!(exact(Square::D3, Square::D4, None), EVEN);
        assert_eq!(exact(Square::D2, Square::D1, None), EVEN);
    }

    #[test]
    fn estimates() {
        let code = |least: usize, theirs: usize, ours: usize| {
            SquareCode::of(least | theirs << 3 | ours << 5)
        };
        for (role, captured, code, bucket) in [
            (Role::Rook, None, code(0, 0, 0), 3),
            (Role::Rook, None, code(2, 1, 0), 0),
            (Role::Rook, None, code(2, 1, 1), 1),
            (Role::Rook, Some(Role::Knight), code(1, 1, 1), 2),
            (Role::Knight, Some(Role::Queen), code(1, 2, 1), 6),
            (Role::Knight, None, code(3, 2, 1), 2),
            (Role::King, Some(Role::Pawn), code(0, 0, 0), 4),
        ] {
            assert_eq!(estimated(role, captured, code), bucket, "{role:?} {code:?}");
        }
        assert_eq!(promoted(Role::Queen, None, code(0, 0, 0)), 6);
        assert_eq!(promoted(Role::Queen, None, code(3, 1, 0)), 2);
    }
}
