//! Parsing sets of pieces, squares and files.

use super::cursor::Cursor;
use crate::chess::{Bitboard, Color, Piece, Square};
use crate::query::parse::SyntaxError;
use crate::query::structure::atom::{Imbalance, UNBALANCED};
use crate::query::structure::pieces::PieceSet;

/// An error in a set, with the number of bytes before it.
type SetError = (usize, &'static str);

const PIECES: &str = "expected pieces such as P, n, [RQ], or A and a for all of a side";
const SQUARES: &str = "expected squares such as d, d4, 7, a-c, d4-6, [d4,e5] or [a,h]7";

/// Parses pieces, with squares if they are limited to some: `P`, `Nd5`, `[Pp]7`.
pub(super) fn pieces(cursor: &mut Cursor<'_>) -> Result<PieceSet, SyntaxError> {
    read(cursor, |text| {
        let (kinds, rest) = match text.strip_prefix('[') {
            Some(inner) => inner.split_once(']').ok_or((0, "expected `]`"))?,
            None => text.split_at_checked(1).ok_or((0, PIECES))?,
        };
        let mut set = PieceSet::none(Bitboard::FULL);
        let first = usize::from(text.starts_with('['));
        for (at, letter) in kinds.char_indices() {
            add(&mut set, letter).ok_or((first + at, PIECES))?;
        }
        if kinds.is_empty() {
            return Err((first, PIECES));
        }
        if rest.is_empty() {
            return Ok(set);
        }
        let before = text.len() - rest.len();
        let squares = squares_of(rest).map_err(|(at, why)| (before + at, why))?;
        Ok(set.on(squares))
    })
}

/// Parses squares: `d`, `7`, `d4-6`, `[d4,e5]`, `[a,h]7`.
pub(super) fn squares(cursor: &mut Cursor<'_>) -> Result<Bitboard, SyntaxError> {
    read(cursor, squares_of)
}

/// Parses files: `d`, `a-c`, `[a,h]`.
pub(super) fn file_set(cursor: &mut Cursor<'_>) -> Result<Bitboard, SyntaxError> {
    read(cursor, |text| {
        let squares = squares_of(text)?;
        match is_of_files(squares) {
            true => Ok(squares),
            false => Err((0, "expected files such as d, a-c or [a,h]")),
        }
    })
}

fn read<T>(
    cursor: &mut Cursor<'_>,
    parse: impl Fn(&str) -> Result<T, SetError>,
) -> Result<T, SyntaxError> {
    let start = cursor.place();
    let text = cursor.set_text();
    parse(text).map_err(|(at, why)| cursor.error_at(start + at, why))
}

fn add(set: &mut PieceSet, letter: char) -> Option<()> {
    match letter {
        'A' => add_all(set, Color::White),
        'a' => add_all(set, Color::Black),
        letter => {
            let piece = Piece::from_char(letter)?;
            set.add(piece.color, piece.role);
        }
    }
    Some(())
}

fn add_all(set: &mut PieceSet, side: Color) {
    for role in crate::chess::Role::ALL {
        set.add(side, role);
    }
}

fn squares_of(text: &str) -> Result<Bitboard, SetError> {
    let Some(list) = text.strip_prefix('[') else {
        return part(text);
    };
    let (inner, ranks) = list.split_once(']').ok_or((text.len(), "expected `]`"))?;
    let mut squares = Bitboard::EMPTY;
    let mut at = 1;
    for text in inner.split(',') {
        squares |= part(text).map_err(|(inside, why)| (at + inside, why))?;
        at += text.len() + 1;
    }
    if ranks.is_empty() {
        return Ok(squares);
    }
    // Ranks may follow a list of files: `[a,h]7`.
    let is_rank = ranks.starts_with(|first: char| first.is_ascii_digit());
    match part(ranks) {
        Ok(ranks) if is_rank && is_of_files(squares) => Ok(squares & ranks),
        _ => Err((at, SQUARES)),
    }
}

/// Whether squares are whole files.
fn is_of_files(squares: Bitboard) -> bool {
    let whole = (0..8).fold(squares.0, |files, rank| {
        files & squares.0.rotate_right(8 * rank)
    });
    whole == squares.0
}

/// Squares of some files and ranks: `d`, `d-e`, `7`, `4-6`, `d-e4-6`.
fn part(text: &str) -> Result<Bitboard, SetError> {
    let (files, rest) = range(text, 'a');
    let (ranks, end) = range(rest, '1');
    let is_named = rest.len() < text.len() || end.len() < rest.len();
    if !end.is_empty() || !is_named {
        return Err((text.len() - end.len(), SQUARES));
    }
    let squares = Square::ALL.into_iter().filter(|square| {
        files.contains(&u32::from(square.file())) && ranks.contains(&u32::from(square.rank()))
    });
    Ok(squares.collect())
}

/// A file or rank, or a range of them, counted from `first`; all if none is written. Returns the
/// remaining text too.
fn range(text: &str, first: char) -> (std::ops::RangeInclusive<u32>, &str) {
    let number = |text: &str| {
        let letter = text.chars().next()?;
        u32::from(letter)
            .checked_sub(u32::from(first))
            .filter(|number| *number < 8)
    };
    let Some(low) = number(text) else {
        return (0..=7, text);
    };
    let rest = text.get(1..).unwrap_or_default();
    match rest
        .strip_prefix('-')
        .and_then(|rest| Some((number(rest)?, rest)))
    {
        Some((high, rest)) => (
            low.min(high)..=low.max(high),
            rest.get(1..).unwrap_or_default(),
        ),
        None => (low..=low, rest),
    }
}

/// Parses a difference in material: what White has more, `v`, what Black has more.
pub(crate) fn imbalance(text: &str) -> Option<Imbalance> {
    let (white, black) = text.split_once('v')?;
    let mut imbalance = Imbalance::default();
    for (letters, step) in [(white, 1i8), (black, -1)] {
        for letter in letters.chars() {
            let piece = Piece::from_char(letter).filter(|piece| piece.color.is_white())?;
            let kind = UNBALANCED.iter().position(|role| *role == piece.role)?;
            let difference = imbalance.0.get_mut(kind)?;
            *difference = difference.checked_add(step)?;
        }
    }
    Some(imbalance)
}
