//! The IDs of equal pieces (`docs/xiangqi.md`, "Identity").

use super::error::{CodeError, XiangqiEncodeError};
use super::places::{PIECES, PieceSquares, homes, ids, pieces, places};
use super::{Point, XiangqiPiece, XiangqiPosition, XiangqiSide};

/// The place of each of the 32 pieces, by ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PiecePlaces(pub(super) [PieceSquares; PIECES]);

impl PiecePlaces {
    /// No piece on the board.
    pub(super) fn none() -> Self {
        PiecePlaces([None; PIECES])
    }

    /// Assigns IDs to the pieces of a position.
    pub(super) fn of(position: &XiangqiPosition) -> Result<Self, XiangqiEncodeError> {
        let mut identified = Self::none();
        for piece in XiangqiPiece::all() {
            let points: Vec<Point> = position.points_of(piece).collect();
            if points.len() > piece.kind.count() {
                return Err(XiangqiEncodeError::TooMany { piece });
            }
            identified.assign_ids(piece, points)?;
        }
        Ok(identified)
    }

    /// Assigns IDs to equal pieces on these points, at most as many as there
    /// are IDs: first to those on their homes, then to the others in order,
    /// after the captured ones.
    fn assign_ids(
        &mut self,
        piece: XiangqiPiece,
        mut points: Vec<Point>,
    ) -> Result<(), XiangqiEncodeError> {
        let lists = places().get(ids(piece)).unwrap_or_default();
        let slots = self.0.get_mut(ids(piece)).unwrap_or_default();
        let mut free = Vec::new();
        for (slot, list) in slots.iter_mut().zip(lists) {
            let homes: Vec<Point> = homes(piece.kind, list).collect();
            let mut at_home = points.extract_if(.., |point| homes.contains(point));
            *slot = at_home.next();
            if at_home.next().is_some() {
                return Err(XiangqiEncodeError::TwoSoldiersOnFile { piece });
            }
            if slot.is_none() {
                free.push(slot);
            }
        }
        let captured = free.len().saturating_sub(points.len());
        for (slot, point) in free.into_iter().skip(captured).zip(points) {
            *slot = Some(point);
        }
        Ok(())
    }

    /// The position with the pieces on their places.
    pub(super) fn position(&self, turn: XiangqiSide) -> Result<XiangqiPosition, CodeError> {
        let mut position = XiangqiPosition::empty(turn);
        for (piece, place) in pieces().zip(self.0) {
            let Some(point) = place else { continue };
            if position.at(point).is_some() {
                return Err(CodeError::TwoOnPoint { point });
            }
            position.put(point, Some(piece));
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::position;
    use super::*;

    /// The places of a piece's IDs, × for captured.
    fn identified(fen: &str, letter: char) -> Result<String, XiangqiEncodeError> {
        let piece = XiangqiPiece::from_letter(letter).expect("a piece");
        let identified = PiecePlaces::of(&position(fen))?;
        let texts = identified.0[ids(piece)].iter().map(|place| match place {
            Some(point) => point.to_string(),
            None => "×".to_owned(),
        });
        Ok(texts.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn pieces_at_home_keep_their_id_and_captured_ones_come_first() {
        for (fen, letter, expected) in [
            ("9/9/9/9/9/9/9/9/9/3A1A3", 'A', "f1 d1"),
            ("9/9/9/9/9/9/9/9/9/3A5", 'A', "× d1"),
            ("9/9/9/9/9/9/9/9/9/5A3", 'A', "f1 ×"),
            ("9/9/9/9/9/9/9/9/4A4/9", 'A', "× e2"),
            ("9/9/9/9/9/9/9/9/4A4/3A5", 'A', "e2 d1"),
            ("9/9/9/9/9/9/9/5A3/4A4/9", 'A', "f3 e2"),
            ("2b6/9/9/9/2b6/9/9/9/9/9", 'b', "c10 c6"),
            ("9/9/9/9/9/9/9/9/9/N7N", 'N', "a1 i1"),
            ("9/9/9/9/9/9/P8/9/9/9", 'P', "× × × × a4"),
            ("9/9/9/9/9/P8/9/9/9/9", 'P', "× × × × a5"),
            ("9/9/9/P8/9/9/8P/9/9/9", 'P', "i4 × × × a7"),
            ("9/9/9/P7P/9/8P/9/9/9/9", 'P', "i5 × × a7 i7"),
            ("9/9/9/p8/9/9/p8/9/9/9", 'p', "a7 × × × a4"),
        ] {
            assert_eq!(identified(fen, letter).as_deref(), Ok(expected), "{fen}");
        }
    }

    #[test]
    fn what_the_ids_do_not_provide_for_is_refused() {
        let piece = |letter| XiangqiPiece::from_letter(letter).expect("a piece");
        for (fen, letter, error) in [
            (
                "9/9/9/9/9/8P/8P/9/9/9",
                'P',
                XiangqiEncodeError::TwoSoldiersOnFile { piece: piece('P') },
            ),
            (
                "rrr6/9/9/9/9/9/9/9/9/9",
                'r',
                XiangqiEncodeError::TooMany { piece: piece('r') },
            ),
        ] {
            assert_eq!(identified(fen, letter), Err(error));
        }
    }
}
