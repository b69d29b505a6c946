//! The wire facts of a segment's content. [`columns`] has one row per column of a
//! block, [`table_kinds`] one row per kind of table; all other modules take numbers,
//! names, values and encodings from these rows.

pub(crate) mod column_directory;
pub(super) mod columns;
pub(crate) mod fen_position;
pub(crate) mod record;
pub mod registry;
pub(crate) mod residual;
pub(crate) mod summary_row;
pub(super) mod table_kinds;
