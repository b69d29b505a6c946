//! `piece-list` and `piece-list-ranked`: the squares of the pieces of each
//! role.

use crate::bits::{BitReader, BitWriter};
use crate::chess::{CANONICAL_PROMOTIONS, Color, Piece, Role, Square};
use crate::codec::combinations::{binomial, rank, unrank};

use super::board::{PieceBoard, is_backrank};
use super::error::{PositionEncodeError, PositionError};
use super::piece_code::PieceCode;

/// Kings and officers by square, the pawns of a side as one number.
#[derive(Debug, Clone, Copy)]
pub(super) enum PieceList {
    /// `piece-list`: each pawn is a digit.
    Sequential,
    /// `piece-list-ranked`: the pawns are a set, coded as its rank.
    Ranked,
}

const MAX_OFFICERS: usize = 15;
const MAX_PAWNS: usize = 8;

impl PieceCode for PieceList {
    fn write(&self, board: &PieceBoard, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
        for side in Color::ALL {
            write_king(board, side, out)?;
        }
        for side in Color::ALL {
            write_counts_and_officers(board, side, out)?;
        }
        let mut free = free_squares(&without_pawns(board));
        for side in Color::ALL {
            let pawns: Vec<Square> = board.find(side, Role::Pawn).collect();
            let (number, bound) = self.number(&indices(&pawns, &free), free.len());
            out.push_bits(number, width(bound));
            free.retain(|square| !pawns.contains(square));
        }
        Ok(())
    }

    fn read(&self, input: &mut BitReader<'_>) -> Result<PieceBoard, PositionError> {
        let mut board = PieceBoard::empty();
        for side in Color::ALL {
            place(&mut board, side, Role::King, read_square(input)?)?;
        }
        let mut pawns = [0; 2];
        for (side, pawns) in Color::ALL.into_iter().zip(&mut pawns) {
            *pawns = read_counts_and_officers(&mut board, side, input)?;
        }
        let mut free = free_squares(&board);
        for (side, pawns) in Color::ALL.into_iter().zip(pawns) {
            let squares = self.read_pawns(pawns, &free, input)?;
            for square in &squares {
                place(&mut board, side, Role::Pawn, *square)?;
            }
            free.retain(|square| !squares.contains(square));
        }
        Ok(board)
    }
}

impl PieceList {
    /// The number for pawns on the free squares with these indexes, and the
    /// count of possible numbers.
    fn number(self, pawns: &[u32], free: usize) -> (u64, u64) {
        let count = u32::try_from(pawns.len()).unwrap_or(u32::MAX);
        let free = u32::try_from(free).unwrap_or(u32::MAX);
        match self {
            PieceList::Sequential => {
                let still_free = |(before, index): (u32, &u32)| (index - before, free - before);
                let digits = (0..).zip(pawns).map(still_free);
                let fold = |number, (digit, base)| number * u64::from(base) + u64::from(digit);
                (digits.fold(0, fold), falling(free, count))
            }
            PieceList::Ranked => (rank(pawns), binomial(free, count)),
        }
    }

    fn read_pawns(
        self,
        count: u32,
        free: &[Square],
        input: &mut BitReader<'_>,
    ) -> Result<Vec<Square>, PositionError> {
        let squares = u32::try_from(free.len()).unwrap_or(u32::MAX);
        let bound = match self {
            PieceList::Sequential => falling(squares, count),
            PieceList::Ranked => binomial(squares, count),
        };
        let number = input.read_bits(width(bound))?;
        let indices = match self {
            PieceList::Sequential if number >= bound => None,
            PieceList::Sequential => Some(from_falling(number, squares, count)),
            PieceList::Ranked => unrank(number, squares, count),
        };
        let indices = indices.ok_or(PositionError::Number)?;
        let at = |index: &u32| free.get(usize::try_from(*index).ok()?).copied();
        let pawns: Vec<Square> = indices.iter().filter_map(at).collect();
        in_order(&pawns)?;
        Ok(pawns)
    }
}

/// The number of bits of the numbers below a bound.
fn width(bound: u64) -> u32 {
    bound.next_power_of_two().ilog2()
}

/// The falling factorial n · (n − 1) · … with `count` factors, which is at most
/// n. With two kings and 30 officers, at least 16 squares are free for White's
/// pawns and 8 for Black's. Eight factors of at most 48 need 44 bits.
fn falling(n: u32, count: u32) -> u64 {
    (0..count).map(|before| u64::from(n - before)).product()
}

