//! Detection of the losses in a segment.

use super::decode::intersection;
use super::layout::{PlacedSegment, SourceLayout};
use super::report::{LossReason, LostRange};
use super::{games_end, raw_end};
use crate::container::{BlockHeader, FoundSegment};
use std::ops::Range;

/// The losses in a segment whose blocks are read in order.
pub(super) struct SegmentLosses<'a> {
    layout: &'a SourceLayout,
    placed: &'a PlacedSegment,
    /// The numbers of bytes and games that were decoded or reported lost.
    bytes: u64,
    games: u64,
    found: Vec<LostRange>,
}

impl<'a> SegmentLosses<'a> {
    pub(super) fn new(layout: &'a SourceLayout, placed: &'a PlacedSegment) -> Self {
        SegmentLosses {
            layout,
            placed,
            bytes: 0,
            games: 0,
            found: Vec::new(),
        }
    }

    /// Adds a block that was decoded, and reports the text that is missing before it.
    pub(super) fn decoded(&mut self, header: &BlockHeader) {
        self.gap_before(header);
        self.bytes = raw_end(header);
        self.games = games_end(header);
    }

    /// Adds a block that cannot be decoded.
    pub(super) fn undecodable(&mut self, header: &BlockHeader, why: String) {
        self.gap_before(header);
        let reason = LossReason::Content(why);
        self.report(raw_end(header), games_end(header), &reason);
    }

    fn gap_before(&mut self, header: &BlockHeader) {
        let games = header.first_game.into();
        self.report(header.raw_offset, games, &LossReason::Blocks);
    }

    /// Reports the text that is missing after the last block. Returns all losses.
    pub(super) fn finish(mut self) -> Vec<LostRange> {
        let bytes = self.placed.raw_bytes.unwrap_or(self.bytes);
        let games = self.placed.games.unwrap_or(self.games);
        self.report(bytes, games, &LossReason::Blocks);
        self.found
    }

    /// Reports the text of a segment that cannot be read.
    pub(super) fn all(mut self, segment: &FoundSegment, reason: &LossReason) -> Vec<LostRange> {
        let last = segment.blocks().last();
        let bytes = self.placed.raw_bytes.or(last.map(raw_end));
        let games = self.placed.games.or(last.map(games_end));
        self.report(bytes.unwrap_or_default(), games.unwrap_or_default(), reason);
        self.found
    }

    /// Reports the text of the segment as lost, from the current progress to the
    /// given ends, and advances the progress.
    fn report(&mut self, bytes_end: u64, games_end: u64, reason: &LossReason) {
        let bytes = self.bytes..bytes_end;
        let games = self.games..games_end;
        if bytes.is_empty() {
            return;
        }
        self.bytes = bytes.end;
        self.games = games.end;
        let before = self.found.len();
        for run in self.placed.runs_in(bytes.clone()) {
            let own = intersection(&run.text, &bytes);
            let own_games = intersection(&run.games, &games);
            let in_source = |at: u64| run.offset.saturating_add(at.saturating_sub(run.text.start));
            let source = self.layout.sources.get(run.source);
            let name = source.map(|source| source.name.clone());
            let range = in_source(own.start)..in_source(own.end);
            self.found.push(self.lost(name, range, own_games, reason));
        }
        // The text belongs to no known source.
        if self.found.len() == before {
            self.found.push(self.lost(None, bytes, games, reason));
        }
    }

    fn lost(
        &self,
        source: Option<String>,
        bytes: Range<u64>,
        games: Range<u64>,
        reason: &LossReason,
    ) -> LostRange {
        let number = |first: u64, game: u64| first.saturating_add(game).saturating_add(1);
        let first = self.placed.first_game;
        LostRange {
            source,
            bytes,
            games: first.map(|first| number(first, games.start)..number(first, games.end)),
            game_count: Some(games.end.saturating_sub(games.start)),
            reason: reason.clone(),
        }
    }
}
