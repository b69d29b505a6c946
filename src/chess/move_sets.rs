//! The legal moves of a chess position, numbered in canonical order without a
//! move list.

use shakmaty::{Bitboard, Chess, Color, Move, Position as _, Role, Square};

use super::legal::LegalTargets;
use super::move_number::{CANONICAL_PROMOTIONS, MoveNumber, target};
use super::pawn_moves::{PROMOTIONS, PawnMoves, ones};

/// The legal moves of the pawns and of each piece.
pub(super) struct MoveSets<'c> {
    chess: &'c Chess,
    turn: Color,
    pawns: PawnMoves,
    /// The pieces in canonical order.
    pieces: [PieceMoves; 16],
    len: usize,
    /// The castling moves, each with the target of the king.
    castlings: [Option<(Square, Move)>; 2],
}

#[derive(Clone, Copy)]
struct PieceMoves {
    from: Square,
    targets: Bitboard,
    /// The number of moves, castling included.
    count: u32,
}

impl PieceMoves {
    const NONE: PieceMoves = PieceMoves {
        from: Square::A1,
        targets: Bitboard::EMPTY,
        count: 0,
    };
}

impl<'c> MoveSets<'c> {
    /// Returns `None` if the side to move has no king, or more than 16 pieces besides pawns.
    /// No chess position is so.
    pub(super) fn new(chess: &'c Chess) -> Option<Self> {
        let legal = LegalTargets::new(chess)?;
        let pawns = chess.our(Role::Pawn);
        let mut sets = MoveSets {
            chess,
            turn: chess.turn(),
            pawns: legal.pawn_moves(pawns),
            pieces: [PieceMoves::NONE; 16],
            len: 0,
            castlings: [None; 2],
        };
        for (slot, castling) in sets.castlings.iter_mut().zip(legal.castlings()) {
            *slot = Some((target(castling), castling));
        }
        let mut rest = chess.us() & !pawns;
        while let Some(from) = first(rest, sets.turn) {
            rest.discard(from);
            let targets = legal.targets(from);
            let mut count = ones(targets);
            if from == legal.king() {
                count += sets.castlings(from).map(|_| 1).sum::<u32>();
            }
            *sets.pieces.get_mut(sets.len)? = PieceMoves {
                from,
                targets,
                count,
            };
            sets.len += 1;
        }
        Some(sets)
    }

    /// The pieces in canonical order.
    fn pieces(&self) -> impl Iterator<Item = &PieceMoves> {
        self.pieces.iter().take(self.len)
    }

    /// The castling moves of the piece on a square.
    fn castlings(&self, from: Square) -> impl Iterator<Item = (Square, Move)> {
        let own = move |(_, castling): &(Square, Move)| castling.from() == Some(from);
        self.castlings.into_iter().flatten().filter(own)
    }

    /// The number of legal moves.
    pub(super) fn count(&self) -> u32 {
        let pieces = self.pieces().map(|piece| piece.count);
        self.pawns.count(Bitboard::FULL) + pieces.sum::<u32>()
    }

    /// The number of a move among the legal moves, if it is legal.
    pub(super) fn choice(&self, wanted: Move) -> Option<MoveNumber> {
        let from = wanted.from()?;
        let is_before = before(from, self.turn);
        let earlier = self.pieces().filter(|piece| is_before.contains(piece.from));
        let index = self.pawns.count(is_before) + earlier.map(|piece| piece.count).sum::<u32>();
        let within = match self.pieces().find(|piece| piece.from == from) {
            Some(piece) => self.number_within(piece, wanted)?,
            None => self.number_within_pawn(from, wanted)?,
        };
        Some(MoveNumber {
            index: index + within,
            count: self.count(),
        })
    }

    /// The number of a move among those of its piece.
    fn number_within(&self, piece: &PieceMoves, wanted: Move) -> Option<u32> {
        let to = target(wanted);
        let is_before = before(to, self.turn);
        let castlings = self.castlings(piece.from);
        let castled = castlings.filter(|(square, _)| is_before.contains(*square));
        let number = ones(piece.targets & is_before) + castled.map(|_| 1).sum::<u32>();
        if wanted.is_castle() {
            let is_legal = self.castlings(piece.from).any(|(_, m)| m == wanted);
            return is_legal.then(|| number + u32::from(piece.targets.contains(to)));
        }
        let is_legal = piece.targets.contains(to) && wanted.promotion().is_none();
        is_legal.then_some(number)
    }

