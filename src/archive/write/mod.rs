//! Writing archives: sources are cut into segments, surveyed, and encoded block by block.
//!
//! ```text
//! sources ─ source_reader ─► SegmentText ─ record_lexer ─► survey, games ─► SegmentFit
//! SegmentText, SegmentFit ─ RecordEncoder ─► StoredSegment ─ learn ─► dictionaries, plans
//! StoredSegment, tables ─ EncodingCandidate ─► BlockEncoder ─ encode, proof ─► blocks
//! ```

pub(crate) mod block_encoder;
pub(crate) mod block_ranges;
pub(crate) mod call_state;
pub(crate) mod candidate;
pub(crate) mod derived_tags;
pub(crate) mod encode_movetext;
pub(crate) mod indexes;
pub(crate) mod lexed_game;
pub(crate) mod lines;
pub(crate) mod notation;
pub(crate) mod plain_columns;
pub(crate) mod planned_columns;
pub(crate) mod proof;
pub(crate) mod prose_columns;
pub(crate) mod record_lexer;
pub(crate) mod segment_fit;
pub(crate) mod segment_writer;
pub(crate) mod source_reader;
pub(crate) mod start_positions;
pub(crate) mod stored_segment;
pub(crate) mod survey;
pub(crate) mod writer;
