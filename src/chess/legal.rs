//! The legal moves of a chess position as sets of squares, which are counted and numbered faster
//! than a list of moves.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Position as _, Role, Square, attacks,
};

use super::pawn_moves::PawnMoves;

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
                return self.pawn_moves(Bitboard::from_square(from)).targets(from);
            }
            Some(Role::Knight) => attacks::knight_attacks(from),
            Some(Role::Bishop) => attacks::bishop_attacks(from, occupied),
            Some(Role::Rook) => attacks::rook_attacks(from, occupied),
            Some(Role::Queen) => attacks::queen_attacks(from, occupied),
        };
        self.restrict(from, attacked & !self.chess.us())
    }

    /// The legal moves of some pawns of the side to move.
    pub(super) fn pawn_moves(&self, pawns: Bitboard) -> PawnMoves {
        let (free, enemies) = (!self.chess.board().occupied(), self.chess.them());
        let mut moves = PawnMoves::none(self.chess.turn());
        moves.add(pawns & !self.pinned, free, enemies, self.check_mask);
        for pinned in pawns & self.pinned {
            let line = attacks::ray(self.king, pinned);
            let pawn = Bitboard::from_square(pinned);
            moves.add(pawn, free, enemies, self.check_mask & line);
        }
        self.add_en_passant(pawns, &mut moves);
        moves
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

    /// Adds the legal captures en passant by some pawns.
    fn add_en_passant(&self, pawns: Bitboard, moves: &mut PawnMoves) {
        let reached = self.chess.maybe_ep_square();
        let is_attacked = |to| (attacks::pawn_attacks(!self.chess.turn(), to) & pawns).any();
        if !reached.is_some_and(is_attacked) {
            return;
        }
        for m in &self.chess.en_passant_moves() {
            if let Some(from) = m.from().filter(|from| pawns.contains(*from)) {
                moves.add_en_passant(from, m.to());
            }
        }
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
