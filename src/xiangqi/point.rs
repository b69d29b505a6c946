//! The points of the board, and moves between them.

use std::fmt;
use std::str::FromStr;

/// The number of files, a to i.
pub(super) const FILES: u8 = 9;

/// The number of rows. Row 0 is the back rank of Black, row 9 that of Red.
pub(super) const ROWS: u8 = 10;

/// A point of the board: 9·row + file, so a10 is 0 and i1 is 89.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// The number of points.
    pub const COUNT: u8 = FILES * ROWS;

    /// The point with this number, if it is on the board.
    pub fn new(number: u8) -> Option<Self> {
        (number < Self::COUNT).then_some(Point(number))
    }

    /// All points, ascending.
    pub fn all() -> impl Iterator<Item = Point> {
        (0..Self::COUNT).map(Point)
    }

    /// The number, below [`Point::COUNT`].
    pub fn number(self) -> u8 {
        self.0
    }

    /// The file, from 0 for a to 8 for i.
    pub fn file(self) -> u8 {
        self.0 % FILES
    }

    /// The row, from 0 for rank 10 to 9 for rank 1.
    pub fn row(self) -> u8 {
        self.0 / FILES
    }

    /// The point on the board rotated by 180°.
    pub(super) fn rotated(self) -> Self {
        Point(Self::COUNT - 1 - self.0)
    }

    /// The point that is this many files and rows away, if it is on the board.
    pub(super) fn step(self, files: i8, rows: i8) -> Option<Self> {
        let on = |at: u8, by: i8, bound: u8| at.checked_add_signed(by).filter(|at| *at < bound);
        let file = on(self.file(), files, FILES)?;
        let row = on(self.row(), rows, ROWS)?;
        Some(Point(FILES * row + file))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file());
        write!(f, "{file}{}", ROWS - self.row())
    }
}

/// A text that is not a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a move: two points are expected, as in h3e3")]
pub struct NotAMove;

impl FromStr for Point {
    type Err = NotAMove;

    /// Parses file and rank, from a1 to i10.
    fn from_str(text: &str) -> Result<Self, NotAMove> {
        Point::all()
            .find(|point| point.to_string() == text)
            .ok_or(NotAMove)
    }
}

/// A move from a point to another. Moves are ordered by origin, then by target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct XiangqiMove {
    /// The origin.
    pub from: Point,
    /// The target.
    pub to: Point,
}

impl fmt::Display for XiangqiMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

impl FromStr for XiangqiMove {
    type Err = NotAMove;

    /// Parses two points with an optional `-` between them. Upper-case letters
    /// are rejected, because the notation with upper-case letters (ICCS) counts
    /// ranks from 0.
    fn from_str(text: &str) -> Result<Self, NotAMove> {
        let is_next = |(at, c): &(usize, char)| *at > 0 && !c.is_ascii_digit();
        let (at, _) = text.char_indices().find(is_next).ok_or(NotAMove)?;
        let (from, to) = text.split_at_checked(at).ok_or(NotAMove)?;
        Ok(XiangqiMove {
            from: from.parse()?,
            to: to.strip_prefix('-').unwrap_or(to).parse()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_names() {
        for (number, name) in [(0, "a10"), (8, "i10"), (81, "a1"), (85, "e1"), (89, "i1")] {
            let point = Point::new(number).expect("a point");
            assert_eq!(point.to_string(), name);
            assert_eq!(name.parse(), Ok(point));
        }
        assert_eq!(Point::new(90), None);
        assert!(Point::all().all(|point| point.to_string().parse() == Ok(point)));
        assert!(Point::all().all(|point| point.rotated().rotated() == point));
    }

    #[test]
    fn moves_are_two_points() {
        for text in ["h3e3", "h10g8", "a1a10", "a10a1"] {
            let read: XiangqiMove = text.parse().expect("a move");
            assert_eq!(read.to_string(), text);
            let (from, to) = (read.from, read.to);
            assert_eq!(format!("{from}-{to}").parse(), Ok(read));
        }
        for text in [
            "", "h3", "h3e", "h3e0", "h3e11", "H3-E3", "j1a1", "h3--e3", "h3 e3", "h03e3", "ä3e3",
            "h3e3x", "33e3",
        ] {
            assert_eq!(text.parse::<XiangqiMove>(), Err(NotAMove), "{text}");
        }
    }

    #[test]
    fn steps_stay_on_the_board() {
        let corner = Point::new(0).expect("a point");
        assert_eq!(corner.step(-1, 0), None);
        assert_eq!(corner.step(0, -1), None);
        assert_eq!(corner.step(8, 9), Point::new(89));
        assert_eq!(corner.step(9, 0), None);
        assert_eq!(corner.step(0, 10), None);
    }
}
