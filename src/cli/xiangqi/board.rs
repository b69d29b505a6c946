//! The board as a drawing.

use crate::internals::xiangqi::{Point, XiangqiPosition};

/// The lines below ranks 10, 9, … 2, between two ranks.
const BETWEEN: [&str; 9] = [
    r"|   |   |   | \ | / |   |   |   |",
    r"|   |   |   | / | \ |   |   |   |",
    PLAIN,
    PLAIN,
    "|             river             |",
    PLAIN,
    PLAIN,
    r"|   |   |   | \ | / |   |   |   |",
    r"|   |   |   | / | \ |   |   |   |",
];

const PLAIN: &str = "|   |   |   |   |   |   |   |   |";

const FILES: &str = "    a   b   c   d   e   f   g   h   i\n";

/// The board, rank 10 first. Pieces are letters, upper-case for Red, or Chinese
/// characters, which are two columns wide.
pub(super) fn draw(position: &XiangqiPosition, as_characters: bool) -> String {
    let mut out = FILES.to_owned();
    let mut between = BETWEEN.into_iter();
    for point in Point::all() {
        let rank = 10 - point.row();
        if point.file() == 0 {
            out.push_str(&format!("{rank:>2}  "));
        }
        let is_last = point.file() == 8;
        let (symbol, width) = match position.at(point) {
            None => ('+', 1),
            Some(piece) if as_characters => (piece.character(), 2),
            Some(piece) => (piece.letter(), 1),
        };
        out.push(symbol);
        let filling = if is_last { " " } else { "-" };
        out.push_str(&filling.repeat(4 - width));
        if is_last {
            out.push_str(&format!("{rank}\n"));
            if let Some(lines) = between.next() {
                out.push_str(&format!("    {lines}\n"));
            }
        }
    }
    out + FILES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_columns() {
        for (as_characters, wide) in [(false, 0), (true, 9)] {
            let drawing = draw(&XiangqiPosition::start(), as_characters);
            let lines: Vec<&str> = drawing.lines().collect();
            assert_eq!(lines.len(), 2 + 10 + 9);
            assert_eq!(lines[0], lines[20]);
            for line in lines.iter().filter(|line| line.contains('|')) {
                assert_eq!(line.chars().count(), 37);
            }
            // Rank 10: nine pieces, and its number on both sides.
            assert_eq!(lines[1].chars().count(), 4 + 36 + 2 - wide);
        }
        let drawing = draw(&XiangqiPosition::start(), false);
        assert!(drawing.contains("10  r---n---b---a---k---a---b---n---r   10\n"));
        assert!(drawing.contains(" 4  P---+---P---+---P---+---P---+---P   4\n"));
        let drawing = draw(&XiangqiPosition::start(), true);
        assert!(drawing.contains("10  車--馬--象--士--將--士--象--馬--車  10\n"));
    }
}
