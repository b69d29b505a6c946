//! Pawn structure. Sets of squares have one bit a square, a1 lowest; functions with two sets take
//! White's point of view.

use crate::chess::Bitboard;

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

/// A property of a pawn among the pawns of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PawnKind {
    /// No pawn of its side stands on an adjacent file.
    Isolated,
    /// Another pawn of its side stands on its file.
    Doubled,
    /// No enemy pawn stands ahead of it on its file or an adjacent one.
    Passed,
    /// Its side has pawns on adjacent files, all of them further advanced, and an enemy pawn
    /// stands on the square before it or attacks that square.
    Backward,
}

impl PawnKind {
    /// The pawns of both sides that have this property, among White's and Black's.
    pub(super) fn of(self, [white, black]: [u64; 2]) -> Bitboard {
        let of_white = self.of_side(white, black);
        let of_black = self.of_side(black.swap_bytes(), white.swap_bytes());
        Bitboard(of_white | of_black.swap_bytes())
    }

    /// The pawns of `own` that have this property.
    fn of_side(self, own: u64, enemy: u64) -> u64 {
        match self {
            PawnKind::Isolated => isolated(own),
            PawnKind::Doubled => own & (ahead(own) | ahead(own.swap_bytes()).swap_bytes()),
            PawnKind::Passed => passed(own, enemy),
            PawnKind::Backward => backward(own, enemy),
        }
    }
}

/// The squares ahead of these, on their files.
fn ahead(squares: u64) -> u64 {
    let once = squares << 8;
    let twice = once | once << 8;
    let four = twice | twice << 16;
    four | four << 32
}

/// All squares of the files of these.
pub(super) fn files(squares: u64) -> u64 {
    squares | ahead(squares) | ahead(squares.swap_bytes()).swap_bytes()
}

/// The squares to the left and right of these.
fn beside(squares: u64) -> u64 {
    (squares & !H_FILE) << 1 | (squares & !A_FILE) >> 1
}

fn isolated(own: u64) -> u64 {
    own & !beside(files(own))
}

fn passed(own: u64, enemy: u64) -> u64 {
    let stopped = ahead(enemy.swap_bytes()).swap_bytes();
    own & !(stopped | beside(stopped))
}

fn backward(own: u64, enemy: u64) -> u64 {
    let supported = beside(own | ahead(own));
    let last = own & !supported & !isolated(own);
    let held = enemy | beside(enemy >> 8);
    last & held >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules, Square};

    /// The pawns of a kind, White's and Black's, of a board without kings.
    fn found(kind: PawnKind, pawns: &str) -> String {
        let fen = format!("{pawns} w - - 0 1");
        let rules = Rules::by_name(b"antichess").unwrap();
        let position = ChessPosition::from_fen(fen.as_bytes(), rules).unwrap();
        let squares = kind.of(position.skeleton().pawns).into_iter();
        squares
            .map(|square: Square| square.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn isolated_pawns_have_no_neighbours() {
        let find = |pawns| found(PawnKind::Isolated, pawns);
        assert_eq!(find("8/p6p/8/8/8/8/P1P4P/8"), "a2 c2 h2 a7 h7");
        assert_eq!(find("8/8/p7/1P6/8/8/P6P/8"), "h2 a6");
        // Doubled pawns are no neighbours, nor are pawns of the other side, nor those around the
        // edge of the board.
        assert_eq!(find("8/8/8/8/P7/P6p/7P/8"), "h2 a3 h3 a4");
    }

    #[test]
    fn doubled_pawns_share_a_file() {
        let find = |pawns| found(PawnKind::Doubled, pawns);
        assert_eq!(find("8/p7/8/p7/7P/8/P5PP/8"), "h2 h4 a5 a7");
        assert_eq!(find("8/p7/8/8/8/8/P7/8"), "");
        assert_eq!(find("8/8/1P6/1P6/1p6/1P6/8/8"), "b3 b5 b6");
    }

    #[test]
    fn passed_pawns_have_no_enemy_ahead() {
        let find = |pawns| found(PawnKind::Passed, pawns);
        assert_eq!(find("8/8/8/3Pp3/8/8/8/8"), "d5 e5");
        assert_eq!(find("8/4p3/8/3P4/8/8/8/8"), "");
        assert_eq!(find("8/3p4/8/3P4/8/8/8/8"), "");
        assert_eq!(find("8/8/8/8/3p4/2P5/8/8"), "");
        assert_eq!(find("8/8/3P4/3P4/8/8/7p/8"), "h2 d5 d6");
        // Files a and h are not adjacent.
        assert_eq!(find("8/p7/8/8/8/7P/8/8"), "h3 a7");
    }

    #[test]
    fn backward_pawns_lag_and_cannot_advance() {
        let find = |pawns| found(PawnKind::Backward, pawns);
        // d3 lags; d4 is attacked by e5 or held by a pawn.
        assert_eq!(find("8/8/8/4p3/2P5/3P4/8/8"), "d3");
        assert_eq!(find("8/8/8/8/2Pp4/3P4/8/8"), "d3");
        assert_eq!(find("8/8/8/8/2P5/3P4/8/8"), "");
        // A neighbour on the same rank or further back supports it; without one it is isolated.
        assert_eq!(find("8/8/8/4p3/2P5/3PP3/8/8"), "");
        assert_eq!(find("8/8/8/4p3/2P5/3P4/4P3/8"), "");
        assert_eq!(find("8/8/8/4p3/8/3P4/8/8"), "");
        // Black, on the edge.
        assert_eq!(find("8/8/p7/1p6/1P6/8/8/8"), "a6");
        assert_eq!(find("8/8/7p/6p1/6P1/8/8/8"), "h6");
    }
}
