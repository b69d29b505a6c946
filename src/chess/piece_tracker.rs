//! The square of each piece throughout a game.

use shakmaty::{Color, File, Role, Square, attacks};

use super::{IdentifiedPiece, NoPieceIds, PieceId, PlyKind, Variant};

/// The square and role of each piece, updated ply by ply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceTracker {
    pieces: [Option<(Square, Role)>; PieceId::COUNT as usize],
    board: [Option<PieceId>; 64],
}

impl PieceTracker {
    /// The maximum number of promoted pieces in a start position.
    pub const MAX_PROMOTED: usize = 15;

    /// The order in which roles are assigned IDs.
    const ORDER: [Role; 6] = [
        Role::Pawn,
        Role::King,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];

    /// An empty board.
    pub fn empty() -> Self {
        PieceTracker {
            pieces: [None; PieceId::COUNT as usize],
            board: [None; 64],
        }
    }

    /// The pieces of the standard start position.
    pub fn standard() -> Self {
        let mut tracker = Self::empty();
        for id in PieceId::all() {
            tracker.put(IdentifiedPiece {
                id,
                square: id.start_square(),
                role: id.role(),
            });
        }
        tracker
    }

    /// Assigns IDs to the pieces of a position, which are given in square
    /// order. Roles are assigned one by one. Officers in excess, in the order
    /// N, B, R, Q, get the IDs of missing pawns.
    pub fn assign(
        pieces: impl IntoIterator<Item = (Square, Color, Role)>,
    ) -> Result<Self, NoPieceIds> {
        let mut tracker = Self::empty();
        let pieces: Vec<_> = pieces.into_iter().collect();
        for side in Color::ALL {
            let squares_of = |role| {
                let of_kind = pieces.iter().filter(move |p| (p.1, p.2) == (side, role));
                of_kind.map(|(square, ..)| *square)
            };
            if squares_of(Role::King).count() != 1 {
                return Err(NoPieceIds::Kings);
            }
            for role in Self::ORDER {
                tracker.assign_kind(side, role, squares_of(role))?;
            }
        }
        if tracker.promoted().count() > Self::MAX_PROMOTED {
            return Err(NoPieceIds::Promoted);
        }
        Ok(tracker)
    }

    fn assign_kind(
        &mut self,
        side: Color,
        role: Role,
        squares: impl Iterator<Item = Square>,
    ) -> Result<(), NoPieceIds> {
        let is_free = |id: &PieceId| self.get(*id).is_none();
        let own = PieceId::of(side, role);
        let missing_pawns = PieceId::of(side, Role::Pawn).filter(is_free);
        let ids: Vec<_> = match role {
            Role::Pawn | Role::King => own.collect(),
            _ => own.chain(missing_pawns).collect(),
        };
        let mut ids = ids.into_iter();
        for square in squares {
            let id = ids.next().ok_or(NoPieceIds::NoFreeId)?;
            self.place(IdentifiedPiece { id, square, role })?;
        }
        Ok(())
    }

    /// Puts a piece that is not on the board on a free square.
    pub fn place(&mut self, piece: IdentifiedPiece) -> Result<(), NoPieceIds> {
        if self.at(piece.square).is_some() {
            return Err(NoPieceIds::Occupied(piece.square));
        }
        self.put(piece);
        Ok(())
    }

    /// The ID of the piece on a square.
    pub fn at(&self, square: Square) -> Option<PieceId> {
        *self.board.get(usize::from(square))?
    }

    /// The piece with this ID; `None` if it was captured or never existed.
    pub fn get(&self, id: PieceId) -> Option<IdentifiedPiece> {
        let (square, role) = (*self.pieces.get(usize::from(id.0))?)?;
        Some(IdentifiedPiece { id, square, role })
    }

    /// The pieces on the board, by ascending ID.
    pub fn pieces(&self) -> impl Iterator<Item = IdentifiedPiece> {
        PieceId::all().filter_map(|id| self.get(id))
    }

    /// The promoted pawns, by ascending ID.
    pub fn promoted(&self) -> impl Iterator<Item = IdentifiedPiece> {
        self.pieces().filter(|piece| piece.is_promoted())
    }

