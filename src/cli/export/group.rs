//! Rows that wait to be written together.

use arrow_array::RecordBatch;

/// A row group of one table ends when it has this many games, as many as DuckDB's and enough for
/// each of its threads; or this many bytes.
const GROUP_ROWS: usize = 122_880;
const GROUP_BYTES: usize = 128 << 20;

/// Rows that wait to be written together.
#[derive(Default)]
pub(super) struct Group {
    pub(super) batches: Vec<RecordBatch>,
    pub(super) bytes: usize,
    rows: usize,
}

impl Group {
    pub(super) fn push(&mut self, batch: RecordBatch) {
        self.rows += batch.num_rows();
        self.bytes += batch.get_array_memory_size();
        self.batches.push(batch);
    }

    /// Whether the rows are enough for a row group.
    pub(super) fn is_full(&self) -> bool {
        self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES
    }
}
