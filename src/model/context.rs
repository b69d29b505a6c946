//! Data of a game besides its moves.

use crate::chess::{Bitboard, Color, Outcome, Role};

use super::board::Board;

/// The ratings of the players, where known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ratings {
    /// The rating of White.
    pub white: Option<u16>,
    /// The rating of Black.
    pub black: Option<u16>,
}

impl Ratings {
    /// Reads the ratings from tag pairs, each a name and a value as written.
    pub fn of_tags<'a>(tags: impl Iterator<Item = (&'a [u8], &'a [u8])> + Clone) -> Self {
        let of = |name: &[u8]| {
            let (_, value) = tags.clone().find(|(found, _)| *found == name)?;
            rating(value)
        };
        Ratings {
            white: of(b"WhiteElo"),
            black: of(b"BlackElo"),
        }
    }
}

/// Parses a rating of one to four digits. Returns `None` for other values and
/// for 0.
fn rating(value: &[u8]) -> Option<u16> {
    let is_number = value.len() <= 4 && value.iter().all(u8::is_ascii_digit);
    let digits = value.iter().filter(|_| is_number);
    let rating = digits.fold(0, |rating, digit| 10 * rating + u16::from(digit - b'0'));
    (rating > 0).then_some(rating)
}

/// Data of a game that is known before its moves are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameContext {
    /// The ratings of the players.
    pub ratings: Ratings,
    /// The result, if known.
    pub outcome: Option<Outcome>,
    /// The number of plies; 0 if unknown.
    pub plies: u32,
}

impl GameContext {
    /// The bucket of the rating of a side: 0 unknown, then from 1 for less than
    /// 1200 to 6 for 2400 and more.
    pub(super) fn rating(&self, side: Color) -> usize {
        let rating = side.fold_wb(self.ratings.white, self.ratings.black);
        let bounds = [1200, 1500, 1800, 2100, 2400];
        rating.map_or(0, |rating| 1 + reached(&bounds, rating))
    }

    /// The result from the view of a side: 0 unknown, 1 draw, 2 win, 3 loss.
    pub(super) fn result(&self, side: Color) -> usize {
        match self.outcome {
            None => 0,
            Some(Outcome::Draw) => 1,
            Some(Outcome::Decisive { winner }) if winner == side => 2,
            Some(Outcome::Decisive { .. }) => 3,
        }
    }

    /// Whether a ply, counted from 0, is the last.
    pub(super) fn is_last(&self, ply: u32) -> bool {
        ply.checked_add(1) == Some(self.plies)
    }
}

/// The number of bounds that a number reaches; the bounds ascend.
pub(super) fn reached<T: PartialOrd>(bounds: &[T], number: T) -> usize {
    let reached = bounds.iter().take_while(|bound| number >= **bound);
    reached.count()
}

/// The bucket of a ply, counted from 0: one of eight.
#[inline(always)]
pub(super) fn ply_bucket(ply: u32) -> usize {
    reached(&[6, 10, 14, 18, 24, 32, 48], ply)
}

/// The phase of a game: 0 in the first 16 plies, then 1 to 3 by descending value
/// of the officers.
#[inline(always)]
pub(super) fn phase(board: &Board, ply: u32) -> usize {
    let officers = material(board, board.us()) + material(board, board.them());
    match officers {
        _ if ply < 16 => 0,
        40.. => 1,
        20.. => 2,
        _ => 3,
    }
}

/// The value in pawns of the officers among some pieces.
#[inline(always)]
fn material(board: &Board, pieces: Bitboard) -> usize {
    let worth = |role, value: usize| value * (board.by_role(role) & pieces).count();
    worth(Role::Knight, 3) + worth(Role::Bishop, 3) + worth(Role::Rook, 5) + worth(Role::Queen, 9)
}

/// The bucket of our lead in material: one of five, of which 2 is even.
#[inline(always)]
pub(super) fn balance(board: &Board) -> usize {
    let all = |pieces| material(board, pieces) + (board.by_role(Role::Pawn) & pieces).count();
    let (ours, theirs) = (all(board.us()), all(board.them()));
    match (ours.saturating_sub(theirs), theirs.saturating_sub(ours)) {
        (3.., _) => 4,
        (1.., _) => 3,
        (_, 0) => 2,
        (_, 1..=2) => 1,
        (_, 3..) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};

    #[test]
    fn ratings_are_numbers_of_at_most_four_digits() {
        let cases: [(&[u8], _); 10] = [
            (b"2851", Some(2851)),
            (b"1", Some(1)),
            (b"0900", Some(900)),
            (b"9999", Some(9999)),
            (b"", None),
            (b"0", None),
            (b"10000", None),
            (b"+900", None),
            (b"900 ", None),
            (b"-", None),
        ];
        for (value, expected) in cases {
            assert_eq!(rating(value), expected, "{value:?}");
        }
    }

    #[test]
    fn the_first_tag_pair_of_a_name_gives_the_rating() {
        let tags: [(&[u8], &[u8]); 5] = [
            (b"White", b"1000"),
            (b"BlackElo", b"?"),
            (b"WhiteElo", b"1500"),
            (b"BlackElo", b"2000"),
            (b"WhiteElo", b"2000"),
        ];
        let ratings = Ratings::of_tags(tags.into_iter());
        assert_eq!((ratings.white, ratings.black), (Some(1500), None));
    }

    #[test]
    fn buckets() {
        let ratings = [
            None,
            Some(0),
            Some(1199),
            Some(1200),
            Some(2399),
            Some(2400),
        ];
        let context = ratings.map(|white| GameContext {
            ratings: Ratings { white, black: None },
            ..GameContext::default()
        });
        let buckets = context.map(|context| context.rating(Color::White));
        assert_eq!(buckets, [0, 1, 1, 2, 5, 6]);
        assert_eq!(
            [0, 5, 6, 31, 32, 47, 48, 999].map(ply_bucket),
            [0, 0, 1, 5, 6, 6, 7, 7]
        );
    }

    #[test]
    fn results_are_seen_from_a_side() {
        let winner = Color::White;
        let context = GameContext {
            outcome: Some(Outcome::Decisive { winner }),
            plies: 3,
            ..GameContext::default()
        };
        assert_eq!(Color::ALL.map(|side| context.result(side)), [2, 3]);
        assert_eq!(
            [1, 2, 3].map(|ply| context.is_last(ply)),
            [false, true, false]
        );
    }

    #[test]
    fn material_counts() {
        for (fen, phases, ahead) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                [0, 1],
                2,
            ),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB2 w - - 0 1", [0, 2], 4),
            ("4k3/8/8/8/8/8/8/3QK3 b - - 0 1", [0, 3], 0),
            ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", [0, 3], 3),
            ("4k3/8/8/8/8/8/PP6/4K3 b - - 0 1", [0, 3], 1),
        ] {
            let position =
                ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
            let board = Board::new(&position).expect("chess");
            assert_eq!([15, 16].map(|ply| phase(&board, ply)), phases, "{fen}");
            assert_eq!(balance(&board), ahead, "{fen}");
        }
    }
}
