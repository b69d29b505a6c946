//! Archives: the writer with its two passes, and the reader.
//!
//! ```text
//! sources ─ split ─► records of a segment ─ survey (pass 1) ─► tables
//!                         └─ encode (pass 2, in parallel), decode, compare ─► blocks
//! ```

mod block;
mod columns;
mod error;
mod file;
mod mmap;
mod names;
mod reader;
mod record;
pub mod registry;
mod segment;
mod survey;
mod tables;
mod unpack;
mod writer;

pub use block::MAX_BLOCK_RECORDS;
pub use error::{ArchiveError, ContentError};
pub use file::{FileWriter, NewFile};
pub use mmap::Map;
pub use names::{safe_name, unsafe_name};
pub use reader::{Archive, GameHead};
pub use unpack::Unpack;
pub use writer::{PackOptions, PackReport, Writer};
