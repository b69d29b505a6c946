//! Mapping the text of segments to sources.

use super::report::{LossReason, LostRange};
use super::tables::Budget;
use super::{games_end, raw_end};
use crate::archive::fs::names::{TakenNames, safe_name};
use crate::container::{AnyBytes, BlockHeader, FoundSegment, RecoveryScan, Source, SourcePart};
use std::ops::Range;

/// A source to recover.
#[derive(Debug)]
pub(super) struct PlannedSource {
    pub(super) name: String,
    /// The entry of the source in the directory, if there is one.
    pub(super) known: Option<Source>,
    /// The known size of the source, in bytes; without a directory entry, a lower
    /// bound.
    pub(super) bytes: u64,
    /// The number of the source in the recovered archive, from 0; `None` if nothing of its
    /// text is left.
    pub(super) number: Option<u32>,
    /// The name of the source in its parts.
    packed_as: String,
}

/// A run of a segment's text that belongs to one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) source: usize,
    /// The offset of the run in the source.
    pub(super) offset: u64,
    /// The range of the run in the segment's text.
    pub(super) text: Range<u64>,
    /// The games of the run, numbered in the segment from 0.
    pub(super) games: Range<u64>,
}

/// A segment with its position in the text of the archive.
#[derive(Debug, Default)]
pub(super) struct PlacedSegment {
    /// The runs of its text; empty if its tables and the directory are lost.
    pub(super) runs: Vec<Run>,
    /// The sources of which it has parts, some of which may be empty.
    pub(super) parts: Range<usize>,
    /// The raw size of the segment in bytes, if it is known.
    pub(super) raw_bytes: Option<u64>,
    pub(super) games: Option<u64>,
    /// The number of games of the archive before the segment, if it is known.
    pub(super) first_game: Option<u64>,
    /// The known losses between the previous segment and this one.
    pub(super) lost_before: Vec<LostRange>,
}

impl PlacedSegment {
    /// The runs that overlap a range of the segment's text.
    pub(super) fn runs_in(&self, text: Range<u64>) -> impl Iterator<Item = &Run> {
        let first = self.runs.partition_point(|run| run.text.end <= text.start);
        let runs = self.runs.iter().skip(first);
        let runs = runs.take_while(move |run| run.text.start < text.end);
        runs.filter(|run| !run.text.is_empty())
    }

    /// Whether the blocks that were found are all blocks of the segment.
    pub(super) fn has_all_blocks(&self, segment: &FoundSegment) -> bool {
        let (mut bytes, mut games) = (0, 0);
        let mut blocks = segment.blocks();
        let follow = blocks.all(|header| {
            let follows = (header.raw_offset, u64::from(header.first_game)) == (bytes, games);
            (bytes, games) = (raw_end(header), games_end(header));
            follows
        });
        follow && self.raw_bytes == Some(bytes) && self.games == Some(games)
    }

    /// Whether all text of a block belongs to runs.
    pub(super) fn covers(&self, header: &BlockHeader) -> bool {
        let ends = self.runs.first().zip(self.runs.last());
        ends.is_some_and(|(first, last)| {
            first.text.start <= header.raw_offset && raw_end(header) <= last.text.end
        })
    }
}

/// All sources and segments.
#[derive(Debug, Default)]
pub(super) struct SourceLayout {
    pub(super) sources: Vec<PlannedSource>,
    pub(super) segments: Vec<PlacedSegment>,
    names: TakenNames,
    /// The source in which the last segment ends, and the offset of that end.
    last: Option<(usize, u64)>,
    /// The number of games before the next segment, and the file offset of that
    /// segment if nothing is lost in between.
    next: Option<(u64, u64)>,
}

impl SourceLayout {
    pub(super) fn of(recovery: &RecoveryScan<AnyBytes>) -> Self {
        let mut layout = SourceLayout::default();
        if let Some(sources) = recovery.sources() {
            layout.add_listed(sources, recovery.segments());
        } else {
            layout.next = Some((0, FIRST_SEGMENT));
        }
        let listed = layout.segments.len();
        let mut budget = Budget::of(recovery);
        for segment in recovery.segments().iter().skip(listed) {
            let parts = budget.parts(recovery, segment);
            layout.add_unlisted(segment, parts);
        }
        layout.number_sources(recovery.segments());
        layout
    }

    /// Numbers the sources of which intact blocks are left, and those that were empty.
    fn number_sources(&mut self, segments: &[FoundSegment]) {
        let mut has_text = vec![false; self.sources.len()];
        let readable = segments.iter().zip(&self.segments);
        let readable = readable.filter(|(segment, _)| segment.tables_bytes().is_some());
        for (segment, placed) in readable {
            for header in segment.blocks() {
                for run in placed.runs_in(header.raw_offset..raw_end(header)) {
                    has_text
                        .get_mut(run.source)
                        .into_iter()
                        .for_each(|has| *has = true);
                }
            }
        }
        let retained = self.sources.iter_mut().zip(has_text);
        let retained = retained.filter(|(source, has_text)| *has_text || source.bytes == 0);
        for (number, (source, _)) in (0..).zip(retained) {
            source.number = Some(number);
        }
    }

    fn add_source(&mut self, packed_as: &str, known: Option<Source>) -> usize {
        self.sources.push(PlannedSource {
            name: self.names.reserve(&safe_name(packed_as)),
            bytes: known.as_ref().map_or(0, |known| known.bytes),
            known,
            number: None,
            packed_as: packed_as.to_owned(),
        });
        self.sources.len() - 1
    }

