//! The stages of writing a segment, from its text to its blocks and indexes.

use crate::archive::block::MAX_BLOCK_RECORDS;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::options::PackOptions;
use crate::archive::read::indexes::Indexes;
use crate::archive::report::pack::PackReport;
use crate::archive::schema::record::StoredRecord;
use crate::archive::tables::SegmentTables;
use crate::archive::tables::dictionaries::Dictionaries;
use crate::archive::tables::models::pack_model;
use crate::archive::tables::preset_text::fit_preset_text;
use crate::archive::tables::rosters::NameTables;
use crate::archive::write::block_encoder::{BlockEncoder, EncodedBlock, RecordEncoder};
use crate::archive::write::block_ranges::{BlockBounds, blocks};
use crate::archive::write::candidate::{EncodingCandidate, is_short};
use crate::archive::write::indexes::LineIndexes;
use crate::archive::write::planned_columns::{Plans, planned_columns};
use crate::archive::write::proof::RecordTraces;
use crate::archive::write::segment_fit::SegmentFit;
use crate::archive::write::source_reader::SegmentText;
use crate::archive::write::stored_segment::{RecordsRest, StoredSegment};
use crate::container::registry::MODEL;
use crate::container::{self, PartRange, SegmentSummary, Tables};
use crate::index::{DerivedTag, IndexMoves};
use crate::limits::Limits;
use crate::parallel;
use crate::pgn::VerbatimReason;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// The number of blocks that are encoded in parallel before they are written.
const BATCH_BLOCKS: usize = 64;

/// The inputs for writing a segment.
pub(crate) struct SegmentWriter<'p> {
    pub(crate) segment: &'p SegmentText,
    pub(crate) options: &'p PackOptions,
    pub(crate) limits: &'p Limits,
}

/// The container that a segment is written to.
type Sink<'c> = container::ContainerWriter<dyn Write + 'c>;

impl<'p> SegmentWriter<'p> {
    /// Writes the segment. `on_progress` is called with the number of bytes of its
    /// text that have been parsed, also while that number stays the same.
    pub(crate) fn write(
        &self,
        container: &mut Sink<'_>,
        report: &mut PackReport,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let fit = SegmentFit::new(self.segment, self.options, &mut || on_progress(0));
        on_progress(0);
        let names = fit.survey.names();
        let (_, tables) = self.tables(&fit, &Dictionaries::default(), &Plans::default())?;
        let encoder = self.record_encoder(&fit, &tables);
        let mut stored = StoredSegment::encode(&encoder, self.has_names(), on_progress);
        let blocks = self.blocks(&stored.records);
        let referenced = stored.insert_back_references(names);
        let dictionaries = self.dictionaries(&stored.records, &blocks, names);
        stored.insert_start_positions(&blocks, &tables, &dictionaries);
        let StoredSegment { records, mut rest } = stored;
        // Together, because learning uses 1.5 of two threads.
        let (plans, indexes) = parallel::join(
            || Plans::learn(&records, &blocks, names, &referenced, self.limits),
            || self.move_indexes(&rest.moves),
        );
        rest.indexes = indexes;
        let no_plans = Plans::default();
        let candidate = |plans| {
            let (tables, parsed) = self.tables(&fit, &dictionaries, plans)?;
            let block_encoder = BlockEncoder {
                encoder: &encoder,
                tables: parsed,
                stored: &records,
                ids: &dictionaries.ids,
                plans,
            };
            Ok::<_, Error>(EncodingCandidate::new(tables, block_encoder))
        };
        let mut best = candidate(&plans)?;
        if is_short(&blocks) {
            let smaller = best.smaller(candidate(&no_plans)?, &blocks);
            best = smaller.ok_or_else(|| self.verification_error())?;
        }
        self.write_segment(best, &blocks, rest, container, report, on_progress)
    }

    /// Whether the summary of the segment has names of players.
    fn has_names(&self) -> bool {
        self.options.indexes == Indexes::Full
    }

    fn move_indexes(&self, moves: &[IndexMoves]) -> Option<LineIndexes> {
        LineIndexes::build(moves, self.options.indexes, self.limits)
    }

