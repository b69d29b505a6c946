//! Material: the number of pieces of each kind.

use super::error::PositionTestError;
use crate::chess::{ChessPosition, Color, Piece, Role, Skeleton};
use std::str::FromStr;

/// The kinds of pieces: White's, then Black's.
const KINDS: [char; 12] = ['P', 'N', 'B', 'R', 'Q', 'K', 'p', 'n', 'b', 'r', 'q', 'k'];

/// The index of a piece's kind.
pub(super) fn kind_of(piece: Piece) -> usize {
    let of_white = match piece.role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen => 4,
        Role::King => 5,
    };
    of_white + piece.color.fold_wb(0, 6)
}

/// The piece of a letter.
pub(super) fn piece_of(letter: char) -> Option<Piece> {
    Piece::from_char(letter)
}

/// Limits on the number of pieces of each kind. Written as one letter per piece, as
/// in a FEN, in any order: `KRPkrp`. After a letter, `*` means any number, `+` one or
/// more, `?` none or one, `{2}` two, `{0-2}` up to two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    /// The minimum and maximum of each kind.
    counts: [(u8, u8); 12],
}

impl Material {
    /// The material with colours exchanged.
    pub fn flipped(&self) -> Material {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = self.counts;
        Material {
            counts: [g, h, i, j, k, l, a, b, c, d, e, f],
        }
    }

    /// Whether positions with this skeleton match.
    pub(super) fn is_of_skeleton(&self, skeleton: &Skeleton) -> bool {
        let counts = [0, 1]
            .into_iter()
            .flat_map(|side| counts_of(skeleton, side));
        let mut kinds = counts.zip(&self.counts);
        kinds.all(|(count, (least, most))| (least..=most).contains(&&count))
    }

    /// Whether no position from this skeleton on can match.
    pub(super) fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool {
        let sides = self.counts.chunks_exact(6);
        (0..).zip(sides).any(|(side, kinds)| {
            let least = |kinds: &[(u8, u8)]| kinds.iter().map(|(least, _)| u32::from(*least)).sum();
            let pawns: u32 = least(kinds.get(..1).unwrap_or_default());
            let all: u32 = least(kinds);
            let has_pawns = skeleton
                .pawns
                .get(side)
                .map_or(0, |pawns| pawns.count_ones());
            has_pawns < pawns || skeleton.piece_count(side) < all
        })
    }

    /// Whether a position before one with this skeleton may match, in a game with this many
    /// promotions: pieces become more by promotions alone.
    pub(super) fn may_precede(&self, later: &Skeleton, promotions: u32) -> bool {
        let sides = self.counts.chunks_exact(6);
        (0..).zip(sides).all(|(side, kinds)| {
            let counts = counts_of(later, side);
            let too_many = counts.iter().zip(kinds);
            let mut too_many =
                too_many.map(|(count, (_, most))| u32::from(count.saturating_sub(*most)));
            too_many.next() == Some(0) && too_many.sum::<u32>() <= promotions
        })
    }

    /// Whether a game that ends with this many men of White and of Black may have a
    /// matching position.
    pub(super) fn may_be_before(&self, men: [u8; 2]) -> bool {
        let most = |kinds: &[(u8, u8)]| kinds.iter().map(|(_, most)| u32::from(*most)).sum();
        let (white, black) = self.counts.split_at(6);
        let most: [u32; 2] = [most(white), most(black)];
        men.iter()
            .zip(most)
            .all(|(men, most)| u32::from(*men) <= most)
    }

    /// Whether a position matches.
    pub(super) fn is_of(&self, position: &ChessPosition) -> bool {
        let mut counts = [0u8; 12];
        for (_, color, role) in position.pieces() {
            if let Some(count) = counts.get_mut(kind_of(Piece { color, role })) {
                *count += 1;
            }
        }
        let mut kinds = counts.iter().zip(&self.counts);
        kinds.all(|(count, (least, most))| (least..=most).contains(&count))
    }
}