    /// Plays a legal ply. Side effects follow by rule: a king that moves two
    /// files or onto its own rook castles; a pawn that changes file onto an
    /// empty square captures the pawn beside it; a capture in Atomic explodes.
    /// After a drop or an illegal ply, the state is unspecified.
    pub fn play(&mut self, ply: PlyKind, variant: Variant) {
        let PlyKind::Move {
            from,
            to,
            promotion,
        } = ply
        else {
            return;
        };
        let Some(piece) = self.at(from).and_then(|id| self.get(id)) else {
            return;
        };
        if piece.role == Role::King && self.is_castling(piece, to) {
            return self.castle(piece, to);
        }
        let mut captured = self.remove(to);
        if piece.role == Role::Pawn && from.file() != to.file() && captured.is_none() {
            captured = self.remove(Square::from_coords(to.file(), from.rank()));
        }
        self.step(piece, to, promotion.unwrap_or(piece.role));
        if variant == Variant::Atomic && captured.is_some() {
            self.explode(to);
        }
    }

    /// Removes the capturing piece, and all adjacent pieces but pawns.
    fn explode(&mut self, at: Square) {
        self.remove(at);
        for square in attacks::king_attacks(at) {
            let piece = self.at(square).and_then(|id| self.get(id));
            if piece.is_some_and(|piece| piece.role != Role::Pawn) {
                self.remove(square);
            }
        }
    }

    fn is_castling(&self, king: IdentifiedPiece, to: Square) -> bool {
        let onto_own = self.at(to).is_some_and(|id| id.color() == king.id.color());
        let from = king.square;
        onto_own || from.rank() == to.rank() && from.file().distance(to.file()) == 2
    }

    fn castle(&mut self, king: IdentifiedPiece, to: Square) {
        let (corner, king_file, rook_file) = if to > king.square {
            (File::H, File::G, File::F)
        } else {
            (File::A, File::C, File::D)
        };
        let rank = to.rank();
        let corner = Square::from_coords(corner, rank);
        let rook = self.remove(if self.at(to).is_some() { to } else { corner });
        self.step(king, Square::from_coords(king_file, rank), Role::King);
        if let Some(rook) = rook {
            self.put(IdentifiedPiece {
                square: Square::from_coords(rook_file, rank),
                ..rook
            });
        }
    }

    fn step(&mut self, piece: IdentifiedPiece, square: Square, role: Role) {
        self.set_square(piece.square, None);
        self.put(IdentifiedPiece {
            square,
            role,
            ..piece
        });
    }

    fn remove(&mut self, square: Square) -> Option<IdentifiedPiece> {
        let piece = self.get(self.at(square)?)?;
        self.set_square(square, None);
        self.set_piece(piece.id, None);
        Some(piece)
    }

    fn put(&mut self, piece: IdentifiedPiece) {
        self.set_square(piece.square, Some(piece.id));
        self.set_piece(piece.id, Some((piece.square, piece.role)));
    }

    fn set_square(&mut self, square: Square, id: Option<PieceId>) {
        if let Some(slot) = self.board.get_mut(usize::from(square)) {
            *slot = id;
        }
    }

