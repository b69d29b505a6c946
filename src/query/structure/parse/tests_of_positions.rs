//! Parsing single tests.

use super::cursor::Cursor;
use super::sets::{file_set, imbalance, pieces, squares};
use crate::chess::{Bitboard, CastlingSide, Color, SanPattern};
use crate::query::board::BoardTest;
use crate::query::error::PositionTestError;
use crate::query::parse::SyntaxError;
use crate::query::structure::atom::Atom;
use crate::query::structure::pawns::PawnKind;
use crate::query::structure::set::{Count, CountedSet, Operand, Relation};
use crate::text::hint;

const TEST: &str =
    "expected a test such as `check`, `isolated P` or `Nd5`, or `not`, `ever` or `(`";

/// The words with which tests begin, and those before them.
const WORDS: [&str; 27] = [
    "any",
    "attacked",
    "backward",
    "castled",
    "check",
    "doubled",
    "end",
    "ever",
    "fen",
    "half-open",
    "imbalance",
    "isolated",
    "mate",
    "material",
    "moves",
    "not",
    "open",
    "opposite",
    "passed",
    "pattern",
    "pieces",
    "pinned",
    "plays",
    "repeated",
    "stalemate",
    "takes",
    "turn",
];

/// Longer signs come before their prefixes.
const RELATIONS: [(&str, Relation); 6] = [
    ("!=", Relation::NotEqual),
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("=", Relation::Equal),
    ("<", Relation::Less),
    (">", Relation::Greater),
];

/// Parses a test.
pub(super) fn test(cursor: &mut Cursor<'_>) -> Result<Atom, SyntaxError> {
    let at = cursor.place();
    let word = cursor.word().to_ascii_lowercase();
    match word.as_str() {
        "any" => Ok(Atom::Always),
        "check" => Ok(Atom::Check),
        "mate" => Ok(Atom::Mate),
        "stalemate" => Ok(Atom::Stalemate),
        "end" => Ok(Atom::End),
        "opposite" => match cursor.takes_word("bishops") {
            true => Ok(Atom::OppositeBishops),
            false => Err(cursor.error("expected `bishops`")),
        },
        "turn" => Ok(Atom::Turn(side(cursor)?)),
        "castled" => castled(cursor),
        "repeated" => Ok(Atom::Repeated(cursor.positive()?)),
        "fen" | "pieces" | "material" | "pattern" | "imbalance" | "plays" => {
            with_text(cursor, &word)
        }
        "moves" => {
            let pieces = pieces(cursor)?;
            let to = match cursor.takes_word("to") {
                true => squares(cursor)?,
                false => Bitboard::FULL,
            };
            Ok(Atom::Moves(pieces, to))
        }
        "takes" => Ok(Atom::Takes(pieces(cursor)?)),
        _ => {
            cursor.go_to(at);
            count(cursor)
        }
    }
}

fn side(cursor: &mut Cursor<'_>) -> Result<Color, SyntaxError> {
    let sides = [("white", Color::White), ("black", Color::Black)];
    let mut sides = sides.into_iter();
    let found = sides.find(|(name, _)| cursor.takes_word(name));
    found
        .map(|(_, side)| side)
        .ok_or_else(|| cursor.error("expected `white` or `black`"))
}

fn castled(cursor: &mut Cursor<'_>) -> Result<Atom, SyntaxError> {
    for (name, is_same) in [("same", true), ("opposite", false)] {
        if cursor.takes_word(name) {
            return Ok(Atom::BothCastled { is_same });
        }
    }
    let Ok(side) = side(cursor) else {
        return Err(cursor.error("expected `white`, `black`, `same` or `opposite`"));
    };
    let ways = [
        ("short", CastlingSide::KingSide),
        ("long", CastlingSide::QueenSide),
    ];
    let mut ways = ways.into_iter();
    let way = ways.find(|(name, _)| cursor.takes_word(name));
    Ok(Atom::Castled(side, way.map(|(_, way)| way)))
}

const QUOTE_FEN: &str = ", in quotes: `fen \"… w\"`; or compare only the pieces: `pieces …`";

