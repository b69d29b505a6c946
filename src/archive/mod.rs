//! Archives: the writer with its two passes, and the reader.

mod block;
mod columns;
mod error;
mod record;
pub mod registry;
mod segment;
mod survey;
mod tables;

pub use error::ArchiveError;
