//! Writing archives: sources are cut into segments, surveyed, and encoded block by block.
//!
//! ```text
//! sources ─ source_reader ─► segment ─ survey, fit ─► encoded records ─ learn ─► tables
//!                                                         └─ encode, decode, compare ─► blocks
//! ```

pub(crate) mod block_encoder;
pub(crate) mod columns;
pub(crate) mod derived_tags;
pub(crate) mod encode_movetext;
pub(crate) mod indexes;
pub(crate) mod lines;
pub(crate) mod notation;
pub(crate) mod segment_writer;
pub(crate) mod source_reader;
pub(crate) mod start_positions;
pub(crate) mod survey;
pub(crate) mod writer;