/// Parses the text after one of the names that have one.
fn with_text(cursor: &mut Cursor<'_>, name: &str) -> Result<Atom, SyntaxError> {
    let at = cursor.place();
    let text = cursor.argument()?;
    let board = |board: Result<BoardTest, PositionTestError>| match board {
        Ok(board) => Ok(Atom::Board(Box::new(board))),
        Err(error @ PositionTestError::NoSideToMove) => Err(format!("{error}{QUOTE_FEN}")),
        Err(error) => Err(error.to_string()),
    };
    let atom = match name {
        "fen" => board(BoardTest::exact(text)),
        "pieces" => board(BoardTest::pieces(text)),
        "material" => board(text.parse().map(|one| BoardTest::Material(vec![one]))),
        "pattern" => board(text.parse().map(|one| BoardTest::Pattern(vec![one]))),
        "imbalance" => match imbalance(text) {
            Some(imbalance) => Ok(Atom::Imbalance(vec![imbalance])),
            None => Err("expected a difference such as PPvN, White's pieces first".to_owned()),
        },
        _ => match SanPattern::parse(text) {
            Some(pattern) => Ok(Atom::Plays(vec![pattern])),
            None => Err("expected a move such as Nf3, exd5, e8=Q or O-O".to_owned()),
        },
    };
    atom.map_err(|why| cursor.error_at(at, why))
}

/// Parses a set, with a comparison of its size if there is one.
fn count(cursor: &mut Cursor<'_>) -> Result<Atom, SyntaxError> {
    let set = counted(cursor)?;
    let mut relations = RELATIONS.into_iter();
    let Some((_, relation)) = relations.find(|(sign, _)| cursor.takes(sign)) else {
        return Ok(Atom::Count(Count::any(set)));
    };
    cursor.place();
    let is_number = cursor
        .rest()
        .starts_with(|char: char| char.is_ascii_digit());
    let operand = match is_number {
        true => Operand::Number(cursor.number()?),
        false => Operand::Count(counted(cursor)?),
    };
    Ok(Atom::Count(Count {
        set,
        relation,
        operand,
    }))
}

fn counted(cursor: &mut Cursor<'_>) -> Result<CountedSet, SyntaxError> {
    let at = cursor.place();
    let word = cursor.word();
    let pawn_kind = match word.to_ascii_lowercase().as_str() {
        "isolated" => PawnKind::Isolated,
        "doubled" => PawnKind::Doubled,
        "passed" => PawnKind::Passed,
        "backward" => PawnKind::Backward,
        "pinned" => return Ok(CountedSet::Pinned(pieces(cursor)?)),
        "attacked" => {
            let attacked = pieces(cursor)?;
            let attackers = match cursor.takes_word("by") {
                true => Some(pieces(cursor)?),
                false => None,
            };
            return Ok(CountedSet::Attacked(attacked, attackers));
        }
        "open" => return Ok(CountedSet::OpenFiles(file_set(cursor)?)),
        "half-open" => {
            let side = side(cursor)?;
            return Ok(CountedSet::HalfOpenFiles(side, file_set(cursor)?));
        }
        _ => {
            cursor.go_to(at);
            let is_meant = cursor.rest().starts_with('[') || is_likely_pieces(word);
            let set = pieces(cursor).map(CountedSet::Pieces);
            return set.map_err(|error| match is_meant {
                true => error,
                false => cursor.error_at(at, format!("{TEST}{}", hint(word, WORDS))),
            });
        }
    };
    let at = cursor.place();
    let pawns = pieces(cursor)?;
    match pawns.is_of_pawns() {
        true => Ok(CountedSet::Pawns(pawn_kind, pawns)),
        false => Err(cursor.error_at(at, "expected pawns: P, p or [Pp], on squares or not")),
    }
}

/// Whether a word that is no set of pieces is likely meant as one.
fn is_likely_pieces(word: &str) -> bool {
    let mut letters = word.chars();
    let is_piece = |letter: char| "KQRBNPAkqrbnpa".contains(letter);
    let is_square = |letter: char| matches!(letter, 'a'..='h' | '0'..='9' | '-');
    letters.next().is_some_and(is_piece) && letters.all(is_square)
}
