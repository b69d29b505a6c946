//! The legal moves, in the model's order.

use crate::chess::{Bitboard, Rank, Role, Square, attacks};

use super::board::{Board, Move, ViewSide};
use super::maps::AttackMap;
use super::simd::{Isa, Kernel};
use super::table::MaskedTable;

/// The roles that a pawn can promote to, in the model's order: from the most valuable to the
/// least, the reverse of the canonical order. The range coder assigns shares to moves in
/// the model's order, so bytes depend on it (spec/models.md, “The order of moves”).
pub const MODEL_PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The maximum number of pieces of a side.
const MAX_PIECES: usize = 16;

/// One of our pieces and its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceTargets {
    /// Its role.
    pub role: Role,
    /// Its square.
    pub from: Square,
    /// The squares that it attacks.
    pub attacks: Bitboard,
    /// The targets of its legal moves. For a king, these include the rooks with
    /// which it can castle.
    pub targets: Bitboard,
}

impl PieceTargets {
    /// Whether it is a pawn on the seventh rank, so that each of its moves
    /// promotes.
    #[inline(always)]
    pub(super) fn is_promoted(&self) -> bool {
        self.role == Role::Pawn && self.from.rank() == Rank::Seventh
    }

    /// The promotions of its moves; a single `None` if they do not promote.
    #[inline(always)]
    fn promotions(&self) -> &'static [Option<Role>] {
        if self.is_promoted() {
            &PROMOTED
        } else {
            &[None]
        }
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.targets.count() * self.promotions().len()
    }

    /// Its moves: by target, then by promotion.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        self.targets.into_iter().flat_map(move |to| {
            self.promotions().iter().map(move |promotion| Move {
                role: self.role,
                from: self.from,
                to,
                promotion: *promotion,
            })
        })
    }
}

/// The promotions of a pawn.
static PROMOTED: [Option<Role>; 4] = {
    let [queen, rook, bishop, knight] = MODEL_PROMOTIONS;
    [Some(queen), Some(rook), Some(bishop), Some(knight)]
};

/// The legal moves of a position, and data that is computed along with them.
#[derive(Debug, Clone)]
pub struct Legal {
    pieces: MaskedTable<PieceTargets, MAX_PIECES>,
    len: usize,
    /// The pieces that attack our king.
    pub checkers: Bitboard,
    /// The number of legal moves.
    pub count: usize,
    /// The squares that they attack.
    pub(super) theirs: AttackMap,
}

impl Legal {
    /// The legal moves on a board.
    #[inline(always)]
    pub fn new(board: &Board) -> Legal {
        let mut legal = Legal::empty();
        legal.set(board);
        legal
    }

    /// No moves.
    pub(super) fn empty() -> Legal {
        let no_piece = PieceTargets {
            role: Role::King,
            from: Square::A1,
            attacks: Bitboard::EMPTY,
            targets: Bitboard::EMPTY,
        };
        Legal {
            pieces: MaskedTable([no_piece; MAX_PIECES]),
            len: 0,
            checkers: Bitboard::EMPTY,
            count: 0,
            theirs: AttackMap::default(),
        }
    }

