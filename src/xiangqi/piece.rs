//! Sides and pieces, and the parts of the board that belong to a side.

use std::fmt;

use super::Point;

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Moves first; its half is ranks 1 to 5.
    Red,
    /// Its half is ranks 6 to 10.
    Black,
}

impl Side {
    /// Red, then Black, the order of IDs.
    pub const BOTH: [Side; 2] = [Side::Red, Side::Black];

    /// The other side.
    pub fn other(self) -> Self {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }

    /// The number of rows of a step forward: −1 or 1.
    pub(super) fn forward(self) -> i8 {
        match self {
            Side::Red => -1,
            Side::Black => 1,
        }
    }

    /// Whether a point is in the side's half.
    pub(super) fn is_on_own_half(self, point: Point) -> bool {
        match self {
            Side::Red => point.row() >= 5,
            Side::Black => point.row() <= 4,
        }
    }

    /// Whether a point is in the side's palace.
    pub(super) fn is_in_palace(self, point: Point) -> bool {
        let rows = match self {
            Side::Red => 7..=9,
            Side::Black => 0..=2,
        };
        (3..=5).contains(&point.file()) && rows.contains(&point.row())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Red => "Red",
            Side::Black => "Black",
        })
    }
}

/// The kind of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// 帥, 將
    General,
    /// 仕, 士
    Adviser,
    /// 相, 象
    Elephant,
    /// 傌, 馬
    Horse,
    /// 俥, 車
    Chariot,
    /// 炮, 砲
    Cannon,
    /// 兵, 卒
    Soldier,
}

impl Kind {
    /// All kinds, in the order of IDs.
    pub const ALL: [Kind; 7] = [
        Kind::General,
        Kind::Adviser,
        Kind::Elephant,
        Kind::Horse,
        Kind::Chariot,
        Kind::Cannon,
        Kind::Soldier,
    ];

    /// The number of pieces of the kind that a side has at the start of a game.
    pub fn count(self) -> usize {
        match self {
            Kind::General => 1,
            Kind::Soldier => 5,
            _ => 2,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::General => "general",
            Kind::Adviser => "adviser",
            Kind::Elephant => "elephant",
            Kind::Horse => "horse",
            Kind::Chariot => "chariot",
            Kind::Cannon => "cannon",
            Kind::Soldier => "soldier",
        })
    }
}

/// A kind of piece of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// Its side.
    pub side: Side,
    /// Its kind.
    pub kind: Kind,
}

impl Piece {
    /// The 14 pieces: Red's kinds, then Black's.
    pub fn all() -> impl Iterator<Item = Piece> {
        let of_side = |side| Kind::ALL.map(|kind| Piece { side, kind });
        Side::BOTH.into_iter().flat_map(of_side)
    }

    /// The letter of the piece in a FEN: upper case for Red.
    pub fn letter(self) -> char {
        let letter = match self.kind {
            Kind::General => 'k',
            Kind::Adviser => 'a',
            Kind::Elephant => 'b',
            Kind::Horse => 'n',
            Kind::Chariot => 'r',
            Kind::Cannon => 'c',
            Kind::Soldier => 'p',
        };
        match self.side {
            Side::Red => letter.to_ascii_uppercase(),
            Side::Black => letter,
        }
    }

    /// The piece with this letter. E and H are also accepted for elephant and
    /// horse.
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = match letter {
            'E' => 'B',
            'e' => 'b',
            'H' => 'N',
            'h' => 'n',
            letter => letter,
        };
        Piece::all().find(|piece| piece.letter() == letter)
    }

    /// The traditional Chinese character on the piece.
    pub fn character(self) -> char {
        let (red, black) = match self.kind {
            Kind::General => ('帥', '將'),
            Kind::Adviser => ('仕', '士'),
            Kind::Elephant => ('相', '象'),
            Kind::Horse => ('傌', '馬'),
            Kind::Chariot => ('俥', '車'),
            Kind::Cannon => ('炮', '砲'),
            Kind::Soldier => ('兵', '卒'),
        };
        match self.side {
            Side::Red => red,
            Side::Black => black,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.side, self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn letters_and_characters_distinguish_pieces() {
        assert!(Piece::all().all(|piece| Piece::from_letter(piece.letter()) == Some(piece)));
        let characters: HashSet<char> = Piece::all().map(Piece::character).collect();
        assert_eq!(characters.len(), 14);
        let of = |letter| Piece::from_letter(letter).map(|piece| piece.to_string());
        assert_eq!(of('H').as_deref(), Some("Red horse"));
        assert_eq!(of('e').as_deref(), Some("Black elephant"));
        assert_eq!((of('Q'), of('1')), (None, None));
    }

    #[test]
    fn a_side_has_sixteen_pieces() {
        let counts = Kind::ALL.map(Kind::count);
        assert_eq!(counts.iter().sum::<usize>(), 16);
    }
}
