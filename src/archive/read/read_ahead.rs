//! Reading blocks ahead: some at a time in parallel, with the results in order, so that a caller
//! that wants few of them does not wait for all, and memory is bounded.

use crate::archive::read::block_places::BlockPlace;
use crate::parallel;
use std::collections::VecDeque;

/// The maximum number of blocks that are read at a time.
const MAX_BLOCKS: usize = 64;
/// The maximum raw size of these blocks in bytes, unless there is only one.
const MAX_RAW_BYTES: u64 = 32 << 20;

/// A task that reads a block.
pub(crate) trait BlockTask: Send {
    /// The raw size of the block, in bytes.
    fn raw_bytes(&self) -> u64;
}

impl BlockTask for BlockPlace {
    fn raw_bytes(&self) -> u64 {
        self.raw_bytes
    }
}

/// Blocks that are still to be read, in order.
#[derive(Debug)]
pub(crate) struct ReadAhead<T> {
    tasks: VecDeque<T>,
}

impl<T: BlockTask> ReadAhead<T> {
    pub(crate) fn new(tasks: impl IntoIterator<Item = T>) -> Self {
        ReadAhead {
            tasks: tasks.into_iter().collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.tasks.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The next task.
    pub(crate) fn first(&self) -> Option<&T> {
        self.tasks.front()
    }

    pub(crate) fn extend(&mut self, tasks: impl IntoIterator<Item = T>) {
        self.tasks.extend(tasks);
    }

    /// Reads the next blocks in parallel. Returns the results in order, or `None` after the last
    /// block.
    pub(crate) fn read<R: Send>(&mut self, read: impl Fn(T) -> R + Sync) -> Option<Vec<R>> {
        self.read_some(MAX_BLOCKS, read)
    }

    /// As [`ReadAhead::read`], with at most `most` blocks.
    pub(crate) fn read_some<R: Send>(
        &mut self,
        most: usize,
        read: impl Fn(T) -> R + Sync,
    ) -> Option<Vec<R>> {
        let sizes = self.tasks.iter().take(most.max(1)).map(T::raw_bytes);
        let count = batch(sizes);
        (count > 0).then(|| parallel::map(self.tasks.drain(..count), read))
    }
}

/// The number of blocks to read at a time, given the raw sizes of the next blocks: at least one,
/// if there is one.
fn batch(raw_bytes: impl Iterator<Item = u64>) -> usize {
    let sizes = raw_bytes.take(MAX_BLOCKS).enumerate();
    let mut sum = 0u64;
    let fitting = sizes.take_while(|(number, bytes)| {
        sum = sum.saturating_add(*bytes);
        *number == 0 || sum <= MAX_RAW_BYTES
    });
    fitting.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl BlockTask for u64 {
        fn raw_bytes(&self) -> u64 {
            *self
        }
    }

    #[test]
    fn a_batch_is_bounded_in_blocks_and_in_text() {
        let batch = |sizes: &[u64]| batch(sizes.iter().copied());
        assert_eq!(batch(&[]), 0);
        assert_eq!(batch(&[1; 100]), MAX_BLOCKS);
        assert_eq!(batch(&[u64::MAX; 3]), 1);
        assert_eq!(batch(&[MAX_RAW_BYTES / 2; 3]), 2);
        assert_eq!(batch(&[1, MAX_RAW_BYTES, 1]), 1);
    }

    #[test]
    fn every_block_is_read_once_and_in_order() {
        for most in [0, 1, 3, 1000] {
            let mut tasks = ReadAhead::new(0..100);
            let mut read = Vec::new();
            while let Some(batch) = tasks.read_some(most, |task| task + 1) {
                assert!((1..=most.clamp(1, MAX_BLOCKS)).contains(&batch.len()));
                read.extend(batch);
            }
            assert_eq!(read, (1..=100).collect::<Vec<u64>>());
            assert!(tasks.is_empty() && tasks.first().is_none());
        }
    }
}
