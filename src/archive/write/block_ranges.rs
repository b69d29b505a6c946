//! The division of a segment into blocks.

use crate::pgn::Record;
use std::ops::Range;

/// A block has at most this many bytes of text, unless a single record has more.
const BLOCK_RAW_BYTES: usize = 256 << 10;

/// The maximum size of a block that has more than one record, beside [`BLOCK_RAW_BYTES`].
pub(crate) struct BlockBounds {
    pub(crate) records: usize,
    /// The number of bytes of prose.
    pub(crate) prose: usize,
}

impl BlockBounds {
    /// No bounds.
    pub(crate) const NONE: BlockBounds = BlockBounds {
        records: usize::MAX,
        prose: usize::MAX,
    };
}

/// Divides records, each with the number of its bytes of prose, into blocks. Returns ranges of
/// record numbers.
pub(crate) fn blocks<'r>(
    records: impl IntoIterator<Item = (&'r Record, usize)>,
    most: &BlockBounds,
) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut block = 0..0;
    let (mut raw_bytes, mut prose_bytes) = (0, 0);
    for (record, prose) in records {
        raw_bytes += record.end - record.start;
        prose_bytes += prose;
        let is_full =
            block.len() >= most.records || raw_bytes > BLOCK_RAW_BYTES || prose_bytes > most.prose;
        if is_full && !block.is_empty() {
            (raw_bytes, prose_bytes) = (record.end - record.start, prose);
            let next = block.end..block.end;
            blocks.push(std::mem::replace(&mut block, next));
        }
        block.end += 1;
    }
    if !block.is_empty() {
        blocks.push(block);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of records of these bytes of text and of prose.
    fn ranges(sizes: &[(usize, usize)], most: &BlockBounds) -> Vec<Range<usize>> {
        let mut end = 0;
        let records: Vec<Record> = sizes
            .iter()
            .map(|(text, _)| {
                let start = end;
                end += text;
                Record {
                    start,
                    end,
                    is_game: true,
                    is_piece: false,
                }
            })
            .collect();
        blocks(
            records.iter().zip(sizes.iter().map(|(_, prose)| *prose)),
            most,
        )
    }

    #[test]
    fn blocks_end_before_a_bound_is_exceeded() {
        let most = BlockBounds {
            records: 3,
            prose: 10,
        };
        assert!(ranges(&[], &most).is_empty());
        assert_eq!(ranges(&[(1, 0); 7], &most), [0..3, 3..6, 6..7]);
        let of_prose = [(9, 5), (9, 5), (9, 1), (9, 0), (90, 11), (9, 10)];
        assert_eq!(ranges(&of_prose, &most), [0..2, 2..4, 4..5, 5..6]);
        let half = BLOCK_RAW_BYTES / 2;
        let long = [(half, 0), (half, 0), (1, 0), (3 * half, 0), (1, 0)];
        assert_eq!(ranges(&long, &most), [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(ranges(&of_prose, &BlockBounds::NONE).len(), 1);
    }
}
