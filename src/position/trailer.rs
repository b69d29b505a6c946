//! The data of a position besides its pieces.

use std::num::NonZeroU32;

use crate::bits::{BitReader, BitWriter};
use crate::chess::{Color, Extras, File, Rank, Setup, Square};

use super::board::PieceBoard;
use super::castling::{Castling, outermost};
use super::error::{PositionEncodeError, PositionError};

/// Checks that variants add nothing to the position, because no code encodes it.
pub(super) fn check_extras(setup: &Setup) -> Result<(), PositionEncodeError> {
    match setup.extras == Extras::default() {
        true => Ok(()),
        false => Err(PositionEncodeError::Variant),
    }
}

/// Appends the trailer of a position with this board.
pub(super) fn write(
    setup: &Setup,
    board: &PieceBoard,
    out: &mut BitWriter,
) -> Result<(), PositionEncodeError> {
    write_side(setup.turn, out);
    write_castling(setup, board, out)?;
    write_ep_file(setup, out)?;
    write_counters(setup, out)
}

/// Reads the trailer, and returns the position with this board.
pub(super) fn read(board: PieceBoard, input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
    let turn = read_side(input)?;
    let mut castling_rooks = 0;
    for side in Color::ALL {
        castling_rooks |= read_castling(&board, side, input)?;
    }
    let ep_square = read_ep_square(turn, input)?;
    let (halfmoves, fullmoves) = read_counters(input)?;
    Ok(Setup {
        pieces: board.into_pieces(),
        turn,
        castling_rooks,
        ep_square,
        halfmoves,
        fullmoves,
        extras: Extras::default(),
    })
}

/// Writes the side to move, 0 for White.
pub(super) fn write_side(turn: Color, out: &mut BitWriter) {
    out.push_bit(turn == Color::Black);
}

pub(super) fn read_side(input: &mut BitReader<'_>) -> Result<Color, PositionError> {
    Ok(Color::from_white(!input.read_bit()?))
}

fn write_castling(
    setup: &Setup,
    board: &PieceBoard,
    out: &mut BitWriter,
) -> Result<(), PositionEncodeError> {
    for side in Color::ALL {
        let castling = Castling::of(setup, board, side)?;
        let rooks = castling.map_or([None; 2], |castling| {
            [castling.king_side, castling.queen_side]
        });
        for (rook, outermost) in rooks.into_iter().zip(outermost(board, side)) {
            if let Some(square) = rook.filter(|rook| Some(*rook) != outermost) {
                return Err(PositionEncodeError::InnerRook { square });
            }
            out.push_bit(rook.is_some());
        }
    }
    Ok(())
}

fn read_castling(
    board: &PieceBoard,
    side: Color,
    input: &mut BitReader<'_>,
) -> Result<u64, PositionError> {
    let mut rooks = 0;
    for rook in outermost(board, side) {
        if input.read_bit()? {
            let rook = rook.ok_or(PositionError::Castling { side })?;
            rooks |= 1 << u32::from(rook);
        }
    }
    Ok(rooks)
}

/// The rank of the en-passant square if `turn` is to move.
pub(super) fn ep_rank(turn: Color) -> Rank {
    turn.fold_wb(Rank::Sixth, Rank::Third)
}

/// The rank of the pawn that has just passed the en-passant square, if `turn`
/// is to move.
pub(super) fn ep_pawn_rank(turn: Color) -> Rank {
    turn.fold_wb(Rank::Fifth, Rank::Fourth)
}

/// The en-passant square of a position, which must be on the rank for its side
/// to move.
pub(super) fn ep_square(setup: &Setup) -> Result<Option<Square>, PositionEncodeError> {
    let rank = ep_rank(setup.turn);
    match setup.ep_square {
        Some(square) if square.rank() != rank => Err(PositionEncodeError::EnPassant { square }),
        square => Ok(square),
    }
}

fn write_ep_file(setup: &Setup, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
    let square = ep_square(setup)?;
    out.push_bit(square.is_some());
    if let Some(square) = square {
        out.push_bits(u64::from(u32::from(square.file())), 3);
    }
    Ok(())
}

fn read_ep_square(turn: Color, input: &mut BitReader<'_>) -> Result<Option<Square>, PositionError> {
    if !input.read_bit()? {
        return Ok(None);
    }
    let file = u32::try_from(input.read_bits(3)?).unwrap_or_default();
    Ok(Some(Square::from_coords(File::new(file), ep_rank(turn))))
}

/// Writes the halfmove clock if it is not 0, and the move number if it is not
/// 1, each preceded by a bit that says so.
pub(super) fn write_counters(
    setup: &Setup,
    out: &mut BitWriter,
) -> Result<(), PositionEncodeError> {
    let halfmoves = u8::try_from(setup.halfmoves).map_err(|_| PositionEncodeError::Halfmoves)?;
    let fullmoves = setup.fullmoves.get();
    let fullmoves = u16::try_from(fullmoves).map_err(|_| PositionEncodeError::Fullmoves)?;
    for (counter, bits, first) in [(halfmoves.into(), 8, 0), (fullmoves, 16, 1)] {
        out.push_bit(counter != first);
        if counter != first {
            out.push_bits(counter.into(), bits);
        }
    }
    Ok(())
}

pub(super) fn read_counters(input: &mut BitReader<'_>) -> Result<(u32, NonZeroU32), PositionError> {
    let mut counter = |bits, first| {
        if !input.read_bit()? {
            return Ok(first);
        }
        match input.read_bits(bits)? {
            counter if counter == u64::from(first) => Err(PositionError::Counter),
            counter => Ok(u32::try_from(counter).unwrap_or_default()),
        }
    };
    let halfmoves = counter(8, 0)?;
    let fullmoves = NonZeroU32::new(counter(16, 1)?).ok_or(PositionError::Fullmoves)?;
    Ok((halfmoves, fullmoves))
}
