//! `nibble`: 4 bits a square, with the rights coded by the pieces.

use crate::bits::{BitReader, BitWriter};
use crate::chess::{Color, Extras, Piece, Role, Setup, Square};

use super::board::{PieceBoard, from_value, value};
use super::castling::Castling;
use super::error::{PositionEncodeError, PositionError};
use super::trailer::{
    ep_pawn_rank, ep_rank, ep_square, read_counters, read_side, write_counters, write_side,
};

/// The number of bits of the pieces: 4 per square.
pub(super) const PIECE_BITS: u64 = 256;

/// The value of a pawn that has just moved two squares.
const EP_PAWN: u8 = 13;
/// The value of a king with a castling right.
const KING: u8 = 14;
/// The value of a rook that may castle.
const ROOK: u8 = 15;

pub(super) fn write(setup: &Setup, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
    let board = PieceBoard::of(setup)?;
    let ep_pawn = ep_pawn(setup, &board)?;
    let (mut kings, mut rooks) = (0_u64, 0);
    for side in Color::ALL {
        if let Some(castling) = Castling::of(setup, &board, side)? {
            kings |= 1 << u32::from(castling.king);
            rooks |= castling.rooks();
        }
    }
    let is_in = |bits: u64, square| bits >> u32::from(square) & 1 == 1;
    for (square, at) in board.squares() {
        let value = match square {
            _ if Some(square) == ep_pawn => EP_PAWN,
            _ if is_in(kings, square) => KING,
            _ if is_in(rooks, square) => ROOK,
            _ => value(at),
        };
        out.push_bits(value.into(), 4);
    }
    write_side(setup.turn, out);
    write_counters(setup, out)
}

/// The square of the pawn that can be captured en passant.
fn ep_pawn(setup: &Setup, board: &PieceBoard) -> Result<Option<Square>, PositionEncodeError> {
    let Some(square) = ep_square(setup)? else {
        return Ok(None);
    };
    let pawn = Square::from_coords(square.file(), ep_pawn_rank(setup.turn));
    match board.at(pawn) == Some(moved_pawn(setup.turn)) {
        true => Ok(Some(pawn)),
        false => Err(PositionEncodeError::EnPassantPawn { square }),
    }
}

/// The piece that has just moved two squares if `turn` is to move.
fn moved_pawn(turn: Color) -> Piece {
    Piece {
        color: turn.other(),
        role: Role::Pawn,
    }
}

pub(super) fn read(input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
    let mut board = PieceBoard::empty();
    let mut marks = Marks::default();
    for square in Square::ALL {
        let value = u8::try_from(input.read_bits(4)?).unwrap_or_default();
        let at = match from_value(value) {
            Some(at) => at,
            None => Some(marks.take(square, value)?),
        };
        board.put(square, at);
    }
    if let Some(square) = board.misplaced_pawn() {
        return Err(PositionError::Pawn { square });
    }
    let turn = read_side(input)?;
    let (halfmoves, fullmoves) = read_counters(input)?;
    Ok(Setup {
        pieces: board.into_pieces(),
        turn,
        castling_rooks: marks.castling_rooks(&board)?,
        ep_square: marks.ep_square(turn)?,
        halfmoves,
        fullmoves,
        extras: Extras::default(),
    })
}

/// The squares with values above 12.
#[derive(Debug, Default)]
struct Marks {
    ep_pawn: Option<Square>,
    kings: Vec<Square>,
    rooks: Vec<Square>,
}

impl Marks {
    /// Records a value above 12, and returns the piece that it represents.
    fn take(&mut self, square: Square, value: u8) -> Result<Piece, PositionError> {
        let home = |side: &Color| side.backrank() == square.rank();
        let (side, role) = match value {
            EP_PAWN => {
                let turn = |turn: &Color| ep_pawn_rank(*turn) == square.rank();
                let turn = Color::ALL.into_iter().find(turn);
                if self.ep_pawn.replace(square).is_some() {
                    return Err(PositionError::EnPassant { square });
                }
                let turn = turn.ok_or(PositionError::EnPassant { square })?;
                return Ok(moved_pawn(turn));
            }
            KING => {
                self.kings.push(square);
                (Color::ALL.into_iter().find(home), Role::King)
            }
            _ => {
                self.rooks.push(square);
                (Color::ALL.into_iter().find(home), Role::Rook)
            }
        };
        let color = side.ok_or(PositionError::Value { square })?;
        Ok(Piece { color, role })
    }

    /// The squares of the rooks that may castle. They require the mark of their
    /// king.
    fn castling_rooks(&self, board: &PieceBoard) -> Result<u64, PositionError> {
        let mut all = 0;
        for side in Color::ALL {
            let home = |square: &&Square| square.rank() == side.backrank();
            let kings = self.kings.iter().filter(home).count();
            let rooks: Vec<Square> = self.rooks.iter().filter(home).copied().collect();
            let castling = match *rooks.as_slice() {
                [] if kings == 0 => continue,
                [rook] => Castling::of_rooks(board, side, rook, None),
                [first, second] => Castling::of_rooks(board, side, first, Some(second)),
                _ => None,
            };
            let castling = castling.filter(|_| kings == 1);
            all |= castling.ok_or(PositionError::Castling { side })?.rooks();
        }
        Ok(all)
    }

    fn ep_square(&self, turn: Color) -> Result<Option<Square>, PositionError> {
        let Some(square) = self.ep_pawn else {
            return Ok(None);
        };
        match square.rank() == ep_pawn_rank(turn) {
            true => Ok(Some(Square::from_coords(square.file(), ep_rank(turn)))),
            false => Err(PositionError::EnPassant { square }),
        }
    }
}
