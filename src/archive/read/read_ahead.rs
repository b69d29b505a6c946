//! Reading blocks ahead: some at a time in parallel, with the results in order, so that a caller
//! that wants few of them does not wait for all, and memory is bounded.

use crate::archive::read::block_places::BlockPlace;
use crate::parallel;
use std::collections::VecDeque;

/// The number of blocks that are read at a time, at most and unless the caller gives another.
const MAX_BLOCKS: usize = 64;
/// The number of blocks for each thread, if there are so many threads that this is more.
const PER_THREAD: usize = 2;
/// The maximum raw size of blocks that are read at a time, in bytes, unless there is only one.
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

    /// The tasks that are left, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.tasks.iter()
    }

    pub(crate) fn extend(&mut self, tasks: impl IntoIterator<Item = T>) {
        self.tasks.extend(tasks);
    }

    /// Reads the next blocks in parallel. Returns the results in order, or `None` after the last
    /// block.
    pub(crate) fn read<R: Send>(&mut self, read: impl Fn(T) -> R + Sync) -> Option<Vec<R>> {
        self.read_some(MAX_BLOCKS.max(PER_THREAD * parallel::threads()), read)
    }

    /// As [`ReadAhead::read`], with at most `most` blocks, and at least one.
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
    let sizes = raw_bytes.enumerate();
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
    fn a_batch_is_bounded_in_text() {
        let batch = |sizes: &[u64]| batch(sizes.iter().copied());
        assert_eq!(batch(&[]), 0);
        assert_eq!(batch(&[1; 100]), 100);
        assert_eq!(batch(&[0; 10_000]), 10_000);
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
                assert_eq!(batch.len(), most.max(1).min(100 - read.len()));
                read.extend(batch);
            }
            assert_eq!(read, (1..=100).collect::<Vec<u64>>());
            assert!(tasks.is_empty() && tasks.iter().next().is_none());
        }
    }

    #[cfg(feature = "threads")]
    #[test]
    fn every_thread_has_blocks_to_read() {
        for (threads, count) in [(1, MAX_BLOCKS), (48, 48 * PER_THREAD)] {
            parallel::with_threads(threads, || {
                let batch = ReadAhead::new([1; 1000]).read(|task| task);
                assert_eq!(batch.map(|batch| batch.len()), Some(count));
            })
            .unwrap();
        }
    }
}
