//! Pieces that no position of chess has.

use super::board::BoardTest;
use super::position_test::{PositionCondition, PositionTest};
use crate::chess::{Color, Piece, Role, Setup};

impl PositionTest {
    /// Why no game of chess has the pieces, if they are those of a whole board. Positions with the
    /// side to move are checked when they are parsed.
    pub(crate) fn why_impossible(&self) -> Option<String> {
        let PositionCondition::Board(board) = &self.0 else {
            return None;
        };
        match &**board {
            BoardTest::Pieces(target) => why_impossible(target.setup()),
            _ => None,
        }
    }
}

fn why_impossible(setup: &Setup) -> Option<String> {
    let squares = || (0usize..).zip(&setup.pieces);
    [(Color::White, "White"), (Color::Black, "Black")]
        .into_iter()
        .find_map(|(color, side)| {
            let of_side = || {
                let pieces = squares().filter_map(|(square, piece)| Some((square, (*piece)?)));
                pieces.filter(move |(_, piece)| piece.color == color)
            };
            let count = |role| of_side().filter(|(_, piece)| piece.role == role).count();
            let is_stray = |(square, piece): (usize, Piece)| {
                piece.role == Role::Pawn && [0, 7].contains(&(square / 8))
            };
            let why = match (count(Role::King), count(Role::Pawn)) {
                (0, _) => "has no king",
                (2.., _) => "has several kings",
                (_, 9..) => "has more than eight pawns",
                _ if of_side().count() > 16 => "has more than sixteen pieces",
                _ if of_side().any(is_stray) => "has a pawn on the first or last rank",
                _ => return None,
            };
            Some(format!("{side} {why}"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_no_game_has_are_explained() {
        for (fen, why) in [
            ("4k3/8/8/8/8/8/8/4K3", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", None),
            ("4k3/8/8/8/8/8/8/8", Some("White has no king")),
            ("4k2k/8/8/8/8/8/8/4K3", Some("Black has several kings")),
            (
                "4k2P/8/8/8/8/8/8/4K3",
                Some("White has a pawn on the first or last rank"),
            ),
            (
                "4k3/pppppppp/p7/8/8/8/8/4K3",
                Some("Black has more than eight pawns"),
            ),
            (
                "4k3/8/8/8/8/Q7/QQQQQQQQ/QQQQKQQQ",
                Some("White has more than sixteen pieces"),
            ),
        ] {
            let setup = Setup::from_fen(fen.as_bytes()).unwrap();
            assert_eq!(why_impossible(&setup).as_deref(), why, "{fen}");
        }
    }
}
