//! The position from the view of the side to move.

use crate::chess::{
    Bitboard, ChessPosition, Color, File, PlyKind, Rank, Role, Square, Variant, attacks,
};

use super::hash::mix;
use super::table::{MaskedTable, table};

/// The owner of a piece, relative to the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewSide {
    /// The side to move.
    Us,
    /// The other side.
    Them,
}

/// A piece on its square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedPiece {
    /// Its owner.
    pub side: ViewSide,
    /// Its role.
    pub role: Role,
    /// Its square.
    pub square: Square,
}

impl PlacedPiece {
    /// The same piece from the view of the other side.
    pub fn flipped(self) -> Self {
        PlacedPiece {
            side: match self.side {
                ViewSide::Us => ViewSide::Them,
                ViewSide::Them => ViewSide::Us,
            },
            square: self.square.flip_vertical(),
            ..self
        }
    }
}

/// A move of the side to move. Castling is coded as the king's move onto its rook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The role of the moving piece.
    pub role: Role,
    /// Its origin.
    pub from: Square,
    /// Its target; for castling the square of the rook.
    pub to: Square,
    /// The role that a pawn promotes to on the last rank.
    pub promotion: Option<Role>,
}

/// The pieces that a move removes and adds, from the view of the side that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changes {
    /// The moving piece on its origin, and the captured piece if there is one. In
    /// castling, the king and the rook on their origins.
    pub removed: [Option<PlacedPiece>; 2],
    /// The moving piece on its target, after promotion. In castling, the king and the
    /// rook on their targets.
    pub added: [Option<PlacedPiece>; 2],
}

/// A chess position. The side to move is always *us* and moves up the board: if Black is
/// to move, ranks are counted from Black's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    by_role: MaskedTable<Bitboard, 8>,
    us: Bitboard,
    them: Bitboard,
    roles: MaskedTable<Option<Role>, 64>,
    king: Square,
    their_king: Square,
    /// The rooks of both sides that may castle.
    castling: Bitboard,
    /// The square that a pawn has just passed over with a double step.
    ep_square: Option<Square>,
    turn: Color,
    chess960: bool,
    /// The hash of the pieces from our view, and from theirs.
    hashes: [u64; 2],
}

impl Board {
    /// Creates the board of a position. Returns `None` if its variant is not standard
    /// chess or Chess960, or if a king is missing.
    pub fn new(position: &ChessPosition) -> Option<Self> {
        let rules = position.rules();
        if rules.variant != Variant::Chess {
            return None;
        }
        let (turn, rest) = (position.turn(), position.setup_rest());
        let mut board = Board {
            by_role: MaskedTable::default(),
            us: Bitboard::EMPTY,
            them: Bitboard::EMPTY,
            roles: MaskedTable([None; 64]),
            king: Square::A1,
            their_king: Square::A1,
            castling: Bitboard(rest.castling_rooks),
            ep_square: rest.ep_square,
            turn,
            chess960: rules.chess960,
            hashes: [0; 2],
        };
        if turn.is_black() {
            board.castling = board.castling.flip_vertical();
            board.ep_square = board.ep_square.map(Square::flip_vertical);
        }
        for (square, color, role) in position.pieces() {
            let side = if color == turn {
                ViewSide::Us
            } else {
                ViewSide::Them
            };
            let square = board.to_view(square);
            board.put(PlacedPiece { side, role, square });
        }
        board.king = board.ours(Role::King).first()?;
        board.their_king = board.theirs(Role::King).first()?;
        Some(board)
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Our pieces.
    pub fn us(&self) -> Bitboard {
        self.us
    }

    /// Their pieces.
    pub fn them(&self) -> Bitboard {
        self.them
    }

    /// All pieces.
    pub fn occupied(&self) -> Bitboard {
        self.us | self.them
    }

    /// The pieces of a role, of either side.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.by_role[role as usize]
    }

    /// Our pieces of a role.
    #[inline]
    pub fn ours(&self, role: Role) -> Bitboard {
        self.by_role(role) & self.us
    }

    /// Their pieces of a role.
    #[inline]
    pub fn theirs(&self, role: Role) -> Bitboard {
        self.by_role(role) & self.them
    }