    /// Replaces the moves by those on a board. To make and copy new ones takes 100 instructions.
    #[inline(always)]
    pub(super) fn set(&mut self, board: &Board) {
        let guard = MoveConstraints::new(board);
        (self.len, self.count) = (0, 0);
        self.theirs = AttackMap::of(board, ViewSide::Them);
        self.checkers = guard.checkers;
        let (king, occupied) = (board.king(), board.occupied());
        let near = attacks::king_attacks(king);
        let mut targets = near & !board.us() & !self.theirs.any();
        if guard.checkers.is_empty() {
            targets |= castlings(board, &self.theirs);
        }
        self.push(Role::King, king, near, targets);
        if guard.check_mask.is_empty() {
            return;
        }
        let free = !board.us();
        for from in board.ours(Role::Knight) {
            let attacked = attacks::knight_attacks(from);
            let targets = guard.restrict(from, attacked & free);
            self.push(Role::Knight, from, attacked, targets);
        }
        for from in board.ours(Role::Bishop) {
            let attacked = attacks::bishop_attacks(from, occupied);
            let targets = guard.restrict(from, attacked & free);
            self.push(Role::Bishop, from, attacked, targets);
        }
        for from in board.ours(Role::Rook) {
            let attacked = attacks::rook_attacks(from, occupied);
            let targets = guard.restrict(from, attacked & free);
            self.push(Role::Rook, from, attacked, targets);
        }
        for from in board.ours(Role::Queen) {
            let attacked = attacks::queen_attacks(from, occupied);
            let targets = guard.restrict(from, attacked & free);
            self.push(Role::Queen, from, attacked, targets);
        }
        for from in board.ours(Role::Pawn) {
            let attacked = pawn_attacks(from);
            let moves = steps(from, occupied) | attacked & board.them();
            let targets = guard.restrict(from, moves) | en_passant(board, from, attacked);
            self.push(Role::Pawn, from, attacked, targets);
        }
    }

    #[inline(always)]
    fn push(&mut self, role: Role, from: Square, attacks: Bitboard, targets: Bitboard) {
        let piece = PieceTargets {
            role,
            from,
            attacks,
            targets,
        };
        self.count += piece.count();
        self.pieces[self.len] = piece;
        self.len += 1;
    }

    /// The pieces, in the order of their moves. In double check, only the king
    /// is listed.
    pub fn pieces(&self) -> &[PieceTargets] {
        let MaskedTable(pieces) = &self.pieces;
        pieces.get(..self.len).unwrap_or(pieces)
    }

    /// The number of a move, if it is legal.
    #[inline]
    pub(super) fn number(&self, m: Move) -> Option<usize> {
        let mut before = 0;
        for piece in self.pieces() {
            if piece.from == m.from {
                let within = piece.moves().position(|legal| legal == m)?;
                return Some(before + within);
            }
            before += piece.count();
        }
        None
    }

    /// The move with this number, if there is one.
    #[inline(always)]
    pub(super) fn nth(&self, number: usize) -> Option<Move> {
        let mut left = number;
        for piece in self.pieces() {
            match left.checked_sub(piece.count()) {
                Some(rest) => left = rest,
                None => return piece.moves().nth(left),
            }
        }
        None
    }

    /// The moves, in order.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.pieces().iter().flat_map(|piece| piece.moves())
    }
}

/// The kernel that generates the legal moves of a board.
pub(super) struct GenerateMoves<'b>(pub(super) &'b Board);

impl Kernel for GenerateMoves<'_> {
    type Output = Legal;

    #[inline(always)]
    fn run<I: Isa>(self) -> Legal {
        Legal::new(self.0)
    }
}

/// Restrictions on the moves of all pieces but the king.
struct MoveConstraints {
    king: Square,
    checkers: Bitboard,
    /// The allowed targets: all squares; in check, those that capture or block
    /// the checker; none in double check.
    check_mask: Bitboard,
    /// Pieces that are pinned. They can move only on the line through the king.
    pinned: Bitboard,
}

impl MoveConstraints {
    #[inline(always)]
    fn new(board: &Board) -> MoveConstraints {
        let king = board.king();
        let (snipers, pinned) = pin_lines(board, king, board.them());
        let near = attacks::knight_attacks(king) & board.theirs(Role::Knight)
            | pawn_attacks(king) & board.theirs(Role::Pawn);
        let checkers = near | snipers;
        let shelter = match (checkers.first(), checkers.more_than_one()) {
            (None, _) => Bitboard::FULL,
            (Some(checker), false) => attacks::between(king, checker).with(checker),
            (Some(_), true) => Bitboard::EMPTY,
        };
        MoveConstraints {
            king,
            checkers,
            check_mask: shelter,
            pinned: pinned & board.us(),
        }
    }

