//! The rules of a condition. A rule has a text, or a list of texts that are alternatives.

use crate::chess::{Bitboard, Color, Piece, SanPattern};
use crate::query::board::BoardTest;
use crate::query::filter::Filter;
use crate::query::material::Material;
use crate::query::pattern::Pattern;
use crate::query::structure::atom::Atom;
use crate::query::structure::expression::Expression;
use crate::query::structure::parse::imbalance;
use crate::query::structure::pieces::PieceSet;
use serde_json::Value;

/// The rule `result`.
pub(super) fn result(value: &Value) -> Result<Filter, String> {
    let is = |text: &str| Filter::tag_equals("Result", text);
    let results = each(value, |text| match text {
        "1-0" | "0-1" | "*" => Some(is(text)),
        // Scoutfish takes the short form for a draw too.
        "1/2-1/2" => Some(Filter::any([is(text), is("1/2")])),
        _ => None,
    });
    let expected = "expected \"1-0\", \"0-1\", \"1/2-1/2\" or \"*\"";
    Ok(Filter::any(results.ok_or(expected)?))
}

/// The rules `white-move` and `black-move`.
pub(super) fn moves(name: &str, value: &Value) -> Result<Expression, String> {
    let side = match name {
        "white-move" => Color::White,
        _ => Color::Black,
    };
    let moves = each(value, SanPattern::parse);
    let moves = moves.ok_or("expected a move in SAN, such as \"Nf3\"")?;
    Ok(Expression::all(vec![
        Expression::test(Atom::Turn(side)),
        Expression::test(Atom::Plays(moves)),
    ]))
}

/// The other rules.
pub(super) fn rule(name: &str, value: &Value) -> Result<Vec<Expression>, String> {
    let test = |atom| Ok(vec![Expression::test(atom)]);
    let board = |board| Ok(vec![Expression::of_board(board)]);
    match name {
        "sub-fen" => {
            let patterns = each(value, sub_fen);
            let expected = "expected the board of a FEN, with a piece";
            board(BoardTest::Pattern(patterns.ok_or(expected)?))
        }
        "material" => {
            let materials = each(value, material);
            let expected = "expected White's pieces, then Black's, kings first: \"KBNPKR\"";
            board(BoardTest::Material(materials.ok_or(expected)?))
        }
        "imbalance" => {
            let imbalances = each(value, imbalance);
            let expected = "expected what White has more, v, what Black has more: \"PPvN\"";
            test(Atom::Imbalance(imbalances.ok_or(expected)?))
        }
        "moved" => {
            let pieces = pieces(value).filter(|(_, is_empty)| !is_empty);
            let (pieces, _) = pieces.ok_or("expected letters of pieces, such as \"KP\"")?;
            test(Atom::Moves(pieces, Bitboard::FULL))
        }
        "captured" => {
            let expected = "expected letters of pieces, such as \"QR\", or \"\" for no capture";
            match pieces(value).ok_or(expected)? {
                (pieces, false) => test(Atom::Takes(pieces)),
                (_, true) => Ok(vec![
                    Expression::not(Expression::test(Atom::End)),
                    Expression::not(Expression::test(Atom::Takes(PieceSet::all()))),
                ]),
            }
        }
        "stm" => match one(value).map(str::to_ascii_lowercase).as_deref() {
            Some("white") => test(Atom::Turn(Color::White)),
            Some("black") => test(Atom::Turn(Color::Black)),
            _ => Err("expected \"white\" or \"black\"".to_owned()),
        },
        "result-type" => match one(value) {
            Some("mate") => test(Atom::Mate),
            Some("stalemate") => test(Atom::Stalemate),
            _ => Err("expected \"mate\" or \"stalemate\"".to_owned()),
        },
        "pass" => test(Atom::Always),
        "skip" | "limit" => Err("not a condition: take as many hits as are wanted".to_owned()),
        "sequence" | "streak" => Err("not in a condition of a sequence or streak".to_owned()),
        _ => Err("no rule of this name is known".to_owned()),
    }
}

fn one(value: &Value) -> Option<&str> {
    value.as_str()
}

/// Parses a text, or each of a list, which is not empty.
fn each<T>(value: &Value, parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    match value {
        Value::String(text) => Some(vec![parse(text)?]),
        Value::Array(list) if !list.is_empty() => {
            list.iter().map(|text| parse(text.as_str()?)).collect()
        }
        _ => None,
    }
}

fn sub_fen(text: &str) -> Option<Pattern> {
    let board = text.split_whitespace().next()?;
    board.parse().ok().filter(|_| board.contains('/'))
}

/// White's pieces, then Black's, which begin at the second king.
fn material(text: &str) -> Option<Material> {
    let (white, black) = text.strip_prefix('K')?.split_once('K')?;
    let is_kind = |letter: char| "QRBNP".contains(letter);
    if !white.chars().chain(black.chars()).all(is_kind) {
        return None;
    }
    format!("K{white}k{}", black.to_ascii_lowercase())
        .parse()
        .ok()
}

/// The pieces of both sides that letters name, and whether these are none.
fn pieces(value: &Value) -> Option<(PieceSet, bool)> {
    let text = one(value)?;
    let mut pieces = PieceSet::none(Bitboard::FULL);
    for letter in text.chars() {
        let role = Piece::from_char(letter)?.role;
        Color::ALL
            .into_iter()
            .for_each(|side| pieces.add(side, role));
    }
    Some((pieces, text.is_empty()))
}
