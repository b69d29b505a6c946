//! The division of a segment into blocks.

use crate::pgn::Record;
use std::ops::Range;

/// A block has at most this many bytes of text, unless a single record has more.
const BLOCK_RAW_BYTES: usize = 256 << 10;

/// Divides records into blocks of at most `most` records. Returns ranges of
/// record numbers.
pub(crate) fn blocks(records: &[Record], most: usize) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut raw_bytes = 0;
    for (index, record) in records.iter().enumerate() {
        let len = record.end - record.start;
        let is_full = index - start >= most || raw_bytes + len > BLOCK_RAW_BYTES;
        if index > start && is_full {
            blocks.push(start..index);
            start = index;
            raw_bytes = 0;
        }
        raw_bytes += len;
    }
    if start < records.len() {
        blocks.push(start..records.len());
    }
    blocks
}
