//! Expressions on positions and the lines that lead to them.
//!
//! ```text
//! text ─ parse ─► Expression ─ number ─► LineTest
//! LineTest, moves of a game ─ one position after the other ─► the first position that satisfies it
//! ```
//!
//! `docs/positions.md` defines the language.

mod atom;
mod expression;
mod line;
mod outline;
mod parse;
mod pawns;
mod pieces;
mod repetition;
#[cfg(feature = "scoutfish")]
mod scoutfish;
mod set;
#[cfg(test)]
mod tests;
mod visitors;

pub(super) use expression::Expression;
pub(super) use line::{LineTest, MainLineSearch, find_in_main_line, is_in_variations};
#[cfg(feature = "scoutfish")]
pub use scoutfish::ScoutfishError;