impl FromStr for Material {
    type Err = PositionTestError;

    fn from_str(text: &str) -> Result<Self, PositionTestError> {
        let text = text.trim();
        let mut counts = [(0u8, 0u8); 12];
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let kind = KINDS.iter().position(|kind| *kind == letter);
            let count = kind.and_then(|kind| counts.get_mut(kind));
            let count = count.ok_or(PositionTestError::Letter(letter))?;
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            let ((least, most), after) = times(rest)?;
            *count = (count.0.saturating_add(least), count.1.saturating_add(most));
            rest = after;
        }
        if counts == [(0, 0); 12] {
            return Err(PositionTestError::Empty);
        }
        check_kings(text)?;
        if counts.chunks_exact(6).any(|side| !is_possible(side)) {
            let why = "two kings, nine pawns or seventeen pieces of a side";
            return Err(PositionTestError::Impossible(why));
        }
        Ok(Material { counts })
    }
}

/// Refuses a material that does not name both kings.
fn check_kings(text: &str) -> Result<(), PositionTestError> {
    let (has_white, has_black) = (text.contains('K'), text.contains('k'));
    if has_white && has_black {
        return Ok(());
    }
    let of_black = text.find(|letter: char| letter.is_ascii_lowercase());
    let (white, black) = text.split_at(of_black.unwrap_or(text.len()));
    let king = |is_there: bool, letter| if is_there { "" } else { letter };
    let example = [king(has_white, "K"), white, king(has_black, "k"), black].concat();
    Err(PositionTestError::MissingKing(example))
}

/// Whether a side can have the least numbers of pieces.
fn is_possible(side: &[(u8, u8)]) -> bool {
    let least = side.iter().map(|(least, _)| u32::from(*least));
    let [pawns, kings] =
        [side.first(), side.last()].map(|kind| kind.map_or(0, |(least, _)| *least));
    pawns <= 8 && kings <= 1 && least.sum::<u32>() <= 16
}

/// The number of pieces of a kind; of kings, one.
pub(super) fn piece_count(skeleton: &Skeleton, piece: Piece) -> u8 {
    let counts = counts_of(skeleton, piece.color.fold_wb(0, 1));
    let kind = kind_of(piece) % counts.len();
    counts.get(kind).copied().unwrap_or(0)
}

/// The number of pawns, knights, bishops, rooks, queens and kings of a side.
fn counts_of(skeleton: &Skeleton, side: usize) -> [u8; 6] {
    let pawns = skeleton
        .pawns
        .get(side)
        .map_or(0, |pawns| pawns.count_ones());
    let [knights, light_bishops, dark_bishops, rooks, queens] =
        skeleton.officers.get(side).copied().unwrap_or_default();
    let bishops = light_bishops.saturating_add(dark_bishops);
    let pawns = u8::try_from(pawns).unwrap_or(u8::MAX);
    [pawns, knights, bishops, rooks, queens, 1]
}

/// Parses the quantifier after a letter: minimum, maximum, and the remaining text.
fn times(text: &str) -> Result<((u8, u8), &str), PositionTestError> {
    for (sign, times) in [('*', (0, u8::MAX)), ('+', (1, u8::MAX)), ('?', (0, 1))] {
        if let Some(rest) = text.strip_prefix(sign) {
            return Ok((times, rest));
        }
    }
    let Some(inner) = text.strip_prefix('{') else {
        return Ok(((1, 1), text));
    };
    let (range, rest) = inner.split_once('}').ok_or(PositionTestError::Range)?;
    let (least, most) = range.split_once('-').unwrap_or((range, range));
    let number = |text: &str| {
        text.trim()
            .parse::<u8>()
            .map_err(|_| PositionTestError::Range)
    };
    let (least, most) = (number(least)?, number(most)?);
    match least <= most {
        true => Ok(((least, most), rest)),
        false => Err(PositionTestError::Range),
    }
}

