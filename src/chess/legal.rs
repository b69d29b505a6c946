//! The legal moves of a chess position as sets of squares. Compared with a move
//! list, `radix` takes two thirds of the time to encode and three fifths to decode.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Position as _, Rank, Role, Square, attacks,
};

/// The restrictions on moves of the side to move, computed once per position.
#[derive(Debug)]
pub(super) struct LegalTargets<'c> {
    chess: &'c Chess,
    king: Square,
    /// The allowed targets of all pieces but the king: all squares; in check, those
    /// that capture or block the checker; none in double check.
    check_mask: Bitboard,
    /// Pieces that are pinned. They can move only on the line through the king.
    pinned: Bitboard,
    is_check: bool,
}

impl<'c> LegalTargets<'c> {
    /// Returns `None` if the side to move has no king. Every chess position has
    /// one.
    pub(super) fn new(chess: &'c Chess) -> Option<Self> {
        let board = chess.board();
        let king = board.king_of(chess.turn())?;
        let checkers = board.attacks_to(king, !chess.turn(), board.occupied());
        let shelter = match (checkers.first(), checkers.more_than_one()) {
            (None, _) => Bitboard::FULL,
            (Some(checker), false) => attacks::between(king, checker).with(checker),
            (Some(_), true) => Bitboard::EMPTY,
        };
        Some(LegalTargets {
            chess,
            king,
            check_mask: shelter,
            pinned: pinned(board, chess.turn(), king),
            is_check: checkers.any(),
        })
    }

    pub(super) fn turn(&self) -> Color {
        self.chess.turn()
    }

    pub(super) fn king(&self) -> Square {
        self.king
    }

    /// The pieces of the side to move.
    pub(super) fn pieces(&self) -> Bitboard {
        self.chess.us()
    }

    /// The legal targets of the piece on a square, without castling. Empty if no
    /// piece of the side to move is on it.
    pub(super) fn targets(&self, from: Square) -> Bitboard {
        let board = self.chess.board();
        if !self.chess.us().contains(from) {
            return Bitboard::EMPTY;
        }
        let occupied = board.occupied();
        let attacked = match board.role_at(from) {
            None => return Bitboard::EMPTY,
            Some(Role::King) => return self.king_steps(),
            Some(Role::Pawn) => {
                return self.restrict(from, self.pawn_moves(from)) | self.en_passant(from);
            }
            Some(Role::Knight) => attacks::knight_attacks(from),
            Some(Role::Bishop) => attacks::bishop_attacks(from, occupied),
            Some(Role::Rook) => attacks::rook_attacks(from, occupied),
            Some(Role::Queen) => attacks::queen_attacks(from, occupied),
        };
        self.restrict(from, attacked & !self.chess.us())
    }

    /// The targets on which a pawn promotes.
    pub(super) fn promotions(&self, from: Square, targets: Bitboard) -> Bitboard {
        let last = self.turn().fold_wb(Rank::Eighth, Rank::First);
        if self.chess.board().pawns().contains(from) {
            targets & Bitboard::from_rank(last)
        } else {
            Bitboard::EMPTY
        }
    }

    /// The legal castling moves.
    pub(super) fn castlings(&self) -> impl Iterator<Item = Move> + use<'_> {
        let (turn, castles) = (self.chess.turn(), self.chess.castles());
        let is_open = move |side: &CastlingSide| {
            let path = castles.path(turn, *side);
            !self.is_check
                && castles.has(turn, *side)
                && (path & self.chess.board().occupied()).is_empty()
        };
        let open = CastlingSide::ALL.into_iter().filter(is_open);
        open.flat_map(|side| self.chess.castling_moves(side))
    }

    fn restrict(&self, from: Square, targets: Bitboard) -> Bitboard {
        let safe = targets & self.check_mask;
        if self.pinned.contains(from) {
            safe & attacks::ray(self.king, from)
        } else {
            safe
        }
    }

    fn king_steps(&self) -> Bitboard {
        let board = self.chess.board();
        let lifted = board.occupied().without(self.king);
        let near = attacks::king_attacks(self.king) & !self.chess.us();
        let is_safe = |to: &Square| {
            let attackers = board.attacks_to(*to, !self.chess.turn(), lifted);
            attackers.is_empty()
        };
        near.into_iter().filter(is_safe).collect()
    }

    /// Steps and captures, without en passant.
    fn pawn_moves(&self, from: Square) -> Bitboard {
        let side = self.chess.turn();
        let free = !self.chess.board().occupied();
        let ahead = |squares: Bitboard| squares.shift(side.fold_wb(8, -8)) & free;
        let one = ahead(Bitboard::from_square(from));
        let home = side.fold_wb(Rank::Second, Rank::Seventh);
        let two = if from.rank() == home {
            ahead(one)
        } else {
            Bitboard::EMPTY
        };
        one | two | attacks::pawn_attacks(side, from) & self.chess.them()
    }

    fn en_passant(&self, from: Square) -> Bitboard {
        let attacked = attacks::pawn_attacks(self.chess.turn(), from);
        let reached = self.chess.maybe_ep_square().into_iter();
        let is_legal = |to: &Square| {
            attacked.contains(*to) && {
                let captures = self.chess.en_passant_moves();
                captures.iter().any(|m| m.from() == Some(from))
            }
        };
        reached.filter(is_legal).collect()
    }
}

/// The pieces of a side that are alone between their king and a piece that would attack it.
pub(super) fn pinned(board: &Board, side: Color, king: Square) -> Bitboard {
    let (own, enemies) = (board.by_color(side), board.by_color(!side));
    let straight = attacks::rook_attacks(king, enemies);
    let diagonal = attacks::bishop_attacks(king, enemies);
    let snipers = straight & board.rooks_and_queens() | diagonal & board.bishops_and_queens();
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & enemies {
        let between = attacks::between(king, sniper) & board.occupied();
        if !between.more_than_one() {
            pinned |= between & own;
        }
    }
    pinned
}
