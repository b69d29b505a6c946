//! Pass 2: the records of a segment are parsed and encoded into blocks, with the
//! tables of the segment.

use crate::archive::block::back_references::stored_values;
use crate::archive::read::index_line::{index_moves, outside_moves};
use crate::archive::read::record_values::unescaped;
use crate::archive::report::pack::BlockReport;
use crate::archive::schema::column_directory::PackedColumns;
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::ColumnId;
use crate::archive::schema::summary_row::SummaryRow;
use crate::archive::tables::SegmentTables;
use crate::archive::tables::openings::keys;
use crate::archive::write::encode_movetext::encode_movetext;
use crate::archive::write::plain_columns::write_columns;
use crate::archive::write::planned_columns::Plans;
use crate::archive::write::proof::RecordTraces;
use crate::archive::write::prose_columns::{CompressedProse, compress_prose};
use crate::archive::write::source_reader::SegmentText;
use crate::archive::write::survey::{EMPTY_ROSTER, RecordSurvey, Survey};
use crate::codec::dictionary::StringIds;
use crate::codec::{context_mixing, pack};
use crate::container::BlockCounts;
use crate::index::IndexMoves;
use crate::moves::Codec;
use crate::pgn::{
    self, Game, GameTree, Layout, Lexeme, Moves, Parsed, Record, Scanner, Tag, VerbatimReason,
    parse,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of layouts to try, the most frequent first, on a record without a
/// known layout.
const TRIED_LAYOUTS: usize = 8;

/// The inputs for parsing and encoding records.
pub(crate) struct RecordEncoder<'s> {
    pub(crate) segment: &'s SegmentText,
    pub(crate) survey: &'s Survey,
    pub(crate) tables: &'s SegmentTables,
    pub(crate) codecs: &'s [Codec],
    pub(crate) mixes_prose: bool,
    /// Whether indexes of the moves will be written.
    pub(crate) wants_moves: bool,
}

/// The names and values of tag pairs, with escapes resolved.
fn unescaped_tags<'t>(tags: &'t [Tag<'t>]) -> impl Iterator<Item = (&'t [u8], Cow<'t, [u8]>)> {
    let tags = tags.iter();
    tags.map(|tag| (tag.name, unescaped(Cow::Borrowed(tag.value))))
}

/// One way to write the blocks of a segment whose records have been encoded.
pub(crate) struct BlockEncoder<'w, 's> {
    pub(crate) encoder: &'w RecordEncoder<'s>,
    pub(crate) tables: Arc<SegmentTables>,
    pub(crate) stored: &'w [StoredRecord<'s>],
    pub(crate) ids: &'w BTreeMap<ColumnId, StringIds>,
    pub(crate) plans: &'w Plans<'w>,
}

/// An encoded block.
pub(crate) struct EncodedBlock {
    pub(crate) shape: BlockCounts,
    pub(crate) packed: PackedColumns,
    pub(crate) report: BlockReport,
}

impl<'s> RecordEncoder<'s> {
    fn verbatim(&self, record: &Record, reason: VerbatimReason) -> StoredRecord<'s> {
        let bytes = self.segment.bytes(record);
        let (index_moves, summary) = match record.is_game {
            true => self.of_verbatim(&[], bytes),
            false => Default::default(),
        };
        StoredRecord {
            is_game: record.is_game,
            verbatim_reason: Some(reason),
            roster: EMPTY_ROSTER,
            tail: bytes,
            index_moves,
            summary,
            ..StoredRecord::default()
        }
    }

    /// What indexes and the summary need of a game that is stored verbatim, or in part so, with these tag
    /// pairs in columns.
    fn of_verbatim(&self, tags: &[Tag<'_>], bytes: &[u8]) -> (IndexMoves, SummaryRow) {
        let game = Game::parse(bytes);
        let moves = match self.wants_moves {
            true => outside_moves(game.moves().as_ref()),
            false => IndexMoves::Unknown,
        };
        (moves, SummaryRow::of_verbatim(unescaped_tags(tags), &game))
    }

    /// What indexes and the summary need of a game.
    fn of_tree(&self, tree: &GameTree<'_>) -> (IndexMoves, SummaryRow) {
        let moves = match self.wants_moves {
            true => index_moves(Moves::of(tree).as_ref()),
            false => IndexMoves::Unknown,
        };
        (moves, SummaryRow::of(unescaped_tags(&tree.tags)))
    }

    /// Parses and encodes these records.
    pub(crate) fn encode_records(&self, range: Range<usize>) -> Vec<StoredRecord<'s>> {
        let records = self.segment.records.get(range.clone()).unwrap_or_default();
        let surveyed = self.survey.records.get(range).unwrap_or_default();
        let pairs = records.iter().zip(surveyed);
        pairs
            .map(|(record, surveyed)| self.encode_record(record, *surveyed))
            .collect()
    }

    fn encode_record(&self, record: &Record, surveyed: RecordSurvey) -> StoredRecord<'s> {
        let bytes = self.segment.bytes(record);
        if record.is_piece {
            return self.verbatim(record, VerbatimReason::TooLong);
        }
        if !record.is_game {
            return self.verbatim(record, VerbatimReason::Text);
        }
        let lexemes: Vec<Lexeme> = Scanner::new(bytes).collect();
        let parsed = parse(bytes, &lexemes);
        let layout = self.survey.learned.layout_of(surveyed.group);
        self.structured(bytes, &parsed, layout, surveyed)
            .or_else(|| {
                let only_tags = Parsed::tags_only(bytes, &lexemes, VerbatimReason::Patch);
                self.structured(bytes, &only_tags, layout, surveyed)
            })
            .unwrap_or_else(|| self.verbatim(record, VerbatimReason::Patch))
    }

    /// Encodes the parsed part of a record. `None` if its patch takes more than
    /// half of that part, or if it cannot be encoded.
    fn structured(
        &self,
        bytes: &'s [u8],
        parsed: &Parsed<'s>,
        layout: Option<u8>,
        surveyed: RecordSurvey,
    ) -> Option<StoredRecord<'s>> {
        let (layout, encoded, patch) = self.choose_layout(bytes, parsed, layout)?;
        let structure_bytes = bytes.len() - parsed.tree.tail.len();
        if 2 * patch.len() > structure_bytes {
            return None;
        }
        let (index_moves, summary) = match parsed.verbatim_reason {
            None => self.of_tree(&encoded.tree),
            Some(_) => self.of_verbatim(&encoded.tree.tags, bytes),
        };
        Some(StoredRecord {
            is_game: true,
            verbatim_reason: parsed.verbatim_reason,
            layout,
            roster: surveyed.roster?,
            values: stored_values(&encoded.tree),
            set_up: None,
            start: parsed.start,
            keys: keys(&encoded.tree),
            main_line_plies: parsed.tree.plies().count() as u64,
            movetext: encode_movetext(
                &encoded.tree,
                self.codecs,
                self.tables.model(),
                self.tables.notation(),
            )?,
            patch,
            tail: parsed.tree.tail,
            index_moves,
            summary,
        })
    }

    /// Encodes a record with its layout or, if none is known, with the layout
    /// that gives the smallest patch.
    fn choose_layout(
        &self,
        bytes: &'s [u8],
        parsed: &Parsed<'s>,
        known: Option<u8>,
    ) -> Option<(u8, pgn::Encoded<'s>, Vec<u8>)> {
        let attempt = |(number, layout): (u8, &Layout)| {
            let encoded = pgn::encode(bytes, parsed, layout)?;
            let mut patch = Vec::new();
            encoded.patch.write(&mut patch);
            Some((number, encoded, patch))
        };
        let layouts = (0u8..).zip(self.tables.layouts());
        match known {
            Some(known) => layouts
                .into_iter()
                .find(|(number, _)| *number == known)
                .and_then(attempt),
            None => layouts
                .take(TRIED_LAYOUTS)
                .filter_map(attempt)
                .min_by_key(|(_, _, patch)| patch.len()),
        }
    }
}