/// The letter of a piece, as in a FEN.
pub(super) fn letter_of(piece: Piece) -> char {
    match piece.color {
        Color::White => piece.role.upper_char(),
        Color::Black => piece.role.char(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Rules;

    fn has(fen: &str, material: &str) -> bool {
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).unwrap();
        material.parse::<Material>().unwrap().is_of(&position)
    }

    #[test]
    fn material_is_counted() {
        let fen = "4k2r/7p/8/8/8/8/PP6/4K2R w - - 0 1";
        for material in [
            "KRPPkrp",
            "pPPRrKk",
            "KRP{2}krp",
            "KRP{0-2}krp+n*",
            "KRP+krp?",
            "KRPP?krp",
        ] {
            assert!(has(fen, material), "{material}");
        }
        for material in [
            "KRPkrp",
            "KRPPPkrp",
            "KRPPkrpn",
            "KRPPkr",
            "krppKRP",
            "KRP{3-9}krp",
        ] {
            assert!(!has(fen, material), "{material}");
        }
        let flipped = "krppKRP".parse::<Material>().unwrap().flipped();
        assert_eq!(flipped, "KRPPkrp".parse().unwrap());
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "KX", "Kk{", "Kk{x}", "Kk{2-1}", "Kk{300}", "*", "8"] {
            assert!(text.parse::<Material>().is_err(), "{text}");
        }
        for text in ["KKk", "KP{9}k", "KP{8}R{8}k", "Kkk"] {
            let error = text.parse::<Material>().unwrap_err();
            assert!(matches!(error, PositionTestError::Impossible(_)), "{text}");
        }
    }

    #[test]
    fn a_material_without_kings_is_refused_with_one_that_has_them() {
        for (text, example) in [
            ("KRP", "KRPk"),
            ("RPrp", "KRPkrp"),
            ("krp", "Kkrp"),
            ("Q", "KQk"),
        ] {
            let error = text.parse::<Material>().unwrap_err();
            assert_eq!(error, PositionTestError::MissingKing(example.to_owned()));
            assert!(example.parse::<Material>().is_ok());
        }
        assert!("K*k*q".parse::<Material>().is_ok());
    }

    /// The counts of a skeleton, with none above eight.
    fn exact(skeleton: &Skeleton) -> Material {
        let counts = [0, 1]
            .into_iter()
            .flat_map(|side| counts_of(skeleton, side));
        let mut of = [(0, 0); 12];
        for (range, count) in of.iter_mut().zip(counts) {
            *range = (count, count);
        }
        Material { counts: of }
    }

    #[test]
    fn material_comes_before_what_becomes_of_it() {
        // A pawn promotes to a knight with a capture, and the knight is captured.
        let game = "e4 d5 exd5 c5 dxc6 e5 cxb7 Nc6 bxa8=N e4 d4 exd3 Nf3 Qd7 Bxd3 Qb7 Nb6 Qxb6";
        let mut position = ChessPosition::standard();
        let mut skeletons = vec![position.skeleton()];
        for san in game.split_whitespace() {
            let text = crate::chess::SanText::parse(san.as_bytes()).unwrap();
            position.play_text(&text).unwrap();
            skeletons.push(position.skeleton());
        }
        let mut refused = 0;
        for (at, earlier) in skeletons.iter().enumerate() {
            let material = exact(earlier);
            for (after, later) in skeletons.iter().enumerate().skip(at) {
                assert!(material.may_precede(later, 1), "{at} {after}");
                refused += usize::from(!material.may_precede(later, 0));
            }
        }
        assert!(refused > 0, "the knight needs a promotion");
        let start = exact(&skeletons[0]);
        let last = exact(&skeletons[skeletons.len() - 1]);
        assert!(!last.may_precede(&skeletons[0], 1) && start.may_precede(&skeletons[0], 0));
    }
}