    /// Divides the records into blocks.
    fn blocks(&self, stored: &[StoredRecord<'_>]) -> Vec<Range<usize>> {
        let most_records = self.options.block_records.clamp(1, MAX_BLOCK_RECORDS);
        let prose = |record: &StoredRecord<'_>| record.movetext.prose.len() + record.tail.len();
        let prose = stored.iter().map(prose);
        let most = BlockBounds {
            records: usize::try_from(most_records).unwrap_or(1),
            prose: match self.options.mixes_prose() {
                true => self.options.mixed_prose_bytes,
                false => usize::MAX,
            },
        };
        blocks(self.segment.records.iter().zip(prose), &most)
    }

    /// The tables of the segment, serialized and parsed.
    fn tables(
        &self,
        fit: &SegmentFit<'_>,
        dictionaries: &Dictionaries,
        plans: &Plans<'_>,
    ) -> Result<(Tables, Arc<SegmentTables>), Error> {
        let tables = fit.tables(dictionaries, plans)?;
        let own = |_| Ok(Some(self.options.model.clone()));
        let parsed = SegmentTables::parse(&tables, &own, self.limits);
        let parsed = parsed.map_err(|_| self.verification_error())?;
        Ok((tables, Arc::new(parsed)))
    }

    fn record_encoder<'s>(
        &self,
        fit: &'s SegmentFit<'_>,
        tables: &'s SegmentTables,
    ) -> RecordEncoder<'s>
    where
        'p: 's,
    {
        RecordEncoder {
            segment: self.segment,
            survey: &fit.survey,
            tables,
            codecs: &self.options.codecs,
            mixes_prose: self.options.mixes_prose(),
            wants_moves: self.options.indexes != Indexes::None,
        }
    }