    /// The role of the piece on a square, of either side.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.roles[square as usize]
    }

    /// The square of our king.
    pub fn king(&self) -> Square {
        self.king
    }

    /// The square of their king.
    pub fn their_king(&self) -> Square {
        self.their_king
    }

    /// Our rooks that may castle.
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling & self.us
    }

    /// Their rooks that may castle.
    pub fn their_castling_rooks(&self) -> Bitboard {
        self.castling & self.them
    }

    /// The square that one of their pawns has just passed over with a double step.
    pub fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// The hash of the pieces, from the view of the side to move.
    pub fn hash(&self) -> u64 {
        let [ours, _] = self.hashes;
        ours
    }

    /// All pieces on the board.
    pub fn pieces(&self) -> impl Iterator<Item = PlacedPiece> + '_ {
        self.occupied().into_iter().filter_map(|square| {
            let side = if self.us.contains(square) {
                ViewSide::Us
            } else {
                ViewSide::Them
            };
            let role = self.role_at(square)?;
            Some(PlacedPiece { side, role, square })
        })
    }

    /// The squares of the king and the rook after they castle.
    pub(super) fn castled_squares(&self, rook: Square) -> (Square, Square) {
        let (king_file, rook_file) = if rook > self.king {
            (File::G, File::F)
        } else {
            (File::C, File::D)
        };
        let on_first = |file| Square::from_coords(file, Rank::First);
        (on_first(king_file), on_first(rook_file))
    }

    /// The square of the captured pawn if the move is an en passant capture.
    #[inline(always)]
    pub(super) fn ep_captured(&self, m: Move) -> Option<Square> {
        let is_ep = m.role == Role::Pawn && Some(m.to) == self.ep_square;
        (is_ep && m.from.file() != m.to.file()).then(|| m.to.xor(Square::A2))
    }

    /// Plays a legal move. The other side becomes *us*.
    #[inline(always)]
    pub fn play(&mut self, m: Move) -> Changes {
        let changes = self.changes(m);
        for piece in changes.removed.into_iter().flatten() {
            self.remove(piece);
        }
        for piece in changes.added.into_iter().flatten() {
            self.put(piece);
            if piece.role == Role::King {
                self.king = piece.square;
                self.castling &= !Bitboard::from_rank(Rank::First);
            }
        }
        self.castling = self.castling.without(m.from).without(m.to);
        let is_double = m.role == Role::Pawn && m.from.rank().distance(m.to.rank()) == 2;
        self.ep_square = is_double.then(|| m.from.xor(Square::A4));
        self.flip();
        changes
    }

    /// Plays a null move.
    pub fn pass(&mut self) {
        self.ep_square = None;
        self.flip();
    }

    #[inline(always)]
    fn changes(&self, m: Move) -> Changes {
        let us = |role, square| {
            let side = ViewSide::Us;
            Some(PlacedPiece { side, role, square })
        };
        if m.role == Role::King && self.us.contains(m.to) {
            let (king, rook) = self.castled_squares(m.to);
            return Changes {
                removed: [us(Role::King, m.from), us(Role::Rook, m.to)],
                added: [us(Role::King, king), us(Role::Rook, rook)],
            };
        }
        let square = self.ep_captured(m).unwrap_or(m.to);
        let captured = self.role_at(square).map(|role| PlacedPiece {
            side: ViewSide::Them,
            role,
            square,
        });
        Changes {
            removed: [us(m.role, m.from), captured],
            added: [us(m.promotion.unwrap_or(m.role), m.to), None],
        }
    }

    #[inline(always)]
    fn put(&mut self, piece: PlacedPiece) {
        self.toggle(piece);
        self.roles[piece.square as usize] = Some(piece.role);
    }

    #[inline(always)]
    fn remove(&mut self, piece: PlacedPiece) {
        self.toggle(piece);
        self.roles[piece.square as usize] = None;
    }

    #[inline(always)]
    fn toggle(&mut self, piece: PlacedPiece) {
        let square = Bitboard::from_square(piece.square);
        self.by_role[piece.role as usize] ^= square;
        match piece.side {
            ViewSide::Us => self.us ^= square,
            ViewSide::Them => self.them ^= square,
        }
        let [ours, theirs] = &mut self.hashes;
        *ours ^= key(piece);
        *theirs ^= key(piece.flipped());
    }

    /// Exchanges the sides and flips the ranks.
    #[inline(always)]
    fn flip(&mut self) {
        for pieces in &mut self.by_role.0 {
            *pieces = pieces.flip_vertical();
        }
        (self.us, self.them) = (self.them.flip_vertical(), self.us.flip_vertical());
        let (ranks, _) = self.roles.0.as_chunks_mut::<8>();
        ranks.reverse();
        let king = self.their_king.flip_vertical();
        self.their_king = self.king.flip_vertical();
        self.king = king;
        self.castling = self.castling.flip_vertical();
        self.ep_square = self.ep_square.map(Square::flip_vertical);
        self.turn = !self.turn;
        self.hashes.reverse();
    }

    /// Converts a square between White's view and the view of the side to move.
    fn to_view(&self, square: Square) -> Square {
        match self.turn {
            Color::White => square,
            Color::Black => square.flip_vertical(),
        }
    }

    /// Converts a move to a ply.
    pub fn ply(&self, m: Move) -> PlyKind {
        let is_castling = m.role == Role::King && self.us.contains(m.to);
        let to = if is_castling && !self.chess960 {
            self.castled_squares(m.to).0
        } else {
            m.to
        };
        PlyKind::Move {
            from: self.to_view(m.from),
            to: self.to_view(to),
            promotion: m.promotion,
        }
    }

    /// The move that a ply denotes; not necessarily legal. Returns `None` if the ply is
    /// not a move from an occupied square, or castles without such a rook.
    pub fn move_of_ply(&self, ply: PlyKind) -> Option<Move> {
        let PlyKind::Move {
            from,
            to,
            promotion,
        } = ply
        else {
            return None;
        };
        let (from, mut to) = (self.to_view(from), self.to_view(to));
        let role = self.role_at(from)?;
        if role == Role::King && !self.chess960 && !attacks::king_attacks(from).contains(to) {
            let mut rooks = self.castling_rooks().into_iter();
            to = rooks.find(|rook| self.castled_squares(*rook).0 == to)?;
        }
        Some(Move {
            role,
            from,
            to,
            promotion,
        })
    }
}

/// The contribution of a piece to the hash of a position.
fn key(piece: PlacedPiece) -> u64 {
    let side = usize::from(piece.side == ViewSide::Them);
    KEYS[side << 9 | (piece.role as usize) << 6 | piece.square as usize]
}

/// Indexed by side, role and square.
static KEYS: MaskedTable<u64, 1024> = table!([0; 1024], |number| mix(number));