    /// Adds the sources and segments that the directory lists. The text of the
    /// archive is the text of its sources, and also the text of its segments.
    fn add_listed(&mut self, sources: &[Source], segments: &[FoundSegment]) {
        let mut text = SourceCursor::default();
        for source in sources {
            self.add_source(&source.name, Some(source.clone()));
        }
        let mut left = sources.iter().enumerate().peekable();
        // The position at which the current source starts.
        let mut before = SourceCursor::default();
        for entry in segments.iter().filter_map(|segment| segment.entry.as_ref()) {
            let start = text;
            let end = text.plus(entry.raw_bytes, entry.games.into());
            let mut runs = Vec::new();
            while text.bytes < end.bytes
                && let Some((number, source)) = left.peek()
            {
                let source_end = before.plus(source.bytes, source.games);
                let run_end = source_end.least(end);
                runs.push(Run {
                    source: *number,
                    offset: text.bytes.saturating_sub(before.bytes),
                    text: start.bytes_to(text)..start.bytes_to(run_end),
                    games: start.games_to(text)..start.games_to(run_end),
                });
                text = run_end;
                if source_end.bytes <= end.bytes {
                    before = source_end;
                    left.next();
                }
            }
            runs.retain(|run| !run.text.is_empty());
            let first = usize::try_from(entry.parts.first).unwrap_or(usize::MAX);
            let count = usize::try_from(entry.parts.count).unwrap_or(usize::MAX);
            self.segments.push(PlacedSegment {
                runs,
                parts: first..first.saturating_add(count),
                raw_bytes: Some(entry.raw_bytes),
                games: Some(entry.games.into()),
                first_game: Some(entry.first_game),
                lost_before: Vec::new(),
            });
            text = end;
        }
    }

    /// Adds a segment that the directory does not list. Its own tables give its
    /// sources, if they are intact.
    fn add_unlisted(&mut self, segment: &FoundSegment, parts: Option<Vec<SourcePart>>) {
        let sum = |count: fn(&SourcePart) -> u64| {
            let parts = parts.as_ref()?.iter();
            parts.map(count).try_fold(0u64, u64::checked_add)
        };
        let first_game = self.next.filter(|(_, place)| *place == segment.span.start);
        let mut placed = PlacedSegment {
            raw_bytes: segment.raw_bytes.or(sum(|part| part.bytes)),
            games: segment.games.or(sum(|part| part.games)),
            first_game: first_game.map(|(games, _)| games),
            ..PlacedSegment::default()
        };
        self.next = placed
            .first_game
            .zip(placed.games)
            .map(|(first, games)| (first.saturating_add(games), segment.span.end));
        let mut at = SourceCursor::default();
        for part in parts.unwrap_or_default() {
            let end = at.plus(part.bytes, part.games);
            let source = self.source_of(&part, &mut placed.lost_before);
            if let Some(planned) = self.sources.get_mut(source) {
                planned.bytes = planned.bytes.max(part.offset.saturating_add(part.bytes));
            }
            placed.runs.push(Run {
                source,
                offset: part.offset,
                text: at.bytes..end.bytes,
                games: at.games..end.games,
            });
            self.last = Some((source, part.offset.saturating_add(part.bytes)));
            at = end;
        }
        let ends = placed.runs.first().zip(placed.runs.last());
        placed.parts = ends.map_or(0..0, |(first, last)| first.source..last.source + 1);
        self.segments.push(placed);
    }

    /// The source that a part belongs to: the last source, if the part can continue
    /// it; otherwise a new one. Missing text before the part is added to `lost`.
    fn source_of(&mut self, part: &SourcePart, lost: &mut Vec<LostRange>) -> usize {
        let last = self.last.filter(|(source, end)| {
            let last = self.sources.get(*source);
            part.offset > 0
                && *end <= part.offset
                && last.is_some_and(|last| last.known.is_none() && last.packed_as == part.name)
        });
        let (source, end) = match last {
            Some(last) => last,
            None => (self.add_source(&part.name, None), 0),
        };
        if end < part.offset {
            let name = self.sources.get(source).map(|source| source.name.clone());
            lost.push(LostRange {
                source: name,
                bytes: end..part.offset,
                games: None,
                game_count: None,
                reason: LossReason::Segments,
            });
        }
        source
    }
}

/// The file offset of the first segment of every archive.
const FIRST_SEGMENT: u64 = 80;

/// A position in a text: the numbers of bytes and games before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct SourceCursor {
    bytes: u64,
    games: u64,
}

impl SourceCursor {
    fn plus(self, bytes: u64, games: u64) -> SourceCursor {
        SourceCursor {
            bytes: self.bytes.saturating_add(bytes),
            games: self.games.saturating_add(games),
        }
    }

    fn least(self, other: SourceCursor) -> SourceCursor {
        SourceCursor {
            bytes: self.bytes.min(other.bytes),
            games: self.games.min(other.games),
        }
    }

    fn bytes_to(self, end: SourceCursor) -> u64 {
        end.bytes.saturating_sub(self.bytes)
    }

    fn games_to(self, end: SourceCursor) -> u64 {
        end.games.saturating_sub(self.games)
    }
}
