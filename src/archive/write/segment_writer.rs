//! The passes over a segment: it is surveyed, the contents of its tables are
//! fitted to it, its records are parsed and encoded, plans are learned from these,
//! and blocks are encoded with all tables.

use crate::archive::block::MAX_BLOCK_RECORDS;
use crate::archive::block::back_references::BackReferences;
use crate::archive::error::{Error, ErrorKind};
use crate::archive::options::PackOptions;
use crate::archive::read::indexes::Indexes;
use crate::archive::report::pack::PackReport;
use crate::archive::schema::record::StoredRecord;
use crate::archive::tables::SegmentTables;
use crate::archive::tables::adaptations::fit;
use crate::archive::tables::dictionaries::Dictionaries;
use crate::archive::tables::plans::{Plans, planned_columns};
use crate::archive::tables::preset_text::{CompressedProse, fit_preset_text};
use crate::archive::write::block_encoder::{BlockEncoder, EncodedBlock, RecordEncoder, blocks};
use crate::archive::write::indexes::write_indexes;
use crate::archive::write::notation::fit_notation;
use crate::archive::write::source_reader::SegmentText;
use crate::archive::write::start_positions::replace_fens_by_positions;
use crate::archive::write::survey::survey;
use crate::container::{self, PartRange, Tables};
use crate::index::IndexLine;
use crate::limits::Limits;
use crate::parallel;
use crate::pgn::VerbatimReason;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// The number of blocks that are encoded in parallel before they are written.
const BATCH_BLOCKS: usize = 64;

/// The number of records per task when back-references are inserted.
const RECORDS_PER_TASK: usize = 64;

/// A segment of at most this many blocks is also encoded without plans; the
/// smaller result is written.
const MAX_UNPLANNED_BLOCKS: usize = 8;

/// The inputs for writing a segment.
pub(crate) struct SegmentWriter<'p> {
    pub(crate) segment: &'p SegmentText,
    pub(crate) options: &'p PackOptions,
    pub(crate) limits: &'p Limits,
}

/// The tables of a segment, serialized and parsed.
struct ParsedTables {
    tables: Tables,
    parsed: Arc<SegmentTables>,
}

/// A block_encoder to encode the blocks of a segment, and the tables for it.
struct EncodingCandidate<'w, 's> {
    tables: &'w ParsedTables,
    block_encoder: BlockEncoder<'w, 's>,
    /// The encoded blocks, if they have been encoded.
    encoded: Option<Vec<EncodedBlock>>,
}

impl EncodingCandidate<'_, '_> {
    /// Encodes all blocks with their prose. Returns the size of blocks and tables
    /// in bytes.
    fn encode(&mut self, blocks: &[Range<usize>], prose: &[CompressedProse]) -> Option<usize> {
        let encode = |(range, prose)| self.block_encoder.encode(range, prose);
        let encoded = parallel::map(blocks.iter().zip(prose), encode).into_iter();
        let encoded: Vec<EncodedBlock> = encoded.collect::<Option<_>>()?;
        let tables = self.tables.tables.iter().map(|table| table.bytes.len());
        let bytes = tables.chain(encoded.iter().map(|block| block.packed.len()));
        let bytes = bytes.sum();
        self.encoded = Some(encoded);
        Some(bytes)
    }
}

