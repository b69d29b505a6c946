//! Queries on an archive: games by tags, position, material or pattern.
//!
//! ```text
//! text ─ parse ─► Filter ───────┐
//! FEN, letters ─► PositionTest ─┤
//! text ─ parse ─► Expression ───┴─► Query
//! Query, segment ─ Archive::search_index ─► games that match or may match the positions
//! Query, those games ─ columns of a block ─► bit vector of games that pass the filter
//! Query, bit vector ─ moves of the games that only may match ─► hits
//! ```
//!
//! All games are tested if the query has no positions or the segment has no index.

mod block;
mod board;
#[cfg(feature = "cli")]
mod doubts;
mod duplicates;
mod error;
mod evaluate;
#[cfg(feature = "answers")]
pub(crate) mod explorer;
mod field;
mod filter;
mod goal;
mod hits;
#[cfg(feature = "cli")]
mod impossible;
mod known_moves;
mod malformed_dates;
mod material;
mod parse;
mod pattern;
mod position_moves;
mod position_test;
mod ready;
mod run;
mod scan;
mod scores;
mod search_target;
mod segments;
mod sort;
mod stats;
mod structure;
mod tag_reader;
mod tree;
mod visitors;

pub(crate) use block::QueryBlock;
pub use board::BoardTest;
pub use duplicates::{Duplicate, DuplicateCriteria};
pub use error::PositionTestError;
pub use field::{Field, FieldError, FieldValue, FieldValues};
pub use filter::Filter;
pub use hits::Hits;
pub use malformed_dates::MalformedDates;
pub use material::Material;
pub use parse::SyntaxError;
pub use pattern::Pattern;
pub use position_test::{LineScope, PositionTest};
pub use run::{Hit, Place, Query};
pub use sort::{SortKey, SortKeyError};
pub use stats::{Player, Score, Stats};
#[cfg(feature = "scoutfish")]
pub use structure::ScoutfishError;
pub use tree::{Branch, Tree, TreeCount};
