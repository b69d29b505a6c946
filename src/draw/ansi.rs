//! Boards as text: for terminals in 256 colours, and as plain letters.

use super::board::{Diagram, symbol};
use crate::chess::{Color, Square};

// Colours of the usual palette of 256, against which white and black both stand out. The pieces have
// one symbol in two colours, because on dark terminals the outlined symbols of white pieces look like
// black ones.
const LIGHT: u8 = 137;
const DARK: u8 = 94;
const LIGHT_LAST: u8 = 142;
const DARK_LAST: u8 = 100;
const CHECK: u8 = 160;
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;

impl Diagram {
    /// The board with escape sequences for colours, as lines of 26 columns.
    pub fn ansi(&self) -> String {
        let mut out = String::new();
        for rank in self.ranks() {
            out += &format!("{} ", rank.char());
            for file in self.files() {
                out += &self.ansi_square(Square::from_coords(file, rank));
            }
            out += "\x1b[0m\n";
        }
        out + &self.file_line()
    }

    fn ansi_square(&self, square: Square) -> String {
        let is_last = self.last.contains(&square);
        let background = match (square.is_light(), is_last) {
            _ if self.check == Some(square) => CHECK,
            (true, false) => LIGHT,
            (false, false) => DARK,
            (true, true) => LIGHT_LAST,
            (false, true) => DARK_LAST,
        };
        let piece = self.piece(square);
        let (color, symbol) = match piece {
            Some(piece) => (piece.color, symbol(piece.role)),
            None => (Color::White, " "),
        };
        let color = color.fold_wb(WHITE_PIECE, BLACK_PIECE);
        format!("\x1b[48;5;{background};38;5;{color}m {symbol} ")
    }

    /// The board in letters, upper case for White; `.` is an empty square.
    pub fn plain(&self) -> String {
        let mut out = String::new();
        for rank in self.ranks() {
            out.push(rank.char());
            for file in self.files() {
                let piece = self.piece(Square::from_coords(file, rank));
                out += &format!("  {}", piece.map_or('.', |piece| piece.char()));
            }
            out.push('\n');
        }
        out + &self.file_line()
    }

    fn file_line(&self) -> String {
        let files = self.files().into_iter();
        let names: String = files.map(|file| format!("  {}", file.char())).collect();
        format!(" {names}\n")
    }
}
