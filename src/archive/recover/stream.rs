//! Decoding of all intact blocks in parallel, divided among sources, and detection
//! of the losses between them.

use super::decode::{RecoveredRun, decode, intersection, pieces, raw_end};
use super::layout::{PlacedSegment, SourceLayout};
use super::report::{LossReason, LostRange};
use super::tables::{OpenTables, TablesResult};
use crate::archive::read::read_ahead::{BlockTask, ReadAhead};
use crate::archive::tables::SegmentTables;
use crate::container::{AnyBytes, BlockHeader, FoundSegment, RecoveryScan};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The progress in a segment: bytes and games that were decoded or reported lost.
#[derive(Debug, Clone, Copy, Default)]
struct SegmentProgress {
    bytes: u64,
    games: u64,
}

/// An intact block of the current segment.
struct BlockToDecode<'a> {
    number: usize,
    header: &'a BlockHeader,
}

impl BlockTask for BlockToDecode<'_> {
    fn raw_bytes(&self) -> u64 {
        self.header.shape.raw_bytes.into()
    }
}

/// Produces the text of all sources in order.
pub(super) struct Stream<'a> {
    recovery: &'a RecoveryScan<AnyBytes>,
    layout: &'a SourceLayout,
    /// The current segment.
    segment: usize,
    tables: OpenTables,
    done: SegmentProgress,
    /// The blocks of the current segment that are still to be decoded; `None` before the
    /// segment is begun.
    ahead: Option<ReadAhead<BlockToDecode<'a>>>,
    ready: VecDeque<RecoveredRun>,
    pub(super) losses: Vec<LostRange>,
    pub(super) blocks: u64,
}

impl<'a> Stream<'a> {
    pub(super) fn new(recovery: &'a RecoveryScan<AnyBytes>, layout: &'a SourceLayout) -> Self {
        Stream {
            recovery,
            layout,
            segment: 0,
            tables: OpenTables::of(recovery),
            done: SegmentProgress::default(),
            ahead: None,
            ready: VecDeque::new(),
            losses: Vec::new(),
            blocks: 0,
        }
    }

    /// The number of the source of the next text.
    pub(super) fn next_source(&mut self) -> Option<usize> {
        while self.ready.is_empty() && self.decode_batch() {}
        self.ready.front().map(|piece| piece.source)
    }

    /// The next text of a source; `None` at its end.
    pub(super) fn next_of(&mut self, source: usize) -> Option<RecoveredRun> {
        match self.next_source() {
            Some(next) if next == source => self.ready.pop_front(),
            _ => None,
        }
    }

    /// Decodes the next blocks; `false` after the last.
    fn decode_batch(&mut self) -> bool {
        let recovery = self.recovery;
        let layout = self.layout;
        let segment = recovery.segments().get(self.segment);
        let (Some(segment), Some(placed)) = (segment, layout.segments.get(self.segment)) else {
            return false;
        };
        let mut ahead = self.ahead.take().unwrap_or_else(|| {
            self.losses.extend(placed.lost_before.iter().cloned());
            let blocks = segment.blocks().enumerate();
            ReadAhead::new(blocks.map(|(number, header)| BlockToDecode { number, header }))
        });
        match self.open_tables(segment, placed) {
            Err(reason) => {
                self.report_lost_segment(segment, placed, &reason);
                self.next_segment();
            }
            Ok(tables) => {
                self.decode(segment, placed, &mut ahead, &tables);
                if ahead.is_empty() {
                    self.report_lost_rest(placed);
                    self.next_segment();
                } else {
                    self.ahead = Some(ahead);
                }
            }
        }
        true
    }

    fn open_tables(&mut self, segment: &FoundSegment, placed: &PlacedSegment) -> TablesResult {
        match segment.blocks().len() {
            0 => Err(LossReason::Segments),
            _ if placed.runs.is_empty() => Err(LossReason::Tables),
            _ => self.tables.get(self.recovery, segment),
        }
    }

    fn next_segment(&mut self) {
        self.segment += 1;
        self.done = SegmentProgress::default();
    }