    /// The number of a move among those of its pawn.
    fn number_within_pawn(&self, from: Square, wanted: Move) -> Option<u32> {
        let (targets, to) = (self.pawns.targets(from), wanted.to());
        let number = ones(targets & before(to, self.turn));
        if !targets.contains(to) {
            return None;
        }
        match (wanted.promotion(), self.pawns.promotes(from)) {
            (None, false) => Some(number),
            (Some(role), true) => {
                let mut roles = CANONICAL_PROMOTIONS.iter();
                let place = roles.position(|known| *known == role)?;
                Some(PROMOTIONS * number + u32::try_from(place).ok()?)
            }
            _ => None,
        }
    }

    /// The move with this number in canonical order.
    pub(super) fn nth(&self, mut index: u32) -> Option<Move> {
        let mut pieces = self.pieces();
        let mut rest = self.chess.us();
        while let Some(from) = first(rest, self.turn) {
            rest.discard(from);
            let piece = match self.chess.board().pawns().contains(from) {
                true => None,
                false => Some(pieces.next()?),
            };
            let count = piece.map_or_else(|| self.pawns.count_of(from), |piece| piece.count);
            if index < count {
                return match piece {
                    Some(piece) => self.nth_of(piece, index),
                    None => self.nth_of_pawn(from, index),
                };
            }
            index -= count;
        }
        None
    }

    fn nth_of(&self, piece: &PieceMoves, mut index: u32) -> Option<Move> {
        if piece.count == ones(piece.targets) {
            let to = nth_square(piece.targets, index, self.turn)?;
            return self.step(piece.from, to, None);
        }
        let castled = self.castlings(piece.from).map(|(square, _)| square);
        let mut rest = piece.targets | castled.collect::<Bitboard>();
        while let Some(to) = first(rest, self.turn) {
            rest.discard(to);
            if piece.targets.contains(to) {
                if index == 0 {
                    return self.step(piece.from, to, None);
                }
                index -= 1;
            }
            for (_, castling) in self.castlings(piece.from).filter(|(at, _)| *at == to) {
                if index == 0 {
                    return Some(castling);
                }
                index -= 1;
            }
        }
        None
    }

    fn nth_of_pawn(&self, from: Square, index: u32) -> Option<Move> {
        let (number, promotion) = match self.pawns.promotes(from) {
            true => {
                let place = usize::try_from(index % PROMOTIONS).ok()?;
                (index / PROMOTIONS, Some(*CANONICAL_PROMOTIONS.get(place)?))
            }
            false => (index, None),
        };
        let to = nth_square(self.pawns.targets(from), number, self.turn)?;
        let is_capture = from.file() != to.file();
        if is_capture && self.chess.board().role_at(to).is_none() {
            return Some(Move::EnPassant { from, to });
        }
        self.step(from, to, promotion)
    }

    /// A move other than castling and en passant.
    fn step(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let board = self.chess.board();
        Some(Move::Normal {
            role: board.role_at(from)?,
            from,
            capture: board.role_at(to),
            to,
            promotion,
        })
    }
}

/// The first square of a set, in the order of the side to move.
fn first(squares: Bitboard, turn: Color) -> Option<Square> {
    turn.fold_wb(squares.first(), squares.last())
}

/// The square with this number in a set, in the order of the side to move.
fn nth_square(mut squares: Bitboard, number: u32, turn: Color) -> Option<Square> {
    for _ in 0..number {
        squares.discard(first(squares, turn)?);
    }
    first(squares, turn)
}

/// The squares before a square, in the order of the side to move.
fn before(square: Square, turn: Color) -> Bitboard {
    let below = Bitboard::from_square(square).0 - 1;
    Bitboard(turn.fold_wb(below, !below)).without(square)
}
