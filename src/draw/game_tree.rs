//! A game as a tree of moves: its lines, and what is noted in them.

mod builder;
#[cfg(test)]
mod tests;

use crate::chess::Square;
use crate::pgn::{Arrow, ColoredSquare, Ply, Position};

/// Variations that are nested deeper are left out and counted. The bound lets programs walk and drop
/// a tree by recursion; annotators nest a few levels.
pub(super) const MAX_DEPTH: usize = 64;

/// A game.
#[derive(Debug, Clone)]
pub struct GameTree {
    /// The position before the first move.
    pub start: Position,
    /// The main line.
    pub main: Line,
    /// The last termination marker.
    pub result: Option<&'static str>,
    /// The number of variations that are left out because they are nested deeper than
    /// 64 levels.
    pub omitted: usize,
}

/// A line: the main line or a variation.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// What is noted before the first move.
    pub notes: Notes,
    /// The moves.
    pub moves: Vec<MoveNode>,
    /// The words from the first one on that is no legal move, where the line ends for that; of
    /// many, the first ones.
    pub unplayed: Option<String>,
}

/// A move of a line.
#[derive(Debug, Clone)]
pub struct MoveNode {
    /// The move.
    pub ply: Ply,
    /// Its standard algebraic notation.
    pub san: String,
    /// The number of plies from the start of the game to the position after it.
    pub plies: usize,
    /// The number of the move in the game's notation.
    pub number: u32,
    /// Whether White plays it.
    pub is_white: bool,
    /// What is noted after it.
    pub notes: Notes,
    /// The variations that replace it.
    pub variations: Vec<Line>,
}

/// What is noted at a place of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Comments without their commands, unless nothing else is in them.
    pub comments: Vec<String>,
    /// The clock, in milliseconds.
    pub clock_millis: Option<i32>,
    /// The evaluation.
    pub eval: Option<Eval>,
    /// Coloured squares.
    pub squares: Vec<ColoredSquare>,
    /// Arrows.
    pub arrows: Vec<Arrow>,
}

/// An evaluation; positive for White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eval {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// A mate in this many moves.
    Mate(i32),
}

impl GameTree {
    /// The position after this many plies of the main line; `None` if it is shorter.
    pub fn position(&self, plies: usize) -> Option<Position> {
        let mut position = self.start.clone();
        for node in self.main.moves.get(..plies)? {
            position.play(node.ply).ok()?;
        }
        Some(position)
    }
}

impl MoveNode {
    /// The squares between which a piece moves: one for a drop, none for a null move.
    pub fn squares(&self) -> Vec<Square> {
        let uci = self.ply.to_string();
        let halves = [uci.get(..2), uci.get(2..4)];
        let squares = halves.into_iter().flatten();
        squares
            .filter_map(|name| Square::from_ascii(name.as_bytes()).ok())
            .collect()
    }
}