/// The squares that digits of falling bases select among those not yet
/// selected, as indexes among all squares, in the order of the digits.
fn from_falling(mut number: u64, squares: u32, count: u32) -> Vec<u32> {
    let mut digits = Vec::new();
    for base in (0..count).rev().map(|before| u64::from(squares - before)) {
        digits.push(usize::try_from(number % base).unwrap_or_default());
        number /= base;
    }
    let mut left: Vec<u32> = (0..squares).collect();
    digits
        .into_iter()
        .rev()
        .map(|digit| left.remove(digit))
        .collect()
}

fn write_king(
    board: &PieceBoard,
    side: Color,
    out: &mut BitWriter,
) -> Result<(), PositionEncodeError> {
    let mut kings = board.find(side, Role::King);
    match (kings.next(), kings.next()) {
        (Some(king), None) => {
            write_square(king, out);
            Ok(())
        }
        _ => Err(PositionEncodeError::King { side }),
    }
}

/// Writes whether there are pawns and their number, then the number of officers
/// and each of them.
fn write_counts_and_officers(
    board: &PieceBoard,
    side: Color,
    out: &mut BitWriter,
) -> Result<(), PositionEncodeError> {
    let pawns = board.find(side, Role::Pawn).count();
    if pawns > MAX_PAWNS {
        return Err(PositionEncodeError::Pawns { side });
    }
    out.push_bit(pawns > 0);
    if let Some(less_one) = pawns.checked_sub(1) {
        out.push_bits(less_one as u64, 3);
    }
    let officers = officers(board, side);
    if officers.len() > MAX_OFFICERS {
        return Err(PositionEncodeError::Officers { side });
    }
    out.push_bits(officers.len() as u64, 4);
    for (kind, square) in officers {
        out.push_bits(kind, 2);
        write_square(square, out);
    }
    Ok(())
}

fn read_counts_and_officers(
    board: &mut PieceBoard,
    side: Color,
    input: &mut BitReader<'_>,
) -> Result<u32, PositionError> {
    let pawns = match input.read_bit()? {
        true => input.read_bits(3)? + 1,
        false => 0,
    };
    let mut officers = Vec::new();
    for _ in 0..input.read_bits(4)? {
        let kind = usize::try_from(input.read_bits(2)?).unwrap_or_default();
        let square = read_square(input)?;
        if let Some(role) = CANONICAL_PROMOTIONS.get(kind) {
            place(board, side, *role, square)?;
        }
        officers.push(square);
        in_order(&officers)?;
    }
    Ok(u32::try_from(pawns).unwrap_or_default())
}

/// The officers of a side in square order, each as its kind (0 N, 1 B, 2 R, 3
/// Q) and square.
fn officers(board: &PieceBoard, side: Color) -> Vec<(u64, Square)> {
    let mut officers = Vec::new();
    for (kind, role) in (0..).zip(CANONICAL_PROMOTIONS) {
        officers.extend(board.find(side, role).map(|square| (kind, square)));
    }
    officers.sort_unstable_by_key(|(_, square)| *square);
    officers
}

fn in_order(squares: &[Square]) -> Result<(), PositionError> {
    let wrong = squares.windows(2).find_map(|pair| match pair {
        [before, square] if before >= square => Some(*square),
        _ => None,
    });
    wrong.map_or(Ok(()), |square| Err(PositionError::Order { square }))
}

fn place(
    board: &mut PieceBoard,
    color: Color,
    role: Role,
    square: Square,
) -> Result<(), PositionError> {
    match board.put(square, Some(Piece { color, role })) {
        None => Ok(()),
        Some(_) => Err(PositionError::Occupied { square }),
    }
}

fn without_pawns(board: &PieceBoard) -> PieceBoard {
    let mut officers = *board;
    for side in Color::ALL {
        for square in board.find(side, Role::Pawn) {
            officers.put(square, None);
        }
    }
    officers
}

/// The empty squares of ranks 2 to 7, in square order.
fn free_squares(board: &PieceBoard) -> Vec<Square> {
    let free = |(square, at): &(Square, Option<Piece>)| at.is_none() && !is_backrank(*square);
    board
        .squares()
        .filter(free)
        .map(|(square, _)| square)
        .collect()
}

/// The indices of squares in a list.
fn indices(squares: &[Square], list: &[Square]) -> Vec<u32> {
    let listed = (0..).zip(list);
    let found = listed.filter(|(_, square)| squares.contains(square));
    found.map(|(index, _)| index).collect()
}

fn write_square(square: Square, out: &mut BitWriter) {
    out.push_bits(u32::from(square).into(), 6);
}

fn read_square(input: &mut BitReader<'_>) -> Result<Square, PositionError> {
    let number = u32::try_from(input.read_bits(6)?).unwrap_or_default();
    Ok(Square::new(number))
}
