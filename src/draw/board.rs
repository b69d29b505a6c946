//! A board with pieces, and what is marked on it.

use super::game_tree::{MoveNode, Notes};
use crate::chess::{Color, File, Piece, Rank, Role, Square};
use crate::pgn::{Arrow, ColoredSquare, Position};

/// A board to draw.
#[derive(Debug, Clone, Default)]
pub struct Diagram {
    /// The pieces.
    pub(super) pieces: Vec<(Square, Piece)>,
    /// Whether Black's side is at the bottom.
    pub is_flipped: bool,
    /// The squares of the last move.
    pub(super) last: Vec<Square>,
    /// The square of a king in check.
    pub(super) check: Option<Square>,
    /// Coloured squares.
    pub(super) squares: Vec<ColoredSquare>,
    /// Arrows.
    pub(super) arrows: Vec<Arrow>,
    /// What the board shows, for readers that do not see it.
    pub title: String,
}

impl Diagram {
    /// The board of a position.
    pub fn new(position: &Position) -> Diagram {
        let fen = position.fen();
        let pieces = pieces(&fen);
        let color = match position.is_white_to_move() {
            true => Color::White,
            false => Color::Black,
        };
        let king = color.king();
        let king = pieces.iter().find(|(_, piece)| *piece == king);
        let check = king.map(|(square, _)| *square);
        Diagram {
            check: check.filter(|_| position.is_check()),
            title: format!("Chess position {fen}"),
            pieces,
            ..Diagram::default()
        }
    }

    /// Marks a move that led to the position.
    pub fn mark_move(&mut self, node: &MoveNode) {
        self.last = node.squares();
    }

    /// Marks the squares and arrows of notes.
    pub fn mark_notes(&mut self, notes: &Notes) {
        self.squares.clone_from(&notes.squares);
        self.arrows.clone_from(&notes.arrows);
    }

    /// The piece on a square.
    pub(super) fn piece(&self, square: Square) -> Option<Piece> {
        let found = self.pieces.iter().find(|(on, _)| *on == square);
        found.map(|(_, piece)| *piece)
    }

    /// The files from left to right.
    pub(super) fn files(&self) -> Vec<File> {
        let mut files = File::ALL.to_vec();
        if self.is_flipped {
            files.reverse();
        }
        files
    }

    /// The ranks from top to bottom.
    pub(super) fn ranks(&self) -> Vec<Rank> {
        let mut ranks = Rank::ALL.to_vec();
        if !self.is_flipped {
            ranks.reverse();
        }
        ranks
    }

    /// The column and the row of a square in the drawing, from the top left.
    pub(super) fn place(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        match self.is_flipped {
            true => (7 - file, rank),
            false => (file, 7 - rank),
        }
    }
}

/// The placement of the pieces in a FEN.
pub(super) fn placement(fen: &str) -> &str {
    let end = fen.find([' ', '[']);
    end.and_then(|end| fen.get(..end)).unwrap_or(fen)
}

fn pieces(fen: &str) -> Vec<(Square, Piece)> {
    let mut pieces = Vec::new();
    for (rank, row) in Rank::ALL.into_iter().rev().zip(placement(fen).split('/')) {
        let mut file = 0;
        for char in row.chars() {
            if let Some(empty) = char.to_digit(10) {
                file += empty;
            } else if let (Some(piece), Ok(at)) = (Piece::from_char(char), File::try_from(file)) {
                pieces.push((Square::from_coords(at, rank), piece));
                file += 1;
            }
            // A `~` after a promoted piece of Crazyhouse is no piece.
        }
    }
    pieces
}

/// The filled symbol of a role.
pub(super) fn symbol(role: Role) -> &'static str {
    match role {
        Role::King => "♚",
        Role::Queen => "♛",
        Role::Rook => "♜",
        Role::Bishop => "♝",
        Role::Knight => "♞",
        // With the selector of text, without which some terminals draw an emoji.
        Role::Pawn => "♟\u{fe0e}",
    }
}
