//! `game`: a game to the position.

use crate::bits::{BitReader, BitString, BitWriter};
use crate::chess::{ChessPosition, Color, PlyKind, Setup};
use crate::moves::radix::{MixedRadixDecoder, MixedRadixEncoder};

use super::error::{PositionEncodeError, PositionError};

/// The maximum number of plies from the standard start position of a game that is
/// searched.
pub const SEARCHED_PLIES: u8 = 4;

/// Encodes the position after these plies from the standard start position as
/// that game, without a search.
///
/// # Errors
/// There are more than 255 plies, or a ply is null or not legal.
pub fn encode_line(plies: &[PlyKind]) -> Result<BitString, PositionEncodeError> {
    let mut out = BitWriter::new();
    write_game(plies, false, &mut out)?;
    Ok(out.into())
}

/// Writes the first game with the number of plies of the position, by the order
/// of legal moves at each ply.
pub(super) fn write(setup: &Setup, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
    let plies = plies_before(setup);
    let depth = u8::try_from(plies).ok();
    let depth = depth.filter(|depth| *depth <= SEARCHED_PLIES);
    let depth = depth.ok_or(PositionEncodeError::TooManyPlies {
        plies,
        most: SEARCHED_PLIES,
    })?;
    let mut search = Search {
        target: setup,
        plies: Vec::new(),
    };
    if !search.find(&ChessPosition::standard(), depth) {
        return Err(PositionEncodeError::NoGame { plies });
    }
    let names_square = setup.ep_square.is_some();
    write_game(&search.plies, names_square, out)
}

/// Reads a position up to the end of the input.
pub(super) fn read(input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
    let plies = u8::try_from(input.read_bits(8)?).unwrap_or_default();
    let number = read_number(input)?;
    let mut digits = MixedRadixDecoder::new(&number).map_err(|_| PositionError::Number)?;
    let mut position = ChessPosition::standard();
    for ply in 0..plies {
        let played = position.play_nth(|count| digits.digit(count));
        let played = played.map_err(|_| PositionError::NoLegalMove { ply })?;
        played.ok_or(PositionError::NoLegalMove { ply })?;
    }
    let mut setup = position.setup();
    if let Some(square) = position.unusable_ep_square()
        && digits.digit(2) == Ok(1)
    {
        setup.ep_square = Some(square);
    }
    digits.finish().map_err(|_| PositionError::Number)?;
    Ok(setup)
}

/// Reads the bytes of the number: fewer than 8 bits a ply, and one for an
/// en-passant square.
fn read_number(input: &mut BitReader<'_>) -> Result<Vec<u8>, PositionError> {
    let mut bytes = Vec::new();
    while input.remaining() > 0 {
        if bytes.len() > usize::from(u8::MAX) {
            return Err(PositionError::Number);
        }
        bytes.push(u8::try_from(input.read_bits(8)?).unwrap_or_default());
    }
    Ok(bytes)
}

/// The number of plies before a position, by its move number and side to move.
fn plies_before(setup: &Setup) -> u64 {
    let moves = u64::from(setup.fullmoves.get()) - 1;
    2 * moves + u64::from(setup.turn == Color::Black)
}

/// Writes the number of plies and the number made of the moves. If the last ply
/// leaves an en-passant square where no capture is possible, another digit in
/// base 2 codes whether the position has that square.
fn write_game(
    plies: &[PlyKind],
    has_unusable_ep_square: bool,
    out: &mut BitWriter,
) -> Result<(), PositionEncodeError> {
    let count = u8::try_from(plies.len()).map_err(|_| PositionEncodeError::LongGame)?;
    let mut position = ChessPosition::standard();
    let mut fold = MixedRadixEncoder::new();
    for (ply, played) in (1..).zip(plies) {
        let choice = position.play_numbered(*played);
        let choice = choice.map_err(|_| PositionEncodeError::Ply { ply })?;
        fold.push(choice.index, choice.count);
    }
    if position.unusable_ep_square().is_some() {
        fold.push(has_unusable_ep_square.into(), 2);
    }
    out.push_bits(count.into(), 8);
    for byte in fold.finish() {
        out.push_bits(byte.into(), 8);
    }
    Ok(())
}

/// The maximum number of squares that a ply changes: four, in castling. The
/// search is cut off where more squares must change, which makes one of four
/// plies about 30 times as fast.
const MAX_CHANGED_SQUARES: usize = 4;

/// The number of squares with different contents.
fn changed_squares(a: &Setup, b: &Setup) -> usize {
    let pairs = a.pieces.iter().zip(&b.pieces);
    pairs.filter(|(a, b)| a != b).count()
}

/// A depth-first search for the plies that lead to a position.
struct Search<'a> {
    target: &'a Setup,
    plies: Vec<PlyKind>,
}

impl Search<'_> {
    /// Whether exactly `depth` plies lead from here to the target. Records them.
    fn find(&mut self, position: &ChessPosition, depth: u8) -> bool {
        let here = position.setup();
        if changed_squares(&here, self.target) > MAX_CHANGED_SQUARES * usize::from(depth) {
            return false;
        }
        if depth == 0 {
            return self.is_target(position, here);
        }
        for ply in position.legal_plies() {
            let mut next = position.clone();
            if next.make(ply).is_err() {
                continue;
            }
            self.plies.push(ply);
            if self.find(&next, depth - 1) {
                return true;
            }
            self.plies.pop();
        }
        false
    }

    fn is_target(&self, position: &ChessPosition, mut here: Setup) -> bool {
        if here.ep_square.is_none() && self.target.ep_square.is_some() {
            here.ep_square = position.unusable_ep_square();
        }
        here == *self.target
    }
}
