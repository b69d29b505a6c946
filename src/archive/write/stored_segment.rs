//! The encoded records of a segment, before they are divided into columns.

use crate::archive::block::back_references::BackReferences;
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::summary_row::SummaryRow;
use crate::archive::tables::SegmentTables;
use crate::archive::tables::dictionaries::Dictionaries;
use crate::archive::tables::rosters::NameTables;
use crate::archive::write::block_encoder::RecordEncoder;
use crate::archive::write::block_ranges::{BlockBounds, blocks};
use crate::archive::write::indexes::LineIndexes;
use crate::archive::write::proof::{RecordTraces, take_traces};
use crate::archive::write::start_positions::replace_fens_by_positions;
use crate::container::SegmentSummary;
use crate::index::IndexMoves;
use crate::parallel;
use std::collections::BTreeSet;
use std::iter::repeat;
use std::ops::Range;

/// The number of tasks between two reports of progress. Each has the records of a block.
const BATCH_TASKS: usize = 64;

/// The number of records per task when back-references are inserted.
const RECORDS_PER_TASK: usize = 64;

/// The encoded records of a segment.
pub(crate) struct StoredSegment<'s> {
    pub(crate) records: Vec<StoredRecord<'s>>,
    pub(crate) rest: RecordsRest,
}

/// What is taken out of the records because it is in no column.
pub(crate) struct RecordsRest {
    /// The moves of each game in the form that indexes use.
    pub(crate) moves: Vec<IndexMoves>,
    /// The trace of each record that has one.
    pub(crate) traces: RecordTraces,
    /// The indexes of `moves`, when they have been built.
    pub(crate) indexes: Option<LineIndexes>,
    /// What the directory says of the games.
    pub(crate) summary: SegmentSummary,
}

impl<'s> StoredSegment<'s> {
    /// Parses and encodes all records. The summary has names of players if `has_names` is set.
    /// `on_progress` is called with the number of bytes of text that have been parsed.
    pub(crate) fn encode(
        encoder: &RecordEncoder<'s>,
        has_names: bool,
        on_progress: &mut dyn FnMut(u64),
    ) -> Self {
        let texts = &encoder.segment.records;
        let mut records = Vec::with_capacity(texts.len());
        let tasks = blocks(texts.iter().zip(repeat(0)), &BlockBounds::NONE);
        for batch in tasks.chunks(BATCH_TASKS) {
            let encode = |range: &Range<usize>| encoder.encode_records(range.clone());
            let encoded = parallel::map(batch, encode);
            records.extend(encoded.into_iter().flatten());
            let end = texts.get(..records.len()).and_then(<[_]>::last);
            on_progress(end.map_or(0, |end| end.end as u64));
        }
        let traces = take_traces(&mut records);
        let games = records.iter_mut().filter(|record| record.is_game);
        let moves = games
            .map(|game| std::mem::take(&mut game.index_moves))
            .collect();
        let games = records.iter().filter(|record| record.is_game);
        let summary = SummaryRow::all(games.map(|game| game.summary), has_names);
        StoredSegment {
            records,
            rest: RecordsRest {
                moves,
                traces,
                indexes: None,
                summary,
            },
        }
    }

    /// Replaces text in tag values by back-references. Returns the tag names that values
    /// refer to.
    pub(crate) fn insert_back_references(&mut self, names: NameTables<'_>) -> BTreeSet<u32> {
        let back_references = BackReferences::learn(&self.records, names);
        let insert = |record: &mut StoredRecord<'_>| back_references.insert(record, names);
        let tasks = self.records.chunks_mut(RECORDS_PER_TASK);
        parallel::for_each(tasks, |records| records.iter_mut().for_each(insert));
        back_references.referenced()
    }

    /// Replaces FENs by start positions, block by block.
    pub(crate) fn insert_start_positions(
        &mut self,
        blocks: &[Range<usize>],
        tables: &SegmentTables,
        dictionaries: &Dictionaries,
    ) {
        let mut rest = self.records.as_mut_slice();
        let mut records = Vec::with_capacity(blocks.len());
        for range in blocks {
            let (block, after) = rest.split_at_mut(range.len().min(rest.len()));
            records.push(block);
            rest = after;
        }
        parallel::for_each(records, |records| {
            replace_fens_by_positions(records, tables, &dictionaries.ids);
        });
    }
}