impl SegmentWriter<'_> {
    /// Writes the segment. `on_progress` is called with the number of bytes of its
    /// text that have been parsed.
    pub(crate) fn write(
        &self,
        container: &mut container::ContainerWriter<dyn Write + '_>,
        report: &mut PackReport,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let SegmentText {
            text,
            records,
            parts,
            ..
        } = self.segment;
        let codecs = &self.options.codecs;
        let survey = survey(text, records);
        let models = survey.models(codecs);
        let adaptations = fit(text, records, &models);
        let notation = fit_notation(text, records, !models.is_empty());
        let tables = |dictionaries: &Dictionaries, plans: &Plans<'_>| {
            self.parsed(survey.tables(
                parts,
                codecs,
                &adaptations,
                &notation,
                dictionaries,
                plans,
            )?)
        };
        let no_plans = Plans::default();
        let bare = tables(&Dictionaries::default(), &no_plans)?;
        let encoder = RecordEncoder {
            text,
            records,
            survey: &survey,
            tables: &bare.parsed,
            codecs,
            mixes_prose: self.options.context_mixing,
            wants_lines: self.options.indexes != Indexes::None,
        };
        let most = self.options.block_records.clamp(1, MAX_BLOCK_RECORDS);
        let blocks = blocks(records, usize::try_from(most).unwrap_or(1));
        let mut stored = encode_records(&encoder, &blocks, on_progress);
        let games = stored.iter_mut().filter(|record| record.is_game);
        let lines = games.map(|game| game.line.take()).collect();
        let back_references = BackReferences::learn(&stored, survey.names());
        let put = |record: &mut StoredRecord<'_>| back_references.insert(record, survey.names());
        parallel::for_each(stored.chunks_mut(RECORDS_PER_TASK), |records| {
            records.iter_mut().for_each(put);
        });
        let is_short = blocks.len() <= MAX_UNPLANNED_BLOCKS;
        let planned = planned_columns(survey.names());
        let has_dictionary = |column| is_short || !planned.contains(&column);
        let mut dictionaries = Dictionaries::of(&stored, survey.names(), has_dictionary);
        if self.options.context_mixing {
            dictionaries.phrases = fit_preset_text(&stored, &blocks, self.limits);
        }
        insert_start_positions(&mut stored, &blocks, &bare.parsed, &dictionaries);
        let referenced = back_references.referenced();
        let plans = Plans::learn(&stored, &blocks, survey.names(), &referenced, self.limits);
        let candidate = |tables, plans| EncodingCandidate {
            tables,
            block_encoder: BlockEncoder {
                encoder: &encoder,
                tables: &tables.parsed,
                stored: &stored,
                ids: &dictionaries.ids,
                plans,
            },
            encoded: None,
        };
        let planned = tables(&dictionaries, &plans)?;
        let mut best = candidate(&planned, &plans);
        let plain = is_short.then(|| tables(&dictionaries, &no_plans));
        let plain = plain.transpose()?;
        if let Some(plain) = &plain {
            // A few records may be smaller without plans.
            let mut other = candidate(plain, &no_plans);
            let prose = parallel::map(&blocks, |range| other.block_encoder.prose(range));
            let prose: Option<Vec<CompressedProse>> = prose.into_iter().collect();
            let prose = prose.ok_or_else(|| self.verification_error())?;
            let of_other = other.encode(&blocks, &prose);
            if of_other.is_some() && of_other <= best.encode(&blocks, &prose) {
                best = other;
            }
        }
        self.write_blocks(best, &blocks, lines, container, report)
    }

    fn parsed(&self, tables: Tables) -> Result<ParsedTables, Error> {
        let parsed = SegmentTables::parse(&tables, self.limits);
        let parsed = parsed.map_err(|_| self.verification_error())?;
        let parsed = Arc::new(parsed);
        Ok(ParsedTables { tables, parsed })
    }

    /// Writes the tables, the blocks, each of which is verified, and the indexes.
    fn write_blocks(
        &self,
        mut candidate: EncodingCandidate<'_, '_>,
        blocks: &[Range<usize>],
        mut lines: Vec<Option<IndexLine>>,
        container: &mut container::ContainerWriter<dyn Write + '_>,
        report: &mut PackReport,
    ) -> Result<(), Error> {
        container.begin_segment(&candidate.tables.tables)?;
        let mut encoded = candidate.encoded.take().unwrap_or_default().into_iter();
        let block_encoder = &candidate.block_encoder;
        let mut tags = match self.options.indexes {
            Indexes::None => Vec::new(),
            _ => block_encoder.derived_tags(),
        };
        let mut games = 0;
        for batch in blocks.chunks(BATCH_BLOCKS) {
            let encoded: Vec<_> = batch.iter().map(|range| (range, encoded.next())).collect();
            let proven = parallel::map(encoded, |(range, encoded)| {
                let encoded = encoded
                    .or_else(|| block_encoder.encode(range, &block_encoder.prose(range)?))?;
                block_encoder.verify(range, encoded)
            });
            for block in proven {
                let block: EncodedBlock = block.ok_or_else(|| self.verification_error())?;
                container.block(block.shape, &block.packed)?;
                report.add(block.shape, &block.report);
                let end = games + usize::try_from(block.shape.games).unwrap_or(usize::MAX);
                if block.report.rests.contains_key(&VerbatimReason::Unverified)
                    && let Some(lines) = lines.get_mut(games..end)
                {
                    // Some games of the block are now stored verbatim.
                    lines.fill(None);
                    tags.clear();
                }
                games = end;
            }
        }
        write_indexes(&lines, &tags, self.options.indexes, container, self.limits)?;
        let [first, count] = [self.segment.first_source, self.segment.parts.len()]
            .map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        Ok(container.end_segment(PartRange { first, count })?)
    }

    fn verification_error(&self) -> Error {
        let part = self.segment.parts.last();
        let source_name = part.map(|part| part.name.clone()).unwrap_or_default();
        ErrorKind::Unproven { source_name }.into()
    }
}

/// Parses and encodes all records of a segment.
fn encode_records<'s>(
    encoder: &RecordEncoder<'s>,
    blocks: &[Range<usize>],
    on_progress: &mut dyn FnMut(u64),
) -> Vec<StoredRecord<'s>> {
    let mut stored = Vec::with_capacity(encoder.records.len());
    for batch in blocks.chunks(BATCH_BLOCKS) {
        let take_apart = |range: &Range<usize>| encoder.encode_records(range.clone());
        let encoded = parallel::map(batch, take_apart);
        stored.extend(encoded.into_iter().flatten());
        let end = encoder.records.get(..stored.len()).and_then(<[_]>::last);
        on_progress(end.map_or(0, |end| end.end as u64));
    }
    stored
}

/// Replaces FENs by start positions, block by block.
fn insert_start_positions(
    stored: &mut [StoredRecord<'_>],
    blocks: &[Range<usize>],
    tables: &SegmentTables,
    dictionaries: &Dictionaries,
) {
    let mut rest = stored;
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
