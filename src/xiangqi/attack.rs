//! Attacks on generals.

use super::{Point, XiangqiPiece, XiangqiPieceKind, XiangqiPosition, XiangqiSide};

impl XiangqiPosition {
    /// Whether a general of a side is attacked: a piece of the other side could
    /// capture it, or it faces the other general on an open file. A side
    /// without a general is never attacked.
    pub fn is_attacked(&self, side: XiangqiSide) -> bool {
        let general = XiangqiPiece {
            side,
            kind: XiangqiPieceKind::General,
        };
        let generals: Vec<Point> = self.points_of(general).collect();
        let hits = |from, piece: XiangqiPiece, general| {
            piece.side != side
                && is_in_range(piece.kind, from, general)
                && self.targets(from, piece).contains(&general)
        };
        generals.iter().any(|general| {
            self.faces(*general, side)
                || self
                    .pieces()
                    .any(|(from, piece)| hits(from, piece, *general))
        })
    }

    /// Whether the next piece on the file of a general, in either direction, is
    /// the general of the other side.
    fn faces(&self, from: Point, side: XiangqiSide) -> bool {
        let other = XiangqiPiece {
            side: side.other(),
            kind: XiangqiPieceKind::General,
        };
        let is_other = |step| {
            let first = self.line(from, step).first;
            first.and_then(|point| self.at(point)) == Some(other)
        };
        is_other((0, -1)) || is_other((0, 1))
    }
}

/// Whether a piece could reach a point on an otherwise empty board. This cheap
/// test excludes most pieces.
fn is_in_range(kind: XiangqiPieceKind, from: Point, to: Point) -> bool {
    let files = from.file().abs_diff(to.file());
    let rows = from.row().abs_diff(to.row());
    match kind {
        XiangqiPieceKind::Chariot | XiangqiPieceKind::Cannon => files == 0 || rows == 0,
        _ => files <= 2 && rows <= 2,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::position;
    use super::*;

    #[test]
    fn generals_are_attacked_by_pieces_and_by_each_other() {
        for (fen, red, black) in [
            ("4k4/9/9/9/9/9/9/9/9/4K4", true, true),
            ("4k4/9/9/9/4p4/9/9/9/9/4K4", false, false),
            ("3k5/9/9/9/9/9/9/9/9/4K4", false, false),
            ("3k5/9/9/9/9/9/9/9/9/4K3r", true, false),
            ("3k5/9/9/9/9/9/9/9/9/4KA2r", false, false),
            ("3k5/9/9/9/9/9/9/9/9/4KA2c", true, false),
            ("3k5/9/9/9/9/9/9/9/9/4K3c", false, false),
            // The leg of a horse is next to the horse, not to the general.
            ("3k5/9/9/9/9/9/9/3n5/9/4K4", true, false),
            ("3k5/9/9/9/9/9/9/3n5/3A5/4K4", false, false),
            ("3k5/3P5/9/9/9/9/9/9/9/4K4", false, true),
            ("3k5/9/9/9/9/9/9/9/9/9", false, false),
            ("9/9/9/9/9/9/9/9/9/9", false, false),
        ] {
            let position = position(fen);
            let attacked = XiangqiSide::BOTH.map(|side| position.is_attacked(side));
            assert_eq!(attacked, [red, black], "{fen}");
        }
    }
}
