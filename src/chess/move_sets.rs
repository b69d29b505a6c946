//! The legal moves of a chess position, numbered in canonical order without a
//! move list.

use shakmaty::{Bitboard, Chess, Color, Move, Position as _, Role, Square};

use super::legal::LegalTargets;
use super::move_number::{CANONICAL_PROMOTIONS, MoveNumber, target};

/// The legal moves of each piece.
pub(super) struct MoveSets<'c> {
    chess: &'c Chess,
    turn: Color,
    pieces: [PieceMoves; 16],
    len: usize,
    /// The castling moves, each with the target of the king.
    castlings: [Option<(Square, Move)>; 2],
}

#[derive(Clone, Copy)]
struct PieceMoves {
    from: Square,
    targets: Bitboard,
    promotions: Bitboard,
    /// The number of moves, castling included.
    count: u32,
}

impl PieceMoves {
    const NONE: PieceMoves = PieceMoves {
        from: Square::A1,
        targets: Bitboard::EMPTY,
        promotions: Bitboard::EMPTY,
        count: 0,
    };

    /// The number of moves to these squares; each promotion counts as four.
    fn count_to(&self, squares: Bitboard) -> u32 {
        let steps = ones(self.targets & squares);
        match self.promotions.is_empty() {
            true => steps,
            false => steps + 3 * ones(self.promotions & squares),
        }
    }
}

impl<'c> MoveSets<'c> {
    /// Returns `None` if a side has more than 16 pieces or no king. No chess
    /// position is so.
    pub(super) fn new(chess: &'c Chess) -> Option<Self> {
        let legal = LegalTargets::new(chess)?;
        let mut sets = MoveSets {
            chess,
            turn: legal.turn(),
            pieces: [PieceMoves::NONE; 16],
            len: 0,
            castlings: [None; 2],
        };
        for (slot, castling) in sets.castlings.iter_mut().zip(legal.castlings()) {
            *slot = Some((target(castling), castling));
        }
        let mut rest = legal.pieces();
        while let Some(from) = first(rest, sets.turn) {
            rest.discard(from);
            let targets = legal.targets(from);
            let mut piece = PieceMoves {
                from,
                targets,
                promotions: legal.promotions(from, targets),
                count: 0,
            };
            piece.count = piece.count_to(Bitboard::FULL);
            if from == legal.king() {
                piece.count += sets.castlings(from).map(|_| 1).sum::<u32>();
            }
            *sets.pieces.get_mut(sets.len)? = piece;
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
        self.pieces().map(|piece| piece.count).sum()
    }

    /// The number of a move among the legal moves, if it is legal.
    pub(super) fn choice(&self, wanted: Move) -> Option<MoveNumber> {
        let from = wanted.from()?;
        let (mut index, mut count, mut within) = (0, 0, None);
        for piece in self.pieces() {
            if piece.from == from {
                within = self.number_within(piece, wanted);
                index = count;
            }
            count += piece.count;
        }
        Some(MoveNumber {
            index: index + within?,
            count,
        })
    }

    /// The number of a move among those of its piece.
    fn number_within(&self, piece: &PieceMoves, wanted: Move) -> Option<u32> {
        let to = target(wanted);
        let is_before = before(to, self.turn);
        let castlings = self.castlings(piece.from);
        let castled = castlings.filter(|(square, _)| is_before.contains(*square));
        let number = piece.count_to(is_before) + castled.map(|_| 1).sum::<u32>();
        if wanted.is_castle() {
            let is_legal = self.castlings(piece.from).any(|(_, m)| m == wanted);
            return is_legal.then(|| number + u32::from(piece.targets.contains(to)));
        }
        if !piece.targets.contains(to) {
            return None;
        }
        match (wanted.promotion(), piece.promotions.contains(to)) {
            (None, false) => Some(number),
            (Some(role), true) => {
                let place = CANONICAL_PROMOTIONS
                    .iter()
                    .position(|known| *known == role)?;
                Some(number + u32::try_from(place).ok()?)
            }
            _ => None,
        }
    }

    /// The move with this number in canonical order.
    pub(super) fn nth(&self, mut index: u32) -> Option<Move> {
        for piece in self.pieces() {
            if index < piece.count {
                return self.nth_of(piece, index);
            }
            index -= piece.count;
        }
        None
    }

    fn nth_of(&self, piece: &PieceMoves, mut index: u32) -> Option<Move> {
        let castled = self.castlings(piece.from).map(|(square, _)| square);
        let mut rest = piece.targets | castled.collect::<Bitboard>();
        while let Some(to) = first(rest, self.turn) {
            rest.discard(to);
            let count = piece.count_to(Bitboard::from_square(to));
            if index < count {
                return self.step(piece, to, index);
            }
            index -= count;
            for (_, castling) in self.castlings(piece.from).filter(|(at, _)| *at == to) {
                if index == 0 {
                    return Some(castling);
                }
                index -= 1;
            }
        }
        None
    }

    /// A move other than castling; `promotion` is the number of the promotion,
    /// if it promotes.
    fn step(&self, piece: &PieceMoves, to: Square, promotion: u32) -> Option<Move> {
        let board = self.chess.board();
        let (from, role) = (piece.from, board.role_at(piece.from)?);
        let capture = board.role_at(to);
        if role == Role::Pawn && from.file() != to.file() && capture.is_none() {
            return Some(Move::EnPassant { from, to });
        }
        let is_promotion = piece.promotions.contains(to);
        Some(Move::Normal {
            role,
            from,
            capture,
            to,
            promotion: match is_promotion {
                true => Some(*CANONICAL_PROMOTIONS.get(usize::try_from(promotion).ok()?)?),
                false => None,
            },
        })
    }
}

/// The first square of a set, in the order of the side to move.
fn first(squares: Bitboard, turn: Color) -> Option<Square> {
    turn.fold_wb(squares.first(), squares.last())
}

/// The squares before a square, in the order of the side to move.
fn before(square: Square, turn: Color) -> Bitboard {
    let below = Bitboard::from_square(square).0 - 1;
    Bitboard(turn.fold_wb(below, !below)).without(square)
}

fn ones(squares: Bitboard) -> u32 {
    squares.0.count_ones()
}
