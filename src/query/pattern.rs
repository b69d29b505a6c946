//! Patterns: the contents of some squares.

use super::error::PositionTestError;
use super::goal::origins;
use super::material::{letter_of, piece_of};
use super::visitors;
use crate::chess::{
    ChessPosition, Color, File, Piece, Rank, Role, Skeleton, Square, officer_of, side_of,
};
use crate::index::{PlaceSet, Ternary, Visits};
use std::fmt;
use std::str::FromStr;

/// The contents of some squares; all other squares are unconstrained.
///
/// Written either as the ranks of a board from the eighth, as in a FEN, where digits
/// are unconstrained squares and a dot is an empty one: `8/8/3p4/3N4/8/8/8/8`; or as
/// pieces with their squares: `Nd5 pd6 .e4`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The constrained squares, each with a piece or `None` for an empty square.
    wanted: Vec<(Square, Option<Piece>)>,
    /// The side of each wanted pawn, and the squares from which it can come.
    origins: Vec<(usize, u64)>,
}

impl Pattern {
    fn new(mut wanted: Vec<(Square, Option<Piece>)>) -> Pattern {
        wanted.sort_by_key(|(square, _)| *square);
        let pawns = wanted.iter().filter_map(|(square, piece)| {
            let pawn = piece.filter(|piece| piece.role == Role::Pawn)?;
            let side = side_of(pawn.color);
            let [.., origins] = origins::<8>(1 << u32::from(*square), side);
            Some((side, origins))
        });
        Pattern {
            origins: pawns.collect(),
            wanted,
        }
    }

    /// The pattern mirrored left to right.
    pub fn mirrored(&self) -> Pattern {
        self.map(|square, piece| (square.flip_horizontal(), piece))
    }

    /// The pattern for the other side: colours exchanged, ranks mirrored.
    pub fn flipped(&self) -> Pattern {
        self.map(|square, piece| {
            let piece = piece.map(|piece| Piece {
                color: !piece.color,
                ..piece
            });
            (square.flip_vertical(), piece)
        })
    }

    fn map(&self, change: impl Fn(Square, Option<Piece>) -> (Square, Option<Piece>)) -> Pattern {
        let wanted = self.wanted.iter();
        let changed = wanted.map(|(square, piece)| change(*square, *piece));
        Pattern::new(changed.collect())
    }

    /// Whether positions with this skeleton match.
    pub(super) fn judge(&self, skeleton: &Skeleton) -> Ternary {
        let pawn_on = |square: Square| {
            let bit = 1u64 << u32::from(square);
            skeleton.pawns.map(|pawns| pawns & bit != 0)
        };
        let judge = |(square, piece): &(Square, Option<Piece>)| {
            let is_pawn = piece.filter(|piece| piece.role == Role::Pawn);
            let expected = is_pawn.map_or([false; 2], |pawn| {
                [pawn.color.is_white(), pawn.color.is_black()]
            });
            match (pawn_on(*square) == expected, is_pawn, piece) {
                (false, ..) => Ternary::FALSE,
                (true, Some(_), _) => Ternary::TRUE,
                (true, None, Some(piece)) if self.lacks(skeleton, *piece, *square) => {
                    Ternary::FALSE
                }
                (true, None, _) => Ternary::UNKNOWN,
            }
        };
        Ternary::all(self.wanted.iter().map(judge))
    }

    /// Whether a position with this skeleton has fewer pieces like this one than are wanted; of
    /// bishops, on squares of this colour.
    fn lacks(&self, skeleton: &Skeleton, piece: Piece, square: Square) -> bool {
        let Some(officer) = officer_of(piece.role, square) else {
            return false;
        };
        let is_like_it = |(square, other): &&(Square, Option<Piece>)| {
            *other == Some(piece) && officer_of(piece.role, *square) == Some(officer)
        };
        let of_side = skeleton.officers.get(side_of(piece.color));
        let count = of_side.and_then(|counts| counts.get(officer));
        count.is_none_or(|count| self.wanted.iter().filter(is_like_it).count() > (*count).into())
    }

    /// Whether no later position can match: no pawn can reach the square of a wanted
    /// one.
    pub(super) fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool {
        self.origins.iter().any(|(side, origins)| {
            let pawns = skeleton.pawns.get(*side);
            pawns.is_some_and(|pawns| pawns & origins == 0)
        })
    }

    /// Whether a game that ends with these pawns at home may have a matching
    /// position.
    pub(super) fn may_be_before(&self, home_pawns: u16) -> bool {
        let mut wanted = self.wanted.iter();
        wanted.all(|(square, piece)| {
            let (bit, side) = match square.rank() {
                Rank::Second => (u32::from(square.file()), Color::White),
                Rank::Seventh => (8 + u32::from(square.file()), Color::Black),
                _ => return true,
            };
            let pawn = Piece {
                color: side,
                role: Role::Pawn,
            };
            home_pawns >> bit & 1 == 0 || *piece == Some(pawn)
        })
    }

    /// The games with pieces on these squares, at whatever time; `None` if that is not known.
    pub(super) fn visitors(&self, visits: &Visits) -> Option<PlaceSet> {
        let pieces = self.wanted.iter();
        let pieces = pieces.filter_map(|(square, piece)| Some((*square, (*piece)?)));
        visitors::all(pieces.map(|(square, piece)| visits.games_with(piece, square)))
    }

    /// Whether a position matches.
    pub(super) fn is_in(&self, position: &ChessPosition) -> bool {
        let mut wanted = self.wanted.iter();
        wanted.all(|(square, piece)| position.piece_at(*square) == *piece)
    }