    #[inline(always)]
    fn restrict(&self, from: Square, targets: Bitboard) -> Bitboard {
        let safe = targets & self.check_mask;
        if self.pinned.contains(from) {
            safe & attacks::ray(self.king, from)
        } else {
            safe
        }
    }
}

/// The sliders of a side with a line to a king on which none of their pieces
/// blocks. Returns the sliders whose line is empty, which attack the king, and
/// the pieces that are alone on such a line.
#[inline(always)]
pub(super) fn pin_lines(board: &Board, king: Square, side: Bitboard) -> (Bitboard, Bitboard) {
    let queens = board.by_role(Role::Queen);
    let straight = attacks::rook_attacks(king, board.them());
    let diagonal = attacks::bishop_attacks(king, board.them());
    let straight = straight & (board.by_role(Role::Rook) | queens);
    let diagonal = diagonal & (board.by_role(Role::Bishop) | queens);
    let (mut attackers, mut single) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for sniper in (straight | diagonal) & side {
        let between = attacks::between(king, sniper) & board.occupied();
        if between.is_empty() {
            attackers = attackers.with(sniper);
        } else if !between.more_than_one() {
            single |= between;
        }
    }
    (attackers, single)
}

/// The rooks with which the king can castle. The king must not be in check.
#[inline(always)]
fn castlings(board: &Board, theirs: &AttackMap) -> Bitboard {
    let rooks = board.castling_rooks().into_iter();
    rooks
        .filter(|rook| can_castle(board, theirs, *rook))
        .collect()
}

fn can_castle(board: &Board, theirs: &AttackMap, rook: Square) -> bool {
    let king = board.king();
    let (king_to, rook_to) = board.castled_squares(rook);
    let others = board.occupied().without(king).without(rook);
    let king_way = attacks::between(king, king_to).with(king_to);
    let way = king_way | attacks::between(rook, rook_to).with(rook_to);
    if !(way & others).is_empty() || !(king_way & theirs.any()).is_empty() {
        return false;
    }
    // In Chess960, the rook can have blocked an attack along the first rank.
    let straight = board.theirs(Role::Rook) | board.theirs(Role::Queen);
    (attacks::rook_attacks(king_to, others.with(rook_to)) & straight).is_empty()
}

/// The squares that our pawn on a square attacks.
#[inline(always)]
pub(super) fn pawn_attacks(from: Square) -> Bitboard {
    attacks::pawn_attacks(crate::chess::Color::White, from)
}

/// The targets of our pawn without captures.
#[inline(always)]
fn steps(from: Square, occupied: Bitboard) -> Bitboard {
    let one = Bitboard::from_square(from).shift(8) & !occupied;
    let two = (one & Bitboard::from_rank(Rank::Third)).shift(8) & !occupied;
    one | two
}

/// The target of a pawn's en passant capture, if it is legal.
#[inline]
fn en_passant(board: &Board, from: Square, attacked: Bitboard) -> Bitboard {
    let reached = board.ep_square().filter(|to| attacked.contains(*to));
    let is_legal = |to: &Square| {
        let captured = to.xor(Square::A2);
        let after = board.occupied().without(from).without(captured).with(*to);
        let king = board.king();
        let queens = board.theirs(Role::Queen);
        let straight = attacks::rook_attacks(king, after) & (board.theirs(Role::Rook) | queens);
        let diagonal = attacks::bishop_attacks(king, after) & (board.theirs(Role::Bishop) | queens);
        let knights = attacks::knight_attacks(king) & board.theirs(Role::Knight);
        let pawns = pawn_attacks(king) & board.theirs(Role::Pawn).without(captured);
        (straight | diagonal | knights | pawns).is_empty()
    };
    reached.filter(is_legal).into_iter().collect()
}

#[cfg(test)]
mod tests;
