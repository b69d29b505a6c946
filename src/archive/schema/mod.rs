//! The columns and tables of a segment: their numbers, names and encodings.

pub(crate) mod encodings;
pub(crate) mod record_columns;
pub mod registry;
