//! A board and the side to move.

use super::fen::Fen;
use super::{Point, XiangqiMove, XiangqiPiece, XiangqiSide};

/// A position: the pieces on their points and the side to move. Any board is valid,
/// also without generals or with pieces on points that they cannot reach in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct XiangqiPosition {
    board: [Option<XiangqiPiece>; Point::COUNT as usize],
    turn: XiangqiSide,
}

/// The move is not legal in the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("illegal move")]
pub struct IllegalMove;

impl XiangqiPosition {
    /// An empty board.
    pub fn empty(turn: XiangqiSide) -> Self {
        XiangqiPosition {
            board: [None; Point::COUNT as usize],
            turn,
        }
    }

    /// The start position of a game.
    pub fn start() -> Self {
        START.parse::<Fen>().map_or_else(
            |_| XiangqiPosition::empty(XiangqiSide::Red),
            |fen| fen.position,
        )
    }

    /// The piece on a point.
    pub fn at(&self, point: Point) -> Option<XiangqiPiece> {
        self.board
            .get(usize::from(point.number()))
            .copied()
            .flatten()
    }

    /// Puts a piece on a point, or removes the piece there.
    pub fn put(&mut self, point: Point, piece: Option<XiangqiPiece>) {
        if let Some(place) = self.board.get_mut(usize::from(point.number())) {
            *place = piece;
        }
    }

    /// The pieces with their points, by ascending point.
    pub fn pieces(&self) -> impl Iterator<Item = (Point, XiangqiPiece)> {
        let board = Point::all().zip(&self.board);
        board.filter_map(|(point, piece)| Some((point, (*piece)?)))
    }

    /// The points of a piece, ascending.
    pub(super) fn points_of(&self, piece: XiangqiPiece) -> impl Iterator<Item = Point> {
        let is_piece = move |(point, found)| (found == piece).then_some(point);
        self.pieces().filter_map(is_piece)
    }

    /// The side to move.
    pub fn turn(&self) -> XiangqiSide {
        self.turn
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// The move is not legal; the position does not change.
    pub fn play(&mut self, played: XiangqiMove) -> Result<(), IllegalMove> {
        if !self.legal_moves().contains(&played) {
            return Err(IllegalMove);
        }
        *self = self.after(played);
        Ok(())
    }

    /// The position after a move, legal or not.
    pub(super) fn after(&self, played: XiangqiMove) -> XiangqiPosition {
        let mut after = self.clone();
        after.put(played.to, self.at(played.from));
        after.put(played.from, None);
        after.turn = self.turn.other();
        after
    }
}

impl Default for XiangqiPosition {
    fn default() -> Self {
        XiangqiPosition::start()
    }
}

/// The FEN of the start position.
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_all_pieces() {
        let start = XiangqiPosition::start();
        assert_eq!(start.fen(), START);
        assert_eq!(start.pieces().count(), 32);
        for piece in XiangqiPiece::all() {
            assert_eq!(start.points_of(piece).count(), piece.kind.count());
        }
    }

    #[test]
    fn legal_moves_are_played_and_others_refused() {
        let mut position = XiangqiPosition::start();
        assert_eq!(
            position.play("h3e4".parse().expect("a move")),
            Err(IllegalMove)
        );
        assert_eq!(position, XiangqiPosition::start());
        assert_eq!(position.play("h3e3".parse().expect("a move")), Ok(()));
        assert_eq!(position.turn(), XiangqiSide::Black);
        assert_eq!(
            position.play("b3b4".parse().expect("a move")),
            Err(IllegalMove)
        );
    }
}