    fn set_piece(&mut self, id: PieceId, piece: Option<(Square, Role)>) {
        if let Some(slot) = self.pieces.get_mut(usize::from(id.0)) {
            *slot = piece;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};
    use proptest::prelude::*;
    use shakmaty::Board;

    fn assign(fen: &str) -> Result<PieceTracker, NoPieceIds> {
        let board = Board::from_ascii_board_fen(fen.as_bytes()).expect("a board");
        let pieces = board.into_iter();
        PieceTracker::assign(pieces.map(|(square, piece)| (square, piece.color, piece.role)))
    }

    fn ids(fen: &str) -> String {
        let named = |piece: IdentifiedPiece| format!("{} {}", piece.id.number(), piece.square);
        let tracker = assign(fen).expect("IDs");
        tracker.pieces().map(named).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_start_position_has_its_ids() {
        let tracker = PieceTracker::assign(ChessPosition::standard().pieces()).expect("IDs");
        assert_eq!(tracker, PieceTracker::standard());
        let square_of = |number| tracker.get(PieceId(number)).map(|piece| piece.square);
        for (number, square) in [
            (0, Square::A1),
            (4, Square::E1),
            (15, Square::H2),
            (16, Square::A8),
            (19, Square::D8),
            (31, Square::H7),
        ] {
            assert_eq!(square_of(number), Some(square));
        }
        assert_eq!(tracker.promoted().count(), 0);
    }

    #[test]
    fn officers_left_over_take_pawn_ids() {
        assert_eq!(
            ids("1r2k3/8/QN6/NQ6/1N1R4/8/P6P/RR2K3"),
            "0 a1, 1 b4, 3 b5, 4 e1, 6 a5, 7 b1, 8 a2, 9 h2, 10 b6, 11 d4, 12 a6, 16 b8, 20 e8"
        );
    }

    #[test]
    fn positions_without_ids_are_rejected() {
        for kings in ["8/8/8/8/8/8/8/K7", "k7/8/8/8/8/8/8/8", "k6k/8/8/8/8/8/8/K7"] {
            assert_eq!(assign(kings), Err(NoPieceIds::Kings));
        }
        let full = "qqqqqqqq/qqqqqqqk/8/8/8/8/8/K7";
        assert_eq!(assign(full), Err(NoPieceIds::NoFreeId));
        let nine = "k7/8/8/8/7P/8/PPPPPPPP/4K3";
        assert_eq!(assign(nine), Err(NoPieceIds::NoFreeId));
        let sixteen = "qqqqqqqq/qnnbbrkr/8/8/8/8/QNNBBRKR/QQQQQQQQ";
        let fifteen = "qqqqqqqq/qnnbbrkr/8/8/8/8/QNNBBRKR/QQQQQQQ1";
        assert_eq!(assign(sixteen), Err(NoPieceIds::Promoted));
        let tracker = assign(fifteen).expect("IDs");
        assert_eq!(tracker.promoted().count(), PieceTracker::MAX_PROMOTED);
    }

    #[test]
    fn a_square_holds_one_piece() {
        let mut tracker = PieceTracker::empty();
        let mut piece = IdentifiedPiece {
            id: PieceId(4),
            square: Square::A1,
            role: Role::King,
        };
        assert_eq!(tracker.place(piece), Ok(()));
        piece.id = PieceId(5);
        assert_eq!(tracker.place(piece), Err(NoPieceIds::Occupied(Square::A1)));
        assert_eq!(tracker.at(Square::A1), Some(PieceId(4)));
    }

    /// Start positions from which random play includes castling (also as in
    /// Chess960), promotions, en passant and explosions.
    const STARTS: [(&str, &str); 6] = [
        (
            "chess",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "chess",
            "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
        ),
        (
            "chess",
            "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w KQkq d6 0 1",
        ),
        ("chess960", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 0 1"),
        (
            "atomic",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "atomic",
            "r3k2r/1P4P1/nb6/p1pPpPp1/P1PpPpP1/5BN1/1p4p1/R3K2R w KQkq - 0 1",
        ),
    ];

    proptest! {
        #[test]
        fn pieces_are_followed(start in 0..STARTS.len(), picks in prop::collection::vec(any::<usize>(), 0..120)) {
            let (name, fen) = STARTS[start];
            let rules = Rules::by_name(name.as_bytes()).expect("rules");
            let mut position = ChessPosition::from_fen(fen.as_bytes(), rules).expect("a position");
            let mut tracker = PieceTracker::assign(position.pieces()).expect("IDs");
            for pick in picks {
                let plies = position.legal_plies();
                let Some(ply) = plies.get(pick % plies.len().max(1)) else {
                    break;
                };
                tracker.play(*ply, rules.variant);
                position.make(*ply).expect("a legal ply");
                let mut pieces: Vec<_> = tracker
                    .pieces()
                    .map(|piece| (piece.square, piece.id.color(), piece.role))
                    .collect();
                pieces.sort_by_key(|(square, ..)| *square);
                prop_assert!(pieces.into_iter().eq(position.pieces()));
                prop_assert!(tracker.pieces().all(|piece| tracker.at(piece.square) == Some(piece.id)));
            }
        }
    }
}
