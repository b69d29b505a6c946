//! Decoding a block that was found intact.

use super::layout::PlacedSegment;
use crate::archive::block::{MAX_BLOCK_RECORDS, OpenBlock};
use crate::archive::error::{ContentError, Error, ErrorKind};
use crate::archive::tables::SegmentTables;
use crate::container::{AnyBytes, BlockHeader, FoundSegment, RecoveryScan};
use std::ops::Range;
use std::sync::Arc;

/// The text of a block. Each record has the offset of its end, and whether it is a
/// game.
pub(super) struct Decoded {
    text: Vec<u8>,
    records: Vec<(usize, bool)>,
}

/// A run of recovered text.
#[derive(Debug)]
pub(super) struct RecoveredRun {
    pub(super) source: usize,
    pub(super) text: Vec<u8>,
    pub(super) games: u64,
}

/// Decodes an intact block.
pub(super) fn decode(
    recovery: &RecoveryScan<AnyBytes>,
    segment: &FoundSegment,
    number: usize,
    tables: &Arc<SegmentTables>,
) -> Result<Decoded, Error> {
    let block = recovery.block(segment, number)?;
    let shape = block.header().shape;
    let read = || -> Result<Decoded, ContentError> {
        if shape.records > MAX_BLOCK_RECORDS {
            return Err(ContentError::Invalid("too many records in a block"));
        }
        let open = OpenBlock::parse(block.packed(), shape, tables)?;
        open.check()?;
        let most = usize::try_from(shape.raw_bytes).unwrap_or(usize::MAX);
        let mut decoded = Decoded {
            text: Vec::new(),
            records: Vec::new(),
        };
        for record in 0..open.records() {
            decoded.text.extend_from_slice(&open.text(record)?);
            if decoded.text.len() > most {
                return Err(ContentError::Invalid("more text than announced"));
            }
            let is_game = open.is_game(record)?;
            decoded.records.push((decoded.text.len(), is_game));
        }
        match decoded.text.len() == most {
            true => Ok(decoded),
            false => Err(ContentError::Invalid("less text than announced")),
        }
    };
    read().map_err(|error| {
        let offset = segment.block_place(number).map_or(0, |place| place.start);
        ErrorKind::Recovered { offset, error }.into()
    })
}

/// Divides the text of a block among sources.
pub(super) fn pieces(
    placed: &PlacedSegment,
    header: &BlockHeader,
    decoded: &Decoded,
) -> Vec<RecoveredRun> {
    let block = header.raw_offset..raw_end(header);
    let first = placed
        .runs
        .partition_point(|run| run.text.end <= block.start);
    let runs = placed.runs.iter().skip(first);
    let runs = runs.take_while(|run| run.text.start < block.end);
    let mut pieces = Vec::new();
    for run in runs.filter(|run| !run.text.is_empty()) {
        let own = intersection(&run.text, &block);
        let at = |offset: u64| usize::try_from(offset - block.start).unwrap_or(usize::MAX);
        let range = at(own.start)..at(own.end);
        let records = decoded.records.iter();
        let is_own =
            |(end, is_game): &&(usize, bool)| *is_game && *end > range.start && *end <= range.end;
        pieces.push(RecoveredRun {
            source: run.source,
            games: records.filter(is_own).count() as u64,
            text: decoded.text.get(range.clone()).unwrap_or_default().to_vec(),
        });
    }
    pieces
}

pub(super) fn intersection(a: &Range<u64>, b: &Range<u64>) -> Range<u64> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

pub(super) fn raw_end(header: &BlockHeader) -> u64 {
    let bytes = u64::from(header.shape.raw_bytes);
    header.raw_offset.saturating_add(bytes)
}
