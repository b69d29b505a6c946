//! The last moves of a game.

use crate::chess::{Role, Square};

use super::board::{Changes, Move};

/// A move that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The role of the piece; pawn for a promotion.
    pub role: Role,
    /// Its origin.
    pub from: Square,
    /// Its target; in castling the square of the rook.
    pub to: Square,
    /// The role of the captured piece.
    pub captured: Option<Role>,
}

impl PlayedMove {
    /// The same move from the view of the other side.
    fn flipped(self) -> Self {
        PlayedMove {
            from: self.from.flip_vertical(),
            to: self.to.flip_vertical(),
            ..self
        }
    }

    /// Whether it takes back an earlier move.
    fn undoes(&self, earlier: &PlayedMove) -> bool {
        (self.from, self.to) == (earlier.to, earlier.from)
    }
}

/// The last four plies, the latest first, from the view of the side to move.
/// `None` is a null move or a ply before the first of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveHistory {
    last: [Option<PlayedMove>; 4],
}

impl MoveHistory {
    /// Adds a move with its changes.
    #[inline(always)]
    pub fn push(&mut self, m: Move, changes: &Changes) {
        let [_, other] = changes.removed;
        let captured = other.filter(|piece| piece.side == super::board::ViewSide::Them);
        self.add(Some(PlayedMove {
            role: m.role,
            from: m.from,
            to: m.to,
            captured: captured.map(|piece| piece.role),
        }));
    }

    /// Adds a null move.
    pub fn pass(&mut self) {
        self.add(None);
    }

    #[inline(always)]
    fn add(&mut self, played: Option<PlayedMove>) {
        let [a, b, c, _] = self.last;
        self.last = [played, a, b, c].map(|played| played.map(PlayedMove::flipped));
    }

    /// Their last move.
    pub fn theirs(&self) -> Option<PlayedMove> {
        let [theirs, ..] = self.last;
        theirs
    }

    /// Our last move.
    pub fn ours(&self) -> Option<PlayedMove> {
        let [_, ours, ..] = self.last;
        ours
    }

    /// Our last move but one.
    pub fn ours_before(&self) -> Option<PlayedMove> {
        let [.., before] = self.last;
        before
    }

    /// Whether their last move took back their last but one.
    pub fn they_went_back(&self) -> bool {
        let [last, _, before, _] = self.last;
        matches!((last, before), (Some(last), Some(before)) if last.undoes(&before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, PlyKind};
    use crate::model::board::Board;

    fn after(plies: &[(Square, Square)]) -> MoveHistory {
        let mut board = Board::new(&ChessPosition::standard()).expect("chess");
        let mut history = MoveHistory::default();
        for (from, to) in plies.iter().copied() {
            let promotion = None;
            let ply = PlyKind::Move {
                from,
                to,
                promotion,
            };
            let m = board.move_of_ply(ply).expect("a move");
            let changes = board.play(m);
            history.push(m, &changes);
        }
        history
    }

    #[test]
    fn moves_are_seen_from_the_side_to_move() {
        use Square::{C6, D4, D5, D7, E2, E4, G1};
        let history = after(&[(E2, E4), (D7, D5), (E4, D5)]);
        let theirs = history.theirs().expect("a move");
        assert_eq!(
            (theirs.role, theirs.from, theirs.to),
            (Role::Pawn, Square::E5, D4)
        );
        assert_eq!(theirs.captured, Some(Role::Pawn));
        assert_eq!(
            history.ours().map(|m| (m.from, m.to)),
            Some((Square::D2, D4))
        );
        assert_eq!(history.ours_before(), None);
        assert!(after(&[(G1, Square::F3), (Square::B8, C6), (Square::F3, G1)]).they_went_back());
        assert!(!history.they_went_back());
    }
}
