//! The arguments of a search, with the meaning that they have for `pgna find`.

use pgna::{
    Filter, LineScope, Material, Pattern, Position, PositionTest, PositionTestError, Query,
    SyntaxError,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;

/// The name of the standard start position in place of its FEN.
const STARTPOS: &str = "startpos";

/// The arguments of a search.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    pub(crate) filter: Option<String>,
    pub(crate) fen: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) material: Option<String>,
    pub(crate) pattern: Option<String>,
    pub(crate) position: Option<String>,
    pub(crate) pieces_only: bool,
    pub(crate) mirror: bool,
    pub(crate) flip: bool,
    pub(crate) variations: bool,
}

impl Conditions {
    /// The query; `None` if there are no conditions.
    pub(crate) fn query(&self) -> PyResult<Option<Query>> {
        let query = Query {
            filter: self.filter.as_deref().map(filter).transpose()?,
            positions: self.positions()?,
            scope: match self.variations {
                true => LineScope::AnyLine,
                false => LineScope::MainLine,
            },
            ..Query::default()
        };
        let is_empty = query.filter.is_none() && query.positions.is_empty();
        Ok((!is_empty).then_some(query))
    }

    fn positions(&self) -> PyResult<Vec<PositionTest>> {
        let mut tests = Vec::new();
        tests.extend(self.board()?);
        tests.extend(self.material()?);
        tests.extend(self.pattern()?);
        tests.extend(self.expression()?);
        let needs = |what: &str| Err(PyValueError::new_err(what.to_owned()));
        if self.pieces_only && self.fen.is_none() && self.after.is_none() {
            return needs("pieces_only needs fen or after");
        }
        if self.mirror && self.pattern.is_none() {
            return needs("mirror needs pattern");
        }
        let flippable = [&self.material, &self.pattern, &self.position];
        if self.flip && flippable.iter().all(|condition| condition.is_none()) {
            return needs("flip needs material, pattern or position");
        }
        if self.variations && tests.is_empty() {
            return needs("variations needs a position to look for");
        }
        Ok(tests)
    }

    fn board(&self) -> PyResult<Option<PositionTest>> {
        let fen = match (&self.fen, &self.after) {
            (Some(_), Some(_)) => {
                let why = "fen and after are two positions: give one of them";
                return Err(PyValueError::new_err(why));
            }
            (Some(fen), None) if fen.trim().eq_ignore_ascii_case(STARTPOS) => {
                Position::default().fen()
            }
            (Some(fen), None) => fen.clone(),
            (None, Some(moves)) => {
                let position = Position::after(moves);
                position.map_err(|error| invalid("after", error))?.fen()
            }
            (None, None) => return Ok(None),
        };
        let test = match self.pieces_only {
            true => PositionTest::pieces(&fen),
            false => PositionTest::exact(&fen),
        };
        test.map(Some).map_err(|error| invalid("fen", error))
    }

    fn material(&self) -> PyResult<Option<PositionTest>> {
        let Some(text) = &self.material else {
            return Ok(None);
        };
        let parsed: Result<Material, PositionTestError> = text.parse();
        let material = parsed.map_err(|error| invalid("material", error))?;
        let flipped = self.flip.then(|| material.flipped());
        let any = [material].into_iter().chain(flipped).collect();
        Ok(Some(PositionTest::material(any)))
    }

    fn pattern(&self) -> PyResult<Option<PositionTest>> {
        let Some(text) = &self.pattern else {
            return Ok(None);
        };
        let parsed: Result<Pattern, PositionTestError> = text.parse();
        let mut any = vec![parsed.map_err(|error| invalid("pattern", error))?];
        if self.mirror {
            any.extend(any.clone().iter().map(Pattern::mirrored));
        }
        if self.flip {
            any.extend(any.clone().iter().map(Pattern::flipped));
        }
        Ok(Some(PositionTest::pattern(any)))
    }

    fn expression(&self) -> PyResult<Option<PositionTest>> {
        let Some(text) = &self.position else {
            return Ok(None);
        };
        let test: PositionTest = text
            .parse()
            .map_err(|error: SyntaxError| invalid("position", error))?;
        Ok(Some(match self.flip {
            true => PositionTest::any([test.flipped(), test]),
            false => test,
        }))
    }
}

fn filter(text: &str) -> PyResult<Filter> {
    text.parse().map_err(|error| invalid("where", error))
}

fn invalid(argument: &str, error: impl Display) -> PyErr {
    PyValueError::new_err(format!("{argument}: {error}"))
}