    /// The dictionaries of the columns without plans, and the preset text for prose.
    fn dictionaries(
        &self,
        records: &[StoredRecord<'_>],
        blocks: &[Range<usize>],
        names: NameTables<'_>,
    ) -> Dictionaries {
        let planned = planned_columns(names);
        let has_dictionary = |column| is_short(blocks) || !planned.contains(&column);
        let mut dictionaries = Dictionaries::of(records, names, has_dictionary);
        if self.options.mixes_prose() {
            dictionaries.preset_text = fit_preset_text(records, blocks, self.limits);
        }
        dictionaries
    }

    /// Writes the tables, the blocks and the indexes.
    fn write_segment(
        &self,
        candidate: EncodingCandidate<'_, '_>,
        blocks: &[Range<usize>],
        rest: RecordsRest,
        container: &mut Sink<'_>,
        report: &mut PackReport,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        self.write_model(&candidate.tables, container)?;
        container.begin_segment(&candidate.tables)?;
        let mut games = IndexedGames {
            moves: rest.moves,
            indexes: rest.indexes,
            tags: match self.options.indexes {
                Indexes::None => Vec::new(),
                _ => candidate.block_encoder.derived_tags(),
            },
            summary: rest.summary,
            written: 0,
        };
        let parsed = self.segment.records.last().map_or(0, |last| last.end);
        self.write_blocks(candidate, blocks, rest.traces, |block| {
            on_progress(parsed as u64);
            container.block(block.shape, block.packed.as_block())?;
            report.add(block.shape, &block.report);
            games.add_block(&block);
            Ok(())
        })?;
        let rebuilt = || self.move_indexes(&games.moves);
        if let Some(indexes) = games.indexes.or_else(rebuilt) {
            indexes.write(&games.tags, container, self.limits)?;
        }
        container.summarize(games.summary)?;
        let [first, count] = [self.segment.first_source, self.segment.parts.len()]
            .map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        Ok(container.end_segment(PartRange { first, count })?)
    }

    /// Writes the model that the segment needs, if it is not built in.
    fn write_model(&self, tables: &Tables, container: &mut Sink<'_>) -> Result<(), Error> {
        let model = &self.options.model;
        let digest = model.digest();
        if tables.get(MODEL, 0).is_some()
            && !container.has_model(&digest)
            && let Some(file) = model.file()
        {
            container.model(digest, &pack_model(&file))?;
        }
        Ok(())
    }

    /// Encodes the blocks that have not been encoded, verifies all, and writes them in
    /// their order with `write`.
    fn write_blocks(
        &self,
        candidate: EncodingCandidate<'_, '_>,
        blocks: &[Range<usize>],
        traces: RecordTraces,
        mut write: impl FnMut(EncodedBlock) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let block_encoder = &candidate.block_encoder;
        let mut encoded = candidate.encoded.unwrap_or_default().into_iter();
        let mut traces = traces.into_iter();
        for batch in blocks.chunks(BATCH_BLOCKS) {
            let tasks = batch.iter().map(|range| {
                let traces = traces.by_ref().take(range.len()).collect();
                (range, encoded.next(), traces)
            });
            let tasks: Vec<_> = tasks.collect();
            let verified = parallel::map(tasks, |(range, encoded, traces)| {
                let encoded = encoded
                    .or_else(|| block_encoder.encode(range, &block_encoder.prose(range)?))?;
                block_encoder.verify(range, encoded, traces)
            });
            for block in verified {
                write(block.ok_or_else(|| self.verification_error())?)?;
            }
        }
        Ok(())
    }

    fn verification_error(&self) -> Error {
        let part = self.segment.parts.last();
        let source_name = part.map(|part| part.name.clone()).unwrap_or_default();
        ErrorKind::Unproven { source_name }.into()
    }
}

/// The contents of a segment's indexes.
struct IndexedGames {
    moves: Vec<IndexMoves>,
    /// The indexes of these moves; `None` if games were removed.
    indexes: Option<LineIndexes>,
    tags: Vec<DerivedTag>,
    summary: SegmentSummary,
    /// The number of games in the blocks written so far.
    written: usize,
}

impl IndexedGames {
    /// Counts the games of a block, and removes them if the block has records that were
    /// stored verbatim after verification.
    fn add_block(&mut self, block: &EncodedBlock) {
        let games = usize::try_from(block.shape.games).unwrap_or(usize::MAX);
        let end = self.written.saturating_add(games);
        let is_changed = block.report.rests.contains_key(&VerbatimReason::Unverified);
        if is_changed && let Some(moves) = self.moves.get_mut(self.written..end) {
            moves.fill(IndexMoves::Unknown);
            self.tags.clear();
            self.indexes = None;
            self.summary = SegmentSummary::default();
        }
        self.written = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::report::pack::BlockReport;
    use crate::archive::schema::column_directory::PackedColumns;
    use crate::container::BlockCounts;
    use crate::index::IndexLine;

    /// Indexes do not contain the moves of games that became verbatim text.
    #[test]
    fn indexes_are_built_again_without_removed_games() {
        let moves = vec![IndexMoves::Line(IndexLine::default()); 3];
        let limits = Limits::default();
        let indexes = LineIndexes::build(&moves, Indexes::Openings, &limits);
        assert!(indexes.is_some());
        let mut games = IndexedGames {
            moves,
            indexes,
            tags: Vec::new(),
            summary: SegmentSummary {
                malformed_dates: Some(0),
                ..SegmentSummary::default()
            },
            written: 0,
        };
        for (reason, left) in [
            (VerbatimReason::Illegal, [true, true, true]),
            (VerbatimReason::Unverified, [true, false, true]),
        ] {
            games.add_block(&EncodedBlock {
                shape: BlockCounts {
                    games: 1,
                    records: 1,
                    raw_bytes: 0,
                },
                packed: PackedColumns::default(),
                report: BlockReport {
                    rests: [(reason, 1)].into(),
                    ..BlockReport::default()
                },
            });
            let moves = games.moves.iter().map(|game| game.line().is_some());
            assert_eq!(moves.collect::<Vec<_>>(), left);
            assert_eq!(games.indexes.is_some(), left == [true; 3]);
            let is_known = games.summary != SegmentSummary::default();
            assert_eq!(is_known, left == [true; 3]);
        }
    }
}
