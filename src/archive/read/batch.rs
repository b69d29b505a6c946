//! The number of blocks that are decoded in parallel.

/// The maximum number of blocks that are decoded in parallel.
const MAX_BATCH_BLOCKS: usize = 64;
/// The maximum raw size of these blocks in bytes, unless there is only one.
const MAX_BATCH_BYTES: u64 = 32 << 20;

/// The number of blocks to decode in parallel, given the raw sizes of the next blocks:
/// at least one, if there is one.
pub(crate) fn batch(raw_bytes: impl Iterator<Item = u64>) -> usize {
    let sizes = raw_bytes.take(MAX_BATCH_BLOCKS).enumerate();
    let mut sum = 0u64;
    let fitting = sizes.take_while(|(number, bytes)| {
        sum = sum.saturating_add(*bytes);
        *number == 0 || sum <= MAX_BATCH_BYTES
    });
    fitting.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_bounded_in_blocks_and_in_text() {
        let batch = |sizes: &[u64]| batch(sizes.iter().copied());
        assert_eq!(batch(&[]), 0);
        assert_eq!(batch(&[1; 100]), MAX_BATCH_BLOCKS);
        assert_eq!(batch(&[u64::MAX; 3]), 1);
        assert_eq!(batch(&[MAX_BATCH_BYTES / 2; 3]), 2);
        assert_eq!(batch(&[1, MAX_BATCH_BYTES, 1]), 1);
    }
}
