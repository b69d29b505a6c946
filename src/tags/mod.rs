//! Predictive column coding. A value is predicted by the previous value, by other
//! columns of the same record, or by the value that accompanied the same key
//! earlier in the block.
//!
//! A [`Field`] is one column, or two columns of which one describes White and the
//! other the same of Black. Its [`Plan`] defines which texts are numbers, which
//! predictors predict a value, and which contexts select the distributions of its
//! symbols. Values are [`Cell`]s: numbers, IDs of a dictionary, literals.
//! [`code`] writes, measures, counts or reads a field of a block, depending on
//! its coder. A [`Sheet`] holds the cells of a block. [`learn`] finds the plans
//! of a segment.
//!
//! `spec/tags.md` defines the layout.

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
