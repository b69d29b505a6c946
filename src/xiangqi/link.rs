//! Share links: a position and the moves from it, as text for an address
//! (`spec/xiangqi.md`, "Share links").

use super::code::symbols;
use super::{CannotRepresent, Code, CodeError, Move, Position};
use crate::bits::{BitReader, BitString, BitWriter, from_base64};
use crate::codec::uniform::Uniform;

const PLIES_BITS: u32 = 10;

/// The most plies that a link can hold.
pub const MOST_PLIES: usize = (1 << PLIES_BITS) - 1;

/// A position and the moves that are played from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where the moves begin.
    pub start: Position,
    /// The moves, each legal where it stands; no more than [`MOST_PLIES`].
    pub moves: Vec<Move>,
}

/// Why there is no link to a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CannotShare {
    /// `xq-prefix` cannot represent the start.
    #[error(transparent)]
    Start(#[from] CannotRepresent),
    /// More plies than a link can hold.
    #[error("more than {MOST_PLIES} plies")]
    TooManyPlies,
    /// A move is not legal.
    #[error("ply {ply} is not legal")]
    IllegalMove {
        /// The ply, from 1.
        ply: usize,
    },
}

/// Why a text is no link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Not URL-safe base64 without padding.
    #[error("not URL-safe base64 without padding")]
    NotBase64,
    /// The position in front is none, or the bits end early.
    #[error(transparent)]
    Code(#[from] CodeError),
    /// A history of no plies.
    #[error("a history of no plies")]
    NoPlies,
    /// A ply is announced where no move is legal.
    #[error("ply {ply}: no legal move is left to choose from")]
    NoLegalMove {
        /// The ply, from 1.
        ply: usize,
    },
    /// What follows is not fewer than 8 ones.
    #[error("the link does not end with fewer than 8 ones")]
    Padding,
}

impl Link {
    /// The link as text.
    pub fn encode(&self) -> Result<String, CannotShare> {
        let mut out = BitWriter::new();
        Code::Prefix.write(&self.start, &mut out)?;
        self.write_history(&mut out)?;
        while !out.bit_len().is_multiple_of(8) {
            out.push_bit(true);
        }
        Ok(BitString::from(out).to_base64())
    }

    fn write_history(&self, out: &mut BitWriter) -> Result<(), CannotShare> {
        if self.moves.is_empty() {
            return Ok(());
        }
        if self.moves.len() > MOST_PLIES {
            return Err(CannotShare::TooManyPlies);
        }
        out.push_bits(self.moves.len() as u64, PLIES_BITS);
        let mut position = self.start.clone();
        for (ply, played) in (1..).zip(&self.moves) {
            let legal = position.legal_moves();
            let number = (0u32..).zip(&legal).find(|(_, legal)| *legal == played);
            let (number, _) = number.ok_or(CannotShare::IllegalMove { ply })?;
            Uniform::Phased.write(number, symbols(legal.len()), out);
            position = position.after(*played);
        }
        Ok(())
    }

    /// The game whose link a text is. Of an address, only its last part is the
    /// link.
    ///
    /// # Errors
    ///
    /// Whatever [`encode`](Self::encode) does not write is an error.
    pub fn decode(text: &str) -> Result<Self, LinkError> {
        let bytes = from_base64(text).map_err(|_| LinkError::NotBase64)?;
        let mut input = BitReader::new(&bytes);
        let start = Code::Prefix.read(&mut input)?;
        let moves = match input.remaining() {
            0..8 => Vec::new(),
            _ => read_history(&start, &mut input)?,
        };
        match input.remaining() < 8 && (0..input.remaining()).all(|_| input.read_bit() == Ok(true))
        {
            true => Ok(Link { start, moves }),
            false => Err(LinkError::Padding),
        }
    }

    /// The position behind the last move, as far as the moves are legal.
    pub fn last_position(&self) -> Position {
        let mut position = self.start.clone();
        for played in &self.moves {
            if position.play(*played).is_err() {
                break;
            }
        }
        position
    }
}

fn read_history(start: &Position, input: &mut BitReader<'_>) -> Result<Vec<Move>, LinkError> {
    let plies = input.read_bits(PLIES_BITS).map_err(CodeError::from)?;
    if plies == 0 {
        return Err(LinkError::NoPlies);
    }
    let mut position = start.clone();
    let mut moves = Vec::new();
    while (moves.len() as u64) < plies {
        let legal = position.legal_moves();
        let no_move = LinkError::NoLegalMove {
            ply: moves.len() + 1,
        };
        if legal.is_empty() {
            return Err(no_move);
        }
        let number = Uniform::Phased.read(symbols(legal.len()), input);
        let number = number.map_err(CodeError::from)?;
        let played = *legal.get(number as usize).ok_or(no_move)?;
        position = position.after(played);
        moves.push(played);
    }
    Ok(moves)
}
