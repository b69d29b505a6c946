//! Sides and pieces, and the parts of the board that belong to a side.

use std::fmt;

use super::Point;

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum XiangqiSide {
    /// Moves first; its half is ranks 1 to 5.
    Red,
    /// Its half is ranks 6 to 10.
    Black,
}

impl XiangqiSide {
    /// Red, then Black, the order of IDs.
    pub const BOTH: [XiangqiSide; 2] = [XiangqiSide::Red, XiangqiSide::Black];

    /// The other side.
    pub fn other(self) -> Self {
        match self {
            XiangqiSide::Red => XiangqiSide::Black,
            XiangqiSide::Black => XiangqiSide::Red,
        }
    }

    /// The number of rows of a step forward: −1 or 1.
    pub(super) fn forward(self) -> i8 {
        match self {
            XiangqiSide::Red => -1,
            XiangqiSide::Black => 1,
        }
    }

    /// Whether a point is in the side's half.
    pub(super) fn is_on_own_half(self, point: Point) -> bool {
        match self {
            XiangqiSide::Red => point.row() >= 5,
            XiangqiSide::Black => point.row() <= 4,
        }
    }

    /// Whether a point is in the side's palace.
    pub(super) fn is_in_palace(self, point: Point) -> bool {
        let rows = match self {
            XiangqiSide::Red => 7..=9,
            XiangqiSide::Black => 0..=2,
        };
        (3..=5).contains(&point.file()) && rows.contains(&point.row())
    }
}

impl fmt::Display for XiangqiSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            XiangqiSide::Red => "Red",
            XiangqiSide::Black => "Black",
        })
    }
}

/// The kind of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum XiangqiPieceKind {
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

impl XiangqiPieceKind {
    /// All kinds, in the order of IDs.
    pub const ALL: [XiangqiPieceKind; 7] = [
        XiangqiPieceKind::General,
        XiangqiPieceKind::Adviser,
        XiangqiPieceKind::Elephant,
        XiangqiPieceKind::Horse,
        XiangqiPieceKind::Chariot,
        XiangqiPieceKind::Cannon,
        XiangqiPieceKind::Soldier,
    ];

    /// The number of pieces of the kind that a side has at the start of a game.
    pub fn count(self) -> usize {
        match self {
            XiangqiPieceKind::General => 1,
            XiangqiPieceKind::Soldier => 5,
            _ => 2,
        }
    }
}

impl fmt::Display for XiangqiPieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            XiangqiPieceKind::General => "general",
            XiangqiPieceKind::Adviser => "adviser",
            XiangqiPieceKind::Elephant => "elephant",
            XiangqiPieceKind::Horse => "horse",
            XiangqiPieceKind::Chariot => "chariot",
            XiangqiPieceKind::Cannon => "cannon",
            XiangqiPieceKind::Soldier => "soldier",
        })
    }
}

/// A kind of piece of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct XiangqiPiece {
    /// Its side.
    pub side: XiangqiSide,
    /// Its kind.
    pub kind: XiangqiPieceKind,
}

impl XiangqiPiece {
    /// The 14 pieces: Red's kinds, then Black's.
    pub fn all() -> impl Iterator<Item = XiangqiPiece> {
        let of_side = |side| XiangqiPieceKind::ALL.map(|kind| XiangqiPiece { side, kind });
        XiangqiSide::BOTH.into_iter().flat_map(of_side)
    }

    /// The letter of the piece in a FEN: upper case for Red.
    pub fn letter(self) -> char {
        let letter = match self.kind {
            XiangqiPieceKind::General => 'k',
            XiangqiPieceKind::Adviser => 'a',
            XiangqiPieceKind::Elephant => 'b',
            XiangqiPieceKind::Horse => 'n',
            XiangqiPieceKind::Chariot => 'r',
            XiangqiPieceKind::Cannon => 'c',
            XiangqiPieceKind::Soldier => 'p',
        };
        match self.side {
            XiangqiSide::Red => letter.to_ascii_uppercase(),
            XiangqiSide::Black => letter,
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
        XiangqiPiece::all().find(|piece| piece.letter() == letter)
    }

    /// The traditional Chinese character on the piece.
    pub fn character(self) -> char {
        let (red, black) = match self.kind {
            XiangqiPieceKind::General => ('帥', '將'),
            XiangqiPieceKind::Adviser => ('仕', '士'),
            XiangqiPieceKind::Elephant => ('相', '象'),
            XiangqiPieceKind::Horse => ('傌', '馬'),
            XiangqiPieceKind::Chariot => ('俥', '車'),
            XiangqiPieceKind::Cannon => ('炮', '砲'),
            XiangqiPieceKind::Soldier => ('兵', '卒'),
        };
        match self.side {
            XiangqiSide::Red => red,
            XiangqiSide::Black => black,
        }
    }
}

impl fmt::Display for XiangqiPiece {
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
        assert!(
            XiangqiPiece::all()
                .all(|piece| XiangqiPiece::from_letter(piece.letter()) == Some(piece))
        );
        let characters: HashSet<char> = XiangqiPiece::all().map(XiangqiPiece::character).collect();
        assert_eq!(characters.len(), 14);
        let of = |letter| XiangqiPiece::from_letter(letter).map(|piece| piece.to_string());
        assert_eq!(of('H').as_deref(), Some("Red horse"));
        assert_eq!(of('e').as_deref(), Some("Black elephant"));
        assert_eq!((of('Q'), of('1')), (None, None));
    }

    #[test]
    fn a_side_has_sixteen_pieces() {
        let counts = XiangqiPieceKind::ALL.map(XiangqiPieceKind::count);
        assert_eq!(counts.iter().sum::<usize>(), 16);
    }
}
