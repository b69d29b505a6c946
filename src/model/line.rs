//! A line of moves into bytes and back.

use crate::chess::{Ply, Position};
use crate::codec::range::{Decoder, Encoder, RangeError};

use super::board::{Board, Move, Side};
use super::context::Context;
use super::groups::Level;
use super::history::History;
use super::legal::Legal;
use super::maps::Map;
use super::net::Sums;
use super::scene::Scene;
use super::weights::Weights;

/// Why a line cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The rules of the start position are not those of chess.
    #[error("not a position of chess")]
    Variant,
    /// A ply, counted from 0, is not legal.
    #[error("ply {0} is not legal")]
    Illegal(usize),
}

/// Why bytes are no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The rules of the start position are not those of chess.
    #[error("not a position of chess")]
    Variant,
    /// The line goes on behind its end, or a side passes in check, at this ply,
    /// counted from 0.
    #[error("no move at ply {0}")]
    NoMove(usize),
    /// The bytes are not those of a line.
    #[error(transparent)]
    Range(#[from] RangeError),
}

/// A game as a model follows it.
#[derive(Debug, Clone)]
pub struct Follower<'w, L, const H: usize> {
    weights: &'w Weights<L, H>,
    board: Board,
    history: History,
    sums: Sums<H>,
    context: Context,
    ply: u32,
}

impl<'w, L: Level, const H: usize> Follower<'w, L, H> {
    /// The game at its start; none if its rules are not those of chess.
    pub fn new(weights: &'w Weights<L, H>, start: &Position, context: Context) -> Option<Self> {
        let board = Board::new(start)?;
        Some(Follower {
            weights,
            sums: Sums::new(&weights.net, &board),
            board,
            history: History::default(),
            context,
            ply: 0,
        })
    }

    /// Writes a ply and plays it. None if it is not legal.
    pub fn encode(&mut self, ply: Ply, encoder: &mut Encoder) -> Option<()> {
        if ply == Ply::Null {
            return self.pass();
        }
        let m = self.board.named(ply)?;
        match self.scene() {
            Ok(scene) => {
                let number = scene.legal.moves().position(|legal| legal == m)?;
                let frequencies = self.weights.frequencies(&scene, &self.sums);
                encoder.encode(frequencies.share(number)?);
            }
            Err(forced) => {
                forced.filter(|legal| *legal == m)?;
            }
        }
        self.play(m);
        Some(())
    }

    /// Reads a move and plays it. None if there is no legal move.
    ///
    /// # Errors
    /// The bytes stand for none of the legal moves.
    pub fn decode(&mut self, decoder: &mut Decoder<'_>) -> Result<Option<Ply>, RangeError> {
        let chosen = match self.scene() {
            Ok(scene) => {
                let frequencies = self.weights.frequencies(&scene, &self.sums);
                let part = decoder.part(frequencies.total())?;
                let number = frequencies.at(part).ok_or(RangeError::NoSymbol)?;
                let share = frequencies.share(number).ok_or(RangeError::NoSymbol)?;
                decoder.take(share)?;
                scene.legal.moves().nth(number)
            }
            Err(forced) => forced,
        };
        let Some(m) = chosen else {
            return Ok(None);
        };
        let ply = self.board.ply(m);
        self.play(m);
        Ok(Some(ply))
    }

    /// Plays a null move. None if the side to move is in check.
    pub fn pass(&mut self) -> Option<()> {
        if Legal::new(&self.board, &Map::of(&self.board, Side::Them))
            .checkers
            .any()
        {
            return None;
        }
        self.board.pass();
        self.history.pass();
        self.sums.pass();
        self.ply = self.ply.saturating_add(1);
        Some(())
    }

    fn scene(&self) -> Result<Scene<'_>, Option<Move>> {
        Scene::new(&self.board, &self.history, &self.context, self.ply)
    }

    fn play(&mut self, m: Move) {
        let changes = self.board.play(m);
        self.history.push(m, &changes);
        self.sums.play(&self.weights.net, &changes);
        self.ply = self.ply.saturating_add(1);
    }
}

/// The moves of a line as bytes.
///
/// # Errors
/// The line has no such bytes.
pub fn encode<L: Level, const H: usize>(
    weights: &Weights<L, H>,
    start: &Position,
    plies: &[Ply],
    context: Context,
) -> Result<Vec<u8>, EncodeError> {
    let mut follower = Follower::new(weights, start, context).ok_or(EncodeError::Variant)?;
    let mut encoder = Encoder::new();
    for (number, ply) in plies.iter().enumerate() {
        let written = follower.encode(*ply, &mut encoder);
        written.ok_or(EncodeError::Illegal(number))?;
    }
    Ok(encoder.finish())
}

/// The moves of a line of so many plies, of which those that `is_null` names
/// are null moves.
///
/// # Errors
/// The bytes are not those of such a line.
pub fn decode<L: Level, const H: usize>(
    weights: &Weights<L, H>,
    start: &Position,
    plies: usize,
    is_null: impl Fn(usize) -> bool,
    context: Context,
    bytes: &[u8],
) -> Result<Vec<Ply>, DecodeError> {
    let mut follower = Follower::new(weights, start, context).ok_or(DecodeError::Variant)?;
    let mut decoder = Decoder::new(bytes);
    let mut line = Vec::new();
    for number in 0..plies {
        let ply = if is_null(number) {
            follower.pass().map(|()| Ply::Null)
        } else {
            follower.decode(&mut decoder)?
        };
        line.push(ply.ok_or(DecodeError::NoMove(number))?);
    }
    decoder.finish()?;
    Ok(line)
}

#[cfg(test)]
mod tests;
