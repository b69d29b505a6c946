//! Columns whose values are foreseen: by the value before, by other columns of
//! the same record, by what stood beside the same key earlier in the block.
//!
//! A [`Field`] is one column, or two of which one tells of White and the other
//! the same of Black. Its [`Plan`] says which texts are numbers, what foresees a
//! value and in which contexts its symbols stand. Values are [`Cell`]s: numbers,
//! IDs of a dictionary, literals. [`code`] describes how a field of
//! a block is written, measured, counted and read; a [`Sheet`] holds the cells of
//! a block. [`learn`] finds the plans of a segment.
//!
//! The layout is that of `spec/tags.md`.

mod cell;
mod coding;
mod context;
mod describe;
mod field;
mod latest;
mod learn;
mod openings;
mod plan;
mod ranks;
mod shape;
mod sheet;
mod sketch;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod worked;

pub use cell::Cell;
pub use coding::{Given, code, foreseen, is_foreseen};
pub use field::Field;
pub use learn::{Column, Columns, Ids, Learned, Value, learn, sheet};
pub use openings::{Line, MOST_PLIES, Openings, learn as learn_openings};
pub use plan::{Base, Context, Plan, Predictor, Side, Source};
pub use ranks::Ranks;
pub use shape::Shape;
pub use sheet::{Sheet, Sides};
pub use table::{FieldTables, PlanError, read_plans, write_plans};
