//! Coloured squares and arrows in comments, with the syntax of ChessBase and Lichess:
//! `[%csl Gd4,Re5]`, `[%cal Ge2e4]`.

use super::commands::commands;
use super::game::on_one_line;
use crate::chess::Square;

/// The colour of a square or an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeColor {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

/// A coloured square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColoredSquare {
    /// The colour.
    pub color: ShapeColor,
    /// The square.
    pub square: Square,
}

/// An arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// The colour.
    pub color: ShapeColor,
    /// The square at which it begins.
    pub from: Square,
    /// The square to which it points.
    pub to: Square,
}

/// 64 squares and as many arrows fit. Longer values are none: the bound keeps a comment full of
/// commands linear.
const MAX_VALUE_BYTES: usize = 512;

/// The coloured squares in a comment. What is no square is omitted.
pub fn squares(comment: &[u8]) -> Vec<ColoredSquare> {
    items(comment, b"[%csl", |color, squares| {
        let square = square(squares)?;
        Some(ColoredSquare { color, square })
    })
}

/// The arrows in a comment. What is no arrow is omitted.
pub fn arrows(comment: &[u8]) -> Vec<Arrow> {
    items(comment, b"[%cal", |color, squares| {
        let (from, to) = squares.split_at_checked(2)?;
        let (from, to) = (square(from)?, square(to)?);
        (from != to).then_some(Arrow { color, from, to })
    })
}

fn items<T>(comment: &[u8], name: &[u8], read: impl Fn(ShapeColor, &[u8]) -> Option<T>) -> Vec<T> {
    let comment = on_one_line(comment);
    let values = commands(&comment, name, MAX_VALUE_BYTES);
    let items = values.flat_map(|value| value.split(|byte| *byte == b','));
    items
        .filter_map(|item| {
            let (color, squares) = item.trim_ascii().split_first()?;
            read(ShapeColor::by_letter(*color)?, squares)
        })
        .collect()
}

fn square(text: &[u8]) -> Option<Square> {
    Square::from_ascii(text).ok()
}

impl ShapeColor {
    fn by_letter(letter: u8) -> Option<ShapeColor> {
        Some(match letter {
            b'G' => ShapeColor::Green,
            b'R' => ShapeColor::Red,
            b'Y' => ShapeColor::Yellow,
            b'B' => ShapeColor::Blue,
            _ => return None,
        })
    }

    /// The letter of the colour in a comment.
    pub fn letter(self) -> char {
        match self {
            ShapeColor::Green => 'G',
            ShapeColor::Red => 'R',
            ShapeColor::Yellow => 'Y',
            ShapeColor::Blue => 'B',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_arrows_are_read() {
        let comment = b"good [%csl Gd4,Re5,Xa1,Yz9] [%cal Be2e4, Ra1h8,Ga1a1,G] [%csl Yh8]";
        let squares = squares(comment);
        let squares = squares.iter();
        let squares: Vec<String> = squares
            .map(|it| format!("{}{}", it.color.letter(), it.square))
            .collect();
        assert_eq!(squares, ["Gd4", "Re5", "Yh8"]);
        let arrows = arrows(comment);
        let arrows = arrows.iter();
        let arrows: Vec<String> = arrows
            .map(|it| format!("{}{}{}", it.color.letter(), it.from, it.to))
            .collect();
        assert_eq!(arrows, ["Be2e4", "Ra1h8"]);
    }

    /// Quadratic time would take minutes.
    #[test]
    fn comments_full_of_commands_are_read_in_linear_time() {
        let many = [b"[%csl ".repeat(1 << 20), b"]".to_vec()].concat();
        assert!(squares(&many).is_empty());
    }
}