    fn decode(
        &mut self,
        segment: &FoundSegment,
        placed: &PlacedSegment,
        ahead: &mut ReadAhead<BlockToDecode<'_>>,
        tables: &Arc<SegmentTables>,
    ) {
        let recovery = self.recovery;
        let blocks = ahead.read(|block| {
            let decoded = decode(recovery, segment, block.number, tables);
            (block.header, decoded)
        });
        for (header, decoded) in blocks.into_iter().flatten() {
            self.report_gap_before(placed, header);
            match decoded {
                Ok(decoded) => {
                    self.blocks += 1;
                    self.ready.extend(pieces(placed, header, &decoded));
                    self.done.bytes = raw_end(header);
                    self.done.games = games_end(header);
                }
                Err(error) => {
                    let reason = LossReason::Content(error.to_string());
                    self.report_lost(placed, raw_end(header), games_end(header), &reason);
                }
            }
        }
    }

    /// Reports the text that is missing before a block.
    fn report_gap_before(&mut self, placed: &PlacedSegment, header: &BlockHeader) {
        let (bytes, games) = (header.raw_offset, header.first_game.into());
        self.report_lost(placed, bytes, games, &LossReason::Blocks);
    }

    /// Reports the text that is missing after the last block.
    fn report_lost_rest(&mut self, placed: &PlacedSegment) {
        let bytes = placed.raw_bytes.unwrap_or(self.done.bytes);
        let games = placed.games.unwrap_or(self.done.games);
        self.report_lost(placed, bytes, games, &LossReason::Blocks);
    }

    /// Reports the text of a segment that cannot be read.
    fn report_lost_segment(
        &mut self,
        segment: &FoundSegment,
        placed: &PlacedSegment,
        reason: &LossReason,
    ) {
        let last = segment.blocks().last();
        let bytes = placed.raw_bytes.or(last.map(raw_end)).unwrap_or_default();
        let games = placed.games.or(last.map(games_end)).unwrap_or_default();
        self.report_lost(placed, bytes, games, reason);
    }

    /// Reports the text of the segment as lost, from the current progress to the
    /// given ends, and advances the progress.
    fn report_lost(
        &mut self,
        placed: &PlacedSegment,
        bytes_end: u64,
        games_end: u64,
        reason: &LossReason,
    ) {
        let bytes = self.done.bytes..bytes_end;
        let games = self.done.games..games_end;
        if bytes.is_empty() {
            return;
        }
        self.done.bytes = bytes.end;
        self.done.games = games.end;
        let before = self.losses.len();
        let first = placed
            .runs
            .partition_point(|run| run.text.end <= bytes.start);
        for run in placed.runs.iter().skip(first) {
            if run.text.start >= bytes.end {
                break;
            }
            let own = intersection(&run.text, &bytes);
            let own_games = intersection(&run.games, &games);
            let in_source = |at: u64| run.offset.saturating_add(at.saturating_sub(run.text.start));
            let source = self.layout.sources.get(run.source);
            let name = source.map(|source| source.name.clone());
            let range = in_source(own.start)..in_source(own.end);
            if !range.is_empty() {
                let loss = lost(name, placed, range, own_games, reason);
                self.losses.push(loss);
            }
        }
        // The text belongs to no known source.
        if self.losses.len() == before {
            self.losses.push(lost(None, placed, bytes, games, reason));
        }
    }
}

fn lost(
    source: Option<String>,
    placed: &PlacedSegment,
    bytes: Range<u64>,
    games: Range<u64>,
    reason: &LossReason,
) -> LostRange {
    let number = |first: u64, game: u64| first.saturating_add(game).saturating_add(1);
    LostRange {
        source,
        bytes,
        games: placed
            .first_game
            .map(|first| number(first, games.start)..number(first, games.end)),
        game_count: Some(games.end.saturating_sub(games.start)),
        reason: reason.clone(),
    }
}

fn games_end(header: &BlockHeader) -> u64 {
    u64::from(header.first_game) + u64::from(header.shape.games)
}
