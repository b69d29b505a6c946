//! Queries in the JSON of Scoutfish, as its README describes it.
//!
//! ```text
//! JSON ─► conditions ─┬─ `result` ─────► Filter
//!                     └─ other rules ──► Expression, with `then` and `then within 1`
//! ```

mod rules;
#[cfg(test)]
mod tests;

use super::expression::{Expression, MOST_RELATIONS};
use crate::query::filter::Filter;
use crate::query::position_test::PositionTest;
use crate::query::run::Query;
use serde_json::{Map, Value};

/// The text is no query of Scoutfish.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
#[non_exhaustive]
pub struct ScoutfishError {
    /// Where it is: a line and column, or a rule such as `sequence[1].material`.
    pub place: String,
    /// The description of the error.
    pub message: String,
}

impl ScoutfishError {
    fn new(place: impl Into<String>, message: impl Into<String>) -> ScoutfishError {
        ScoutfishError {
            place: place.into(),
            message: message.into(),
        }
    }
}

/// An object of a query, with its place.
type Object = Map<String, Value>;

impl Query {
    /// Parses a query in the JSON of [Scoutfish](https://github.com/mcostalba/scoutfish): the
    /// rules `sub-fen`, `material`, `imbalance`, `white-move`, `black-move`, `moved`, `captured`,
    /// `stm`, `result`, `result-type` and `pass`, alone or in a `sequence` or `streak`.
    ///
    /// As with Scoutfish, a rule on a move looks at the move that is played in a position, and the
    /// place of a hit is the position in which the last condition holds. Otherwise than with
    /// Scoutfish, what is not known is an error; a streak is found wherever it is; the file of a
    /// pawn's origin and the piece of a promotion count if they are written; `result` is the
    /// tag Result.
    ///
    /// ```
    /// # use pgna::Query;
    /// let query = Query::from_scoutfish(r#"{"white-move": "O-O-O", "result": "1-0"}"#)?;
    /// assert!(query.filter.is_some());
    /// assert!(Query::from_scoutfish(r#"{"color": "white"}"#).is_err());
    /// # Ok::<(), pgna::ScoutfishError>(())
    /// ```
    ///
    /// # Errors
    /// The text is not JSON, or has a rule or value that is not known.
    pub fn from_scoutfish(json: &str) -> Result<Query, ScoutfishError> {
        let value: Value = serde_json::from_str(json).map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            ScoutfishError::new(place, message)
        })?;
        let mut reader = QueryReader::default();
        let expression = reader.query(&value)?;
        let filter = match reader.results.is_empty() {
            true => None,
            false => Some(Filter::all(reader.results)),
        };
        Ok(Query {
            filter,
            positions: vec![PositionTest::of_expression(expression)],
            ..Query::default()
        })
    }
}

#[derive(Default)]
struct QueryReader {
    /// The results that the conditions ask for. A game has one result, so all of them must hold.
    results: Vec<Filter>,
}

/// Expressions one after the other, each with the maximum number of plies after the one before.
type Links = Vec<(Option<u32>, Expression)>;

impl QueryReader {
    fn query(&mut self, value: &Value) -> Result<Expression, ScoutfishError> {
        let object = object(value, "query")?;
        let links = match object.get("sequence") {
            Some(sequence) => {
                alone(object, "sequence")?;
                self.sequence(sequence)?
            }
            None => self.step(object, "")?,
        };
        let mut links = links.into_iter();
        let nothing = || ScoutfishError::new("query", "it has no condition");
        let (_, first) = links.next().ok_or_else(nothing)?;
        if links.len() > MOST_RELATIONS {
            let why = format!("there are more than {MOST_RELATIONS} conditions");
            return Err(ScoutfishError::new("query", why));
        }
        Ok(Expression::then(first, links.collect()))
    }

    fn sequence(&mut self, value: &Value) -> Result<Links, ScoutfishError> {
        let mut links = Vec::new();
        for (at, step) in list(value, "sequence")?.iter().enumerate() {
            let place = format!("sequence[{at}]");
            let object = object(step, &place)?;
            links.extend(self.step(object, &format!("{place}."))?);
        }
        Ok(links)
    }

    /// A streak or a condition. `place` is the start of the places in it.
    fn step(&mut self, object: &Object, place: &str) -> Result<Links, ScoutfishError> {
        let Some(streak) = object.get("streak") else {
            return Ok(vec![(None, self.condition(object, place)?)]);
        };
        alone(object, "streak")?;
        let mut links = Vec::new();
        for (at, step) in list(streak, &format!("{place}streak"))?.iter().enumerate() {
            let place = format!("{place}streak[{at}]");
            let within = (at > 0).then_some(1);
            let object = self::object(step, &place)?;
            links.push((within, self.condition(object, &format!("{place}."))?));
        }
        Ok(links)
    }

    fn condition(&mut self, object: &Object, place: &str) -> Result<Expression, ScoutfishError> {
        let mut parts = Vec::new();
        let mut moves = Vec::new();
        for (name, value) in object {
            let error = |message: String| ScoutfishError::new(format!("{place}{name}"), message);
            match name.as_str() {
                "result" => self.results.push(rules::result(value).map_err(error)?),
                "white-move" | "black-move" => {
                    moves.push(rules::moves(name, value).map_err(error)?);
                }
                name => parts.extend(rules::rule(name, value).map_err(error)?),
            }
        }
        // A list of White's moves and one of Black's are alternatives.
        if !moves.is_empty() {
            parts.push(Expression::any(moves));
        }
        if object.is_empty() {
            let place = if place.is_empty() { "query" } else { place };
            return Err(ScoutfishError::new(
                place.trim_end_matches('.'),
                "it has no rule",
            ));
        }
        Ok(Expression::all(parts))
    }
}

fn object<'v>(value: &'v Value, place: &str) -> Result<&'v Object, ScoutfishError> {
    let object = value.as_object();
    object.ok_or_else(|| ScoutfishError::new(place, "expected an object of rules"))
}

/// The elements of a list, which is not empty.
fn list<'v>(value: &'v Value, place: &str) -> Result<&'v Vec<Value>, ScoutfishError> {
    let list = value.as_array().filter(|list| !list.is_empty());
    list.ok_or_else(|| ScoutfishError::new(place, "expected a list of conditions"))
}

/// Checks that an object has no other member.
fn alone(object: &Object, name: &str) -> Result<(), ScoutfishError> {
    let mut others = object.keys().filter(|other| *other != name);
    match others.next() {
        None => Ok(()),
        Some(other) => {
            let why = format!("no other rule goes with `{name}`");
            Err(ScoutfishError::new(other, why))
        }
    }
}
