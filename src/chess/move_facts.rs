//! Facts of a move that conditions on moves ask for, and such a condition as SAN.

use shakmaty::{CastlingSide, Move, Position as _, Role, Square};

use super::san_text::{Body, PieceMove};
use super::{ChessPosition, PlyKind, SanText};

/// What a move does: a piece moves from one square to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveFacts {
    /// The piece that moves; for castling, the king.
    pub role: Role,
    /// Its origin.
    pub from: Square,
    /// Its target; for castling, that of the king.
    pub to: Square,
    /// The piece that is captured, and its square.
    pub captured: Option<(Role, Square)>,
    /// The role that a pawn promotes to.
    pub promotion: Option<Role>,
    /// The side to which a king castles.
    pub castling: Option<CastlingSide>,
}

impl ChessPosition {
    /// What a legal ply does; `None` for a null move and a drop.
    pub fn move_facts(&self, ply: PlyKind) -> Option<MoveFacts> {
        let m = self.candidate_move(ply)?;
        let captured = match m {
            Move::EnPassant { from, to } => {
                Some((Role::Pawn, Square::from_coords(to.file(), from.rank())))
            }
            _ => m.capture().map(|role| (role, m.to())),
        };
        Some(MoveFacts {
            role: m.role(),
            from: m.from()?,
            to: match m.castling_side() {
                Some(side) => side.king_to(self.0.turn()),
                None => m.to(),
            },
            captured,
            promotion: m.promotion(),
            castling: m.castling_side(),
        })
    }
}

impl ChessPosition {
    /// To which side a legal ply castles.
    pub fn castling_of(&self, ply: PlyKind) -> Option<CastlingSide> {
        let PlyKind::Move { from, .. } = ply else {
            return None;
        };
        let is_of_king = self.0.board().kings().contains(from);
        is_of_king.then(|| self.move_facts(ply)?.castling).flatten()
    }
}

/// A condition on a move, written as SAN: `Nbd7`, `e8=Q`, `O-O`.
///
/// The piece, its target and the castling side must be those of the move; the file or rank of the
/// origin and the piece of a promotion only if they are written. `x`, `+` and `#` say nothing, so
/// that `Ne5` is also `Nxe5`, and `c3` also `bxc3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SanPattern(SanForm);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SanForm {
    Castling(CastlingSide),
    Piece(PieceMove),
}

impl SanPattern {
    /// Parses a move. Null moves and drops are none.
    pub fn parse(text: &str) -> Option<SanPattern> {
        match SanText::parse(text.as_bytes())?.body {
            Body::Castle { king_side, .. } => Some(SanPattern(SanForm::Castling(
                CastlingSide::from_king_side(king_side),
            ))),
            Body::Piece(piece) => Some(SanPattern(SanForm::Piece(piece))),
            Body::Null { .. } | Body::Drop { .. } => None,
        }
    }

    /// Whether a move is so written.
    pub fn is_of(&self, facts: &MoveFacts) -> bool {
        match self.0 {
            SanForm::Castling(side) => facts.castling == Some(side),
            SanForm::Piece(piece) => {
                facts.castling.is_none()
                    && piece.role == facts.role
                    && piece.to == facts.to
                    && piece.file.is_none_or(|file| file == facts.from.file())
                    && piece.rank.is_none_or(|rank| rank == facts.from.rank())
                    && (piece.promotion.is_none() || piece.promotion == facts.promotion)
            }
        }
    }

    /// The move of the other side: ranks are mirrored.
    #[must_use]
    pub fn flipped(&self) -> SanPattern {
        SanPattern(match self.0 {
            SanForm::Piece(piece) => SanForm::Piece(PieceMove {
                to: piece.to.flip_vertical(),
                rank: piece.rank.map(shakmaty::Rank::flip_vertical),
                ..piece
            }),
            castling @ SanForm::Castling(_) => castling,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Rules;

    /// The moves of a position that a pattern describes, in SAN.
    fn found(fen: &str, pattern: &str) -> String {
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).unwrap();
        let pattern = SanPattern::parse(pattern).unwrap();
        let mut found = Vec::new();
        for ply in position.legal_plies() {
            if pattern.is_of(&position.move_facts(ply).unwrap()) {
                let mut san = Vec::new();
                let spelling = crate::chess::Spelling::STANDARD;
                position.clone().write(ply, spelling, &mut san).unwrap();
                found.push(String::from_utf8(san).unwrap());
            }
        }
        found.sort();
        found.join(" ")
    }

    #[test]
    fn moves_are_found_by_their_text() {
        let fen = "r3k3/1P5p/8/3pP3/2n5/1N3N2/8/R3K2R w KQq d6 0 1";
        for (pattern, expected) in [
            ("Nd4", "Nbd4 Nfd4"),
            ("Nbd4", "Nbd4"),
            ("N3d4", "Nbd4 Nfd4"),
            ("O-O", "O-O"),
            ("O-O-O+", "O-O-O"),
            ("b8=Q+", "b8=Q+"),
            ("b8", "b8=B b8=N b8=Q+ b8=R+"),
            ("bxa8=N", "bxa8=N"),
            ("a8=Q", "bxa8=Q+"),
            ("d6", "exd6"),
            ("cxd6", ""),
            ("Rxa8", "Rxa8+"),
            ("Kg1", ""),
            ("Kf1", "Kf1"),
        ] {
            assert_eq!(found(fen, pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn captures_name_the_square_of_the_captured_piece() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).unwrap();
        let captures: Vec<_> = position
            .legal_plies()
            .into_iter()
            .filter_map(|ply| position.move_facts(ply)?.captured)
            .collect();
        assert_eq!(captures, [(Role::Pawn, Square::D5)]);
        assert_eq!(position.move_facts(PlyKind::Null), None);
    }

    #[test]
    fn castling_of_chess960_moves_the_king() {
        let position = ChessPosition::from_fen(b"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", Rules::CHESS960);
        let castling = PlyKind::Move {
            from: Square::F1,
            to: Square::G1,
            promotion: None,
        };
        let facts = position.unwrap().move_facts(castling).unwrap();
        assert_eq!(facts.castling, Some(CastlingSide::KingSide));
        assert_eq!((facts.from, facts.to), (Square::F1, Square::G1));
        assert_eq!(facts.captured, None);
    }

    #[test]
    fn flipped_patterns_are_of_the_other_side() {
        for (pattern, other) in [("N3d4", "N6d5"), ("O-O", "O-O"), ("exd6", "exd3")] {
            let parse = |text| SanPattern::parse(text).unwrap();
            let flipped = parse(pattern).flipped();
            let squares = |pattern: SanPattern| match pattern.0 {
                SanForm::Piece(piece) => (Some((piece.to, piece.rank, piece.file)), None),
                SanForm::Castling(side) => (None, Some(side)),
            };
            assert_eq!(squares(flipped), squares(parse(other)), "{pattern}");
        }
        for text in ["--", "N@f3", "", "Nx", "e9"] {
            assert_eq!(SanPattern::parse(text), None, "{text}");
        }
    }
}
