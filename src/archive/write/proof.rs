//! The proof of a block: it is decoded, and each record is compared with its text.
//!
//! A game with a trace is decoded with the shares of the trace instead of those of a model.
//! `spec/notes.md`, section "The proof", says what this proves. A trace only confirms: records that
//! are not confirmed are decoded in full.

use crate::archive::block::OpenBlock;
use crate::archive::schema::record::{GameTrace, StoredRecord};
use crate::archive::write::block_encoder::{BlockEncoder, EncodedBlock};
use crate::pgn::Record;
use std::sync::Arc;

/// The traces of some records, in their order. Records without one are decoded in full.
pub(crate) type RecordTraces = Vec<Option<Arc<GameTrace>>>;

/// Of this many records of a segment, the first is decoded in full.
const RECORDS_PER_FULL_DECODING: usize = 32;

/// Takes the traces out of the records of a segment, and drops those of the records that are to be
/// decoded in full.
pub(crate) fn take_traces(records: &mut [StoredRecord<'_>]) -> RecordTraces {
    let traces = records.iter_mut().enumerate().map(|(number, record)| {
        let trace = record.movetext.trace.take();
        trace.filter(|_| !number.is_multiple_of(RECORDS_PER_FULL_DECODING))
    });
    traces.collect()
}

impl BlockEncoder<'_, '_> {
    /// The indexes of the records that do not decode to their text.
    pub(super) fn unproven(
        &self,
        records: &[Record],
        encoded: &EncodedBlock,
        traces: RecordTraces,
    ) -> Vec<usize> {
        let all = (0..records.len()).collect();
        let unconfirmed = self.unconfirmed(records, encoded, traces, all);
        match unconfirmed.is_empty() {
            true => unconfirmed,
            false => self.unconfirmed(records, encoded, RecordTraces::new(), unconfirmed),
        }
    }

    /// Those of the records with these indexes that do not decode to their text with their traces.
    fn unconfirmed(
        &self,
        records: &[Record],
        encoded: &EncodedBlock,
        traces: RecordTraces,
        mut indexes: Vec<usize>,
    ) -> Vec<usize> {
        let Ok(block) = OpenBlock::parse(encoded.packed.as_block(), encoded.shape, &self.tables)
        else {
            return indexes;
        };
        let block = match self.has_model_of_encoder() {
            true => block.with_traces(traces),
            false => block,
        };
        if block.check().is_ok() {
            let is_confirmed = |index: usize| {
                let text = records
                    .get(index)
                    .map(|record| self.encoder.segment.bytes(record));
                text.is_some() && block.text(index).ok().as_deref() == text
            };
            indexes.retain(|index| !is_confirmed(*index));
        }
        indexes
    }

    /// Whether the block is decoded with the model, and its adaptation, with which its moves were
    /// encoded.
    fn has_model_of_encoder(&self) -> bool {
        let model = self.tables.model();
        model.has_bytes_of(self.encoder.tables.model())
    }
}

#[cfg(test)]
mod tests;