impl BlockEncoder<'_, '_> {
    /// Encodes a block whose prose is already compressed.
    pub(crate) fn encode(
        &self,
        range: &Range<usize>,
        prose: &CompressedProse,
    ) -> Option<EncodedBlock> {
        let records = self.encoder.segment.records.get(range.clone())?;
        self.pack(records, self.stored.get(range.clone())?, prose)
    }

    /// Compresses the prose of a block.
    pub(crate) fn prose(&self, range: &Range<usize>) -> Option<CompressedProse> {
        self.compress_prose(self.stored.get(range.clone())?)
    }

    fn compress_prose(&self, stored: &[StoredRecord<'_>]) -> Option<CompressedProse> {
        let preset = self.tables.preset_text().ok()?;
        Some(compress_prose(stored, |prose| {
            match self.encoder.mixes_prose {
                true => context_mixing::compress(prose, preset),
                false => pack::compress(prose, pack::LEVEL),
            }
        }))
    }

    /// Verifies a block by decoding it, with the traces of its records. Records whose text differs are stored
    /// verbatim instead. `None` if that fails too, which would be a bug in this
    /// library.
    pub(crate) fn verify(
        &self,
        range: &Range<usize>,
        encoded: EncodedBlock,
        traces: RecordTraces,
    ) -> Option<EncodedBlock> {
        let records = self.encoder.segment.records.get(range.clone())?;
        let unproven = self.unproven(records, &encoded, traces);
        if unproven.is_empty() {
            return Some(encoded);
        }
        let mut stored = self.stored.get(range.clone())?.to_vec();
        for (index, (record, stored)) in records.iter().zip(&mut stored).enumerate() {
            if unproven.contains(&index) {
                *stored = self.encoder.verbatim(record, VerbatimReason::Unverified);
            }
        }
        let encoded = self.pack(records, &stored, &self.compress_prose(&stored)?)?;
        let unproven = self.unproven(records, &encoded, RecordTraces::new());
        unproven.is_empty().then_some(encoded)
    }

    fn pack(
        &self,
        records: &[Record],
        stored: &[StoredRecord<'_>],
        prose: &CompressedProse,
    ) -> Option<EncodedBlock> {
        let raw_bytes = records.last()?.end - records.first()?.start;
        let games = records.iter().filter(|record| record.is_game).count();
        let names = self.encoder.survey.names();
        let is_planned = |id| self.plans.has(id);
        let mut columns = write_columns(stored, names.rosters, self.ids, &is_planned);
        prose.write(&mut columns);
        self.plans.write(stored, names, &mut columns).ok()?;
        Some(EncodedBlock {
            shape: BlockCounts {
                games: u32::try_from(games).ok()?,
                records: u32::try_from(records.len()).ok()?,
                raw_bytes: u32::try_from(raw_bytes).ok()?,
            },
            report: report(stored, columns.sizes()),
            packed: columns.finish(),
        })
    }
}

fn report(stored: &[StoredRecord<'_>], columns: BTreeMap<ColumnId, u64>) -> BlockReport {
    let mut report = BlockReport {
        columns,
        ..BlockReport::default()
    };
    for record in stored.iter().filter(|record| record.is_game) {
        report.patched += u64::from(!record.patch.is_empty());
        report.plies += record.main_line_plies;
        if let Some(reason) = record.verbatim_reason {
            *report.rests.entry(reason).or_default() += 1;
        }
    }
    report
}
