//! The numbers of tables and columns that the archive adds to those of the
//! container.

pub use super::columns::*;
pub use super::table_kinds::*;