    fn of_board(text: &str) -> Result<Vec<(Square, Option<Piece>)>, PositionTestError> {
        let mut wanted = Vec::new();
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(PositionTestError::Ranks);
        }
        for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
            let mut files = File::ALL.into_iter();
            for letter in text.chars() {
                let skipped = letter.to_digit(10).filter(|digit| (1..=8).contains(digit));
                if let Some(skipped) = skipped {
                    for _ in 0..skipped {
                        files.next().ok_or(PositionTestError::Files)?;
                    }
                    continue;
                }
                let file = files.next().ok_or(PositionTestError::Files)?;
                wanted.push((Square::from_coords(file, rank), thing(letter)?));
            }
            if files.next().is_some() {
                return Err(PositionTestError::Files);
            }
        }
        Ok(wanted)
    }

    fn of_list(text: &str) -> Result<Vec<(Square, Option<Piece>)>, PositionTestError> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let wanted = words.map(|word| {
            let letter = word.chars().next().ok_or(PositionTestError::Empty)?;
            let square = word.get(letter.len_utf8()..).unwrap_or_default();
            let square = square
                .parse()
                .map_err(|_| PositionTestError::Square(word.to_owned()))?;
            Ok((square, thing(letter)?))
        });
        wanted.collect()
    }
}

/// Refuses pieces that no position has.
fn check_pieces(wanted: &[(Square, Option<Piece>)]) -> Result<(), PositionTestError> {
    for color in [Color::White, Color::Black] {
        let last = color.fold_wb(Rank::Eighth, Rank::First);
        let places = |role: Role| {
            let wanted = wanted.iter();
            wanted.filter(move |(_, piece)| *piece == Some(Piece { color, role }))
        };
        if places(Role::King).count() > 1 {
            return Err(PositionTestError::Impossible("two kings of a side"));
        }
        if places(Role::Pawn).any(|(square, _)| square.rank() == last) {
            return Err(PositionTestError::Impossible(
                "a pawn on the rank where it promotes",
            ));
        }
    }
    Ok(())
}

/// Parses the content of a square.
fn thing(letter: char) -> Result<Option<Piece>, PositionTestError> {
    match letter {
        '.' => Ok(None),
        letter => piece_of(letter)
            .map(Some)
            .ok_or(PositionTestError::Letter(letter)),
    }
}

impl FromStr for Pattern {
    type Err = PositionTestError;

    fn from_str(text: &str) -> Result<Self, PositionTestError> {
        let text = text.trim();
        let pattern = Pattern::new(match text.contains('/') {
            true => Pattern::of_board(text)?,
            false => Pattern::of_list(text)?,
        });
        let wanted = &pattern.wanted;
        let is_twice = |pair: &[(Square, _)]| matches!(pair, [(a, _), (b, _)] if a == b);
        if wanted.windows(2).any(is_twice) {
            return Err(PositionTestError::Twice);
        }
        if wanted.is_empty() {
            return Err(PositionTestError::Empty);
        }
        check_pieces(wanted)?;
        Ok(pattern)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (square, piece)) in self.wanted.iter().enumerate() {
            let gap = if at > 0 { " " } else { "" };
            write!(out, "{gap}{}{square}", piece.map_or('.', letter_of))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Pattern {
        text.parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn both_ways_of_writing_say_the_same() {
        let list = read("pd6, Nd5 .e4");
        assert_eq!(read("8/8/3p4/3N4/4.3/8/8/8"), list);
        assert_eq!(list.to_string(), ".e4 Nd5 pd6");
        assert_eq!(read(&list.to_string()), list);
    }

    #[test]
    fn patterns_are_turned() {
        let pattern = read("Nd5 .a1");
        assert_eq!(pattern.mirrored(), read("Ne5 .h1"));
        assert_eq!(pattern.flipped(), read("nd4 .a8"));
        assert_eq!(pattern.flipped().flipped(), pattern);
    }

    #[test]
    fn patterns_are_found_on_boards() {
        let start = ChessPosition::standard();
        for (text, is_there) in [
            ("Ke1 ke8 .e4", true),
            ("8/pppppppp/......../8/8/8/8/8", true),
            ("Ke1 Qe8", false),
            ("Pe4", false),
        ] {
            assert_eq!(read(text).is_in(&start), is_there, "{text}");
        }
    }

    #[test]
    fn skeletons_decide_patterns_of_pawns() {
        let fen = "4k3/8/3p4/8/8/8/4P3/R2BKN2 w - - 0 1";
        let position = ChessPosition::from_fen(fen.as_bytes(), crate::chess::Rules::CHESS);
        let skeleton = position.unwrap().skeleton();
        for (text, judged) in [
            ("pd6 Pe2", Ternary::TRUE),
            ("pd6 Pe2 ke8", Ternary::UNKNOWN),
            ("pd6 .e4", Ternary::UNKNOWN),
            ("pd6 .e2", Ternary::FALSE),
            ("pd6 Ne2", Ternary::FALSE),
            ("pd5", Ternary::FALSE),
            ("Ra7", Ternary::UNKNOWN),
            ("Ra7 Rb7", Ternary::FALSE),
            ("na7", Ternary::FALSE),
            // The bishop is on light squares.
            ("Bh7", Ternary::UNKNOWN),
            ("Bg7", Ternary::FALSE),
            ("Bh7 Bg6", Ternary::FALSE),
        ] {
            assert_eq!(read(text).judge(&skeleton), judged, "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "Xe4",
            "Ne9",
            "N",
            "Ne4 pe4",
            "8/8",
            "9/8/8/8/8/8/8/8",
            "7/8/8/8/8/8/8/8",
            "PPPPPPPPP/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8",
            "Pe8",
            "pe1",
            "Ke1 Kd1",
        ] {
            assert!(text.parse::<Pattern>().is_err(), "{text}");
        }
    }
}
