//! A board that plays moves of an index without checking their legality.

use super::line::PackedPly;
use crate::chess::{ChessPosition, Piece, Role, Skeleton, Square, officer_of, side_of};

/// The pieces of a position, and its skeleton.
///
/// When the opening tree of an archive was traversed with full rules checks, these took 90%
/// of the time.
#[derive(Debug, Clone)]
pub(super) struct UncheckedBoard {
    pieces: [Option<Piece>; 64],
    skeleton: Skeleton,
}

impl UncheckedBoard {
    /// The start position.
    pub(super) fn standard() -> UncheckedBoard {
        let start = ChessPosition::standard();
        UncheckedBoard {
            pieces: start.setup().pieces,
            skeleton: start.skeleton(),
        }
    }

    pub(super) fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces.get(usize::from(square)).copied().flatten()
    }

    pub(super) fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The board after a move.
    pub(super) fn after(&self, ply: PackedPly) -> UncheckedBoard {
        let mut board = self.clone();
        board.play(ply);
        board
    }

    /// Plays a legal move. An illegal move leads to an unspecified board.
    pub(super) fn play(&mut self, ply: PackedPly) {
        let (from, to, promotion) = ply.parts();
        let Some(piece) = self.take(from) else {
            return;
        };
        let captured = self.take(to);
        let files = to.file() as i32 - from.file() as i32;
        if piece.role == Role::Pawn && files != 0 && captured.is_none() {
            self.take(Square::from_coords(to.file(), from.rank()));
        }
        if piece.role == Role::King && files.abs() == 2 {
            let corner = if files > 0 { Square::H1 } else { Square::A1 };
            let rook = self.take(Square::from_coords(corner.file(), from.rank()));
            let beside = (u32::from(from) + u32::from(to)) / 2;
            self.put(Square::new(beside), rook);
        }
        if piece.role == Role::King {
            // The king clears the rights of its own side only: it may be on the other
            // side's first rank.
            let rank = 0xff << (56 * side_of(piece.color));
            self.skeleton.castling_rooks &= !rank;
        }
        let role = promotion.unwrap_or(piece.role);
        self.put(to, Some(Piece { role, ..piece }));
        self.skeleton.castling_rooks &= !(1 << u32::from(from) | 1 << u32::from(to));
    }

    fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.pieces.get_mut(usize::from(square))?.take()?;
        self.count(square, piece, u8::wrapping_sub);
        Some(piece)
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        if let (Some(piece), Some(at)) = (piece, self.pieces.get_mut(usize::from(square))) {
            *at = Some(piece);
            self.count(square, piece, u8::wrapping_add);
        }
    }

    /// Updates the skeleton for a piece that is added or removed.
    fn count(&mut self, square: Square, piece: Piece, change: fn(u8, u8) -> u8) {
        let side = side_of(piece.color);
        if piece.role == Role::Pawn
            && let Some(pawns) = self.skeleton.pawns.get_mut(side)
        {
            *pawns ^= 1 << u32::from(square);
        } else if let Some(officer) = officer_of(piece.role, square)
            && let Some(officers) = self.skeleton.officers.get_mut(side)
            && let Some(count) = officers.get_mut(officer)
        {
            *count = change(*count, 1);
        }
    }
}

/// The pawns of a skeleton on their start squares, one bit each: White's from the a-file in
/// the low byte, then Black's.
pub fn home_pawns(skeleton: &Skeleton) -> u16 {
    let [white, black] = skeleton.pawns.map(u64::to_le_bytes);
    let ([_, of_white, ..], [.., of_black, _]) = (white, black);
    u16::from_le_bytes([of_white, of_black])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{PlyKind, Rules, SanText};

    /// The moves contain castling on both sides, captures en passant, and promotions that
    /// capture a rook with its castling right.
    const GAME: &str = "e4 d5 exd5 c5 dxc6 e5 cxb7 Nc6 bxa8=N e4 d4 exd3 Nf3 Bd6 Bxd3 Nge7 O-O Bxh2+ \
                        Nxh2 O-O g4 f5 g5 h6 gxh6 f4 hxg7 f3 gxf8=Q+ Kxf8 Bf4 Kg8 b4 a5";

    /// White's king leaves Black's first rank while Black may still castle.
    const KING_ON_G8: &str = "e4 h5 Ke2 Rh6 Ke3 Ra6 b3 g5 a3 g4 h3 Bg7 Kf4 Bc3 dxc3 Nf6 Kg5 Nd5 a4 \
                              Nb6 Kh6 c6 Kg7 c5 Kg8 d6 Kg7 d5";

    #[test]
    fn skeletons_are_those_of_the_rules() {
        for game in [GAME, KING_ON_G8] {
            let mut position = ChessPosition::start(Rules::CHESS);
            let mut board = UncheckedBoard::standard();
            for san in game.split_whitespace() {
                let text = SanText::parse(san.as_bytes()).unwrap();
                let (ply, _) = position.play_text(&text).expect(san);
                board.play(PackedPly::from_ply(ply).unwrap());
                assert_eq!(board.skeleton(), &position.skeleton(), "{san}");
                assert_eq!(board.pieces, position.setup().pieces, "{san}");
            }
        }
    }

    #[test]
    fn a_move_of_nothing_changes_nothing() {
        let mut board = UncheckedBoard::standard();
        let null = PackedPly::from_ply(PlyKind::Move {
            from: Square::D5,
            to: Square::E6,
            promotion: None,
        });
        let before = board.skeleton;
        board.play(null.unwrap());
        assert_eq!(board.skeleton, before);
    }

    #[test]
    fn pawns_at_home_are_counted_from_the_a_file() {
        let mut skeleton = ChessPosition::standard().skeleton();
        assert_eq!(home_pawns(&skeleton), 0xffff);
        skeleton.pawns = [1 << 8 | 1 << 18, 1 << 55];
        assert_eq!(home_pawns(&skeleton), 0x8001);
    }
}
