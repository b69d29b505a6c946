//! Decoding a block that was found intact.

use super::layout::PlacedSegment;
use super::raw_end;
use crate::archive::block::{MAX_BLOCK_RECORDS, OpenBlock};
use crate::archive::error::{ContentError, Error, ErrorKind};
use crate::archive::read::derived_tags::{IndexRow, text_and_index_row};
use crate::archive::read::record_values::summary_row;
use crate::archive::schema::summary_row::SummaryRow;
use crate::archive::tables::SegmentTables;
use crate::container::{
    AnyBytes, BlockCounts, BlockHeader, FoundSegment, PackedBlock, RecoveryScan,
};
use std::ops::Range;
use std::sync::Arc;

/// The text of a block. Each record has the offset of its end, and whether it is a
/// game.
#[derive(Debug, Default)]
pub(super) struct DecodedBlock {
    text: Vec<u8>,
    records: Vec<(usize, bool)>,
    /// One row for each game, if they are wanted.
    pub(super) rows: Vec<IndexRow>,
    /// One for each game.
    pub(super) summaries: Vec<SummaryRow>,
}

/// The text of a block that belongs to one source.
#[derive(Debug)]
pub(super) struct SourceText<'d> {
    pub(super) source: usize,
    /// The offset in the damaged source of the run of text that it is part of.
    pub(super) run_offset: u64,
    pub(super) text: &'d [u8],
    pub(super) games: u64,
    pub(super) records: u64,
}

/// Decodes intact blocks of one segment.
pub(super) struct BlockDecoder<'a> {
    pub(super) scan: &'a RecoveryScan<AnyBytes>,
    pub(super) segment: &'a FoundSegment,
    pub(super) placed: &'a PlacedSegment,
    pub(super) tables: &'a Arc<SegmentTables>,
    /// The tags that the rows for the indexes have; `None` if no rows are wanted.
    pub(super) row_names: Option<Vec<u32>>,
}

impl BlockDecoder<'_> {
    /// Decodes a block.
    ///
    /// # Errors
    /// The content of the block is invalid, or part of its text belongs to no source.
    pub(super) fn decode(&self, number: usize) -> Result<DecodedBlock, Error> {
        let block = self.scan.block(self.segment, number)?;
        let header = block.header();
        let decoded = self.decode_packed(block.packed(), header.shape);
        let decoded = decoded.and_then(|decoded| match self.placed.covers(header) {
            true => Ok(decoded),
            false => Err(ContentError::Invalid("text of no known source")),
        });
        decoded.map_err(|error| {
            let place = self.segment.block_place(number);
            let offset = place.map_or(0, |place| place.start);
            ErrorKind::Recovered { offset, error }.into()
        })
    }

    fn decode_packed(
        &self,
        packed: PackedBlock<'_>,
        shape: BlockCounts,
    ) -> Result<DecodedBlock, ContentError> {
        if shape.records > MAX_BLOCK_RECORDS {
            return Err(ContentError::Invalid("too many records in a block"));
        }
        let open = OpenBlock::parse(packed, shape, self.tables)?;
        open.check()?;
        let most = usize::try_from(shape.raw_bytes).unwrap_or(usize::MAX);
        let mut decoded = DecodedBlock::default();
        for record in 0..open.records() {
            let is_game = open.is_game(record)?;
            if is_game {
                decoded.summaries.push(summary_row(&open, record)?);
            }
            let text = match &self.row_names {
                Some(names) if is_game => {
                    let (text, row) = text_and_index_row(&open, self.tables, record, names)?;
                    decoded.rows.push(row);
                    text
                }
                _ => open.text(record)?,
            };
            if text.is_empty() {
                return Err(ContentError::Invalid("a record without text"));
            }
            decoded.text.extend_from_slice(&text);
            if decoded.text.len() > most {
                return Err(ContentError::Invalid("more text than announced"));
            }
            decoded.records.push((decoded.text.len(), is_game));
        }
        match decoded.text.len() == most {
            true => Ok(decoded),
            false => Err(ContentError::Invalid("less text than announced")),
        }
    }
}

impl DecodedBlock {
    /// Divides the text of the block with this header among sources. A record belongs to
    /// the source in which it ends.
    pub(super) fn by_source<'d>(
        &'d self,
        placed: &'d PlacedSegment,
        header: &BlockHeader,
    ) -> impl Iterator<Item = SourceText<'d>> {
        let block = header.raw_offset..raw_end(header);
        let runs = placed.runs_in(block.clone());
        runs.map(move |run| {
            let own = intersection(&run.text, &block);
            let at = |offset: u64| usize::try_from(offset - block.start).unwrap_or(usize::MAX);
            let range = at(own.start)..at(own.end);
            let is_own = |(end, _): &&(usize, bool)| *end > range.start && *end <= range.end;
            let records = self.records.iter().filter(is_own);
            SourceText {
                source: run.source,
                run_offset: run.offset,
                games: records.clone().filter(|(_, is_game)| *is_game).count() as u64,
                records: records.count() as u64,
                text: self.text.get(range.clone()).unwrap_or_default(),
            }
        })
    }
}

pub(super) fn intersection(a: &Range<u64>, b: &Range<u64>) -> Range<u64> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}
