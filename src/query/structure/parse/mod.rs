//! Parsing expressions: `opposite bishops and not passed P then within 20 mate`.
//!
//! ```text
//! sequence = any { "then" [ "within" N ] any }
//! any      = all { "or" all }
//! all      = single { "and" single }
//! single   = ( "not" | "ever" ) single | ( "(" sequence ")" | test ) [ "for" N ]
//! ```

mod cursor;
mod sets;
mod tests_of_positions;

use super::expression::{Expression, MOST_RELATIONS};
use crate::query::parse::SyntaxError;
use cursor::Cursor;
use std::str::FromStr;

#[cfg(feature = "scoutfish")]
pub(super) use sets::imbalance;

/// The maximum nesting depth of parentheses, `not` and `ever`.
const MOST_DEPTH: usize = 100;

impl FromStr for Expression {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let mut cursor = Cursor::new(text);
        let expression = sequence(&mut cursor, 0)?;
        match cursor.rest().trim_start() {
            "" if expression.relations() > MOST_RELATIONS => {
                let why = format!("there are more than {MOST_RELATIONS} relations over time");
                Err(cursor.error(why))
            }
            "" => Ok(expression),
            _ => Err(cursor.error("expected `and`, `or`, `then`, `for` or the end")),
        }
    }
}

fn sequence(cursor: &mut Cursor<'_>, depth: usize) -> Result<Expression, SyntaxError> {
    let first = any(cursor, depth)?;
    let mut links = Vec::new();
    while cursor.takes_word("then") {
        let within = match cursor.takes_word("within") {
            true => Some(cursor.positive()?),
            false => None,
        };
        let at = cursor.place();
        let next = any(cursor, depth).map_err(|error| match within {
            Some(_) if is_unit(cursor, at, &error) => cursor.error_at(at, WITHIN),
            _ => error,
        });
        links.push((within, next?));
    }
    Ok(Expression::then(first, links))
}

/// What is wrong if a unit follows the number of plies.
const WITHIN: &str = "the number after `within` is one of plies (half-moves), without a unit: \
                      `check then within 20 mate`";

/// Whether the word at a place is the unit of a number. `moves` is a condition too, unless what is
/// wrong is the word after it.
fn is_unit(cursor: &mut Cursor<'_>, at: usize, error: &SyntaxError) -> bool {
    cursor.go_to(at);
    match cursor.word().to_ascii_lowercase().as_str() {
        "move" | "plies" | "ply" => true,
        "moves" => error.at <= cursor.error("").at,
        _ => false,
    }
}

fn any(cursor: &mut Cursor<'_>, depth: usize) -> Result<Expression, SyntaxError> {
    let mut parts = vec![all(cursor, depth)?];
    while cursor.takes_word("or") {
        parts.push(all(cursor, depth)?);
    }
    Ok(Expression::any(parts))
}

fn all(cursor: &mut Cursor<'_>, depth: usize) -> Result<Expression, SyntaxError> {
    let mut parts = vec![single(cursor, depth)?];
    while cursor.takes_word("and") {
        parts.push(single(cursor, depth)?);
    }
    Ok(Expression::all(parts))
}

fn single(cursor: &mut Cursor<'_>, depth: usize) -> Result<Expression, SyntaxError> {
    if depth > MOST_DEPTH {
        return Err(cursor.error("nested too deep"));
    }
    if cursor.takes_word("not") {
        return Ok(Expression::not(single(cursor, depth + 1)?));
    }
    if cursor.takes_word("ever") {
        return Ok(Expression::ever(single(cursor, depth + 1)?));
    }
    let part = match cursor.takes("(") {
        true => {
            let inner = sequence(cursor, depth + 1)?;
            if !cursor.takes(")") {
                return Err(cursor.error("expected `)`"));
            }
            inner
        }
        false => Expression::test(tests_of_positions::test(cursor)?),
    };
    match cursor.takes_word("for") {
        true => Ok(Expression::lasting(cursor.positive()?, part)),
        false => Ok(part),
    }
}

#[cfg(test)]
mod tests;
