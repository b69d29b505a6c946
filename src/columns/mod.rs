//! Predictive column coding. A value is predicted by the previous value, by other
//! columns of the same record, or by the value that accompanied the same key
//! earlier in the block.
//!
//! A [`Field`] is one column, or two columns of which one describes White and the
//! other the same of Black. Its [`FieldPlan`] defines which texts are numbers, which
//! predictors predict a value, and which contexts select the distributions of its
//! symbols. Values are [`FieldValue`]s: numbers, IDs of a dictionary, literals.
//! [`code_field`] writes, measures, counts or reads a field of a block, depending on
//! its coder. A [`BlockCells`] holds the cells of a block. `learn` finds the plans
//! of a segment.
//!
//! `spec/fields.md` defines the layout. (`spec/columns.md` defines the encodings of
//! integers and strings, which are in `codec`.)

mod adaptive_cost;
mod block_cells;
mod cell;
mod coding;
mod context;
mod describe;
mod field;
mod last_places;
mod learn;
mod openings;
mod plan;
mod ranks;
mod shape;
#[cfg(test)]
mod spec_examples;
mod table;
#[cfg(test)]
mod tests;

pub use block_cells::{BlockCells, FieldCells};
pub use cell::FieldValue;
pub use coding::{CodingInput, code_field, is_fully_predicted, predict_field};
pub use field::Field;
pub use learn::{
    ColumnValue, LearnedTables, SegmentColumn, SegmentColumns, TextIds, block_cells, learn_fields,
};
pub use openings::{BookGame, MAX_PLIES, OpeningBook, learn_book as learn_openings};
pub use plan::{CodingContext, ColumnSource, FieldPlan, FieldSide, NumberBase, ValuePredictor};
pub use ranks::Ranks;
pub use shape::TextShape;
pub use table::{FieldTables, PlanError, read_plans, write_plans};
