//! The tables for coding marks.

use crate::annotation::{Notation, NotationBytes};
use crate::archive::error::ContentError;
use crate::archive::schema::registry::{LINES_DISTRIBUTIONS, NOTATION, NOTATION_DISTRIBUTIONS};
use crate::codec::pack;
use crate::container::{ContainerError, Tables};
use crate::limits::Limits;
use std::sync::Arc;

/// Writes the tables; a table without bytes is left out.
pub(crate) fn write_notation(
    notation: &NotationBytes,
    tables: &mut Tables,
) -> Result<(), ContainerError> {
    if !notation.shapes.is_empty() {
        tables.push(NOTATION, 0, &pack::compress(&notation.shapes, pack::LEVEL))?;
    }
    if !notation.distributions.is_empty() {
        tables.push(NOTATION_DISTRIBUTIONS, 0, &notation.distributions)?;
    }
    Ok(())
}

/// Writes the distributions of lines in comments, unless there are none.
pub(crate) fn write_lines_distributions(
    notation: &NotationBytes,
    tables: &mut Tables,
) -> Result<(), ContainerError> {
    if !notation.lines.is_empty() {
        tables.push(LINES_DISTRIBUTIONS, 0, &notation.lines)?;
    }
    Ok(())
}

/// Reads the tables, and subtracts the size of the shapes from the limit.
pub(crate) fn read_notation(
    tables: &Tables,
    limits: &mut Limits,
) -> Result<Arc<Notation>, ContentError> {
    let kinds = [NOTATION, NOTATION_DISTRIBUTIONS, LINES_DISTRIBUTIONS];
    if kinds.iter().all(|kind| tables.get(*kind, 0).is_none()) {
        return Ok(Notation::of_no_tables());
    }
    let shapes = match tables.get(NOTATION, 0) {
        Some(shapes) => pack::decompress(shapes, limits.tables_bytes, limits)?,
        None => Vec::new(),
    };
    limits.tables_bytes -= (shapes.len() as u64).min(limits.tables_bytes);
    let distributions = tables.get(NOTATION_DISTRIBUTIONS, 0).unwrap_or_default();
    let lines = tables.get(LINES_DISTRIBUTIONS, 0).unwrap_or_default();
    let notation = Notation::read(&shapes, distributions, lines, limits)?;
    Ok(Arc::new(notation))
}
