//! Pass 2: the records of a segment, encoded into blocks against its tables.

use super::block::OpenBlock;
use super::cells::With;
use super::openings::keys;
use super::phrases::write_prose;
use super::plans::Plans;
use super::record::dismantle;
use super::registry::ColumnId;
use super::set_up::replace_fens;
use super::stored::{StoredRecord, write_columns};
use super::survey::{EMPTY_ROSTER, Survey, Surveyed};
use super::tables::SegmentTables;
use crate::container::BlockShape;
use crate::limits::Limits;
use crate::moves::Codec;
use crate::pgn::{self, Layout, Lexeme, Parsed, Record, Rest, Scanner, parse};
use std::collections::BTreeMap;
use std::ops::Range;

/// A block ends before it holds more text than this, unless one record does.
const BLOCK_RAW_BYTES: usize = 256 << 10;
/// Layouts tried on a record that fits none throughout: the commonest.
const TRIED_LAYOUTS: usize = 8;

/// Everything that encoding a block needs.
pub(super) struct Encoder<'s> {
    pub(super) text: &'s [u8],
    pub(super) records: &'s [Record],
    pub(super) survey: &'s Survey,
    pub(super) tables: &'s SegmentTables,
    pub(super) codecs: &'s [Codec],
    pub(super) limits: &'s Limits,
}

/// A block, encoded and proven.
pub(super) struct EncodedBlock {
    pub(super) shape: BlockShape,
    pub(super) packed: Vec<u8>,
    pub(super) report: BlockReport,
}

/// What became of the records of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockReport {
    /// Games that are kept verbatim from some place on, by reason.
    pub(super) rests: BTreeMap<Rest, u64>,
    /// Games whose text needs a patch.
    pub(super) patched: u64,
    /// Plies that are structure.
    pub(super) plies: u64,
    /// Sizes in bytes by column.
    pub(super) columns: BTreeMap<ColumnId, u64>,
}

/// Cuts records into blocks, of so many records at most: ranges of their numbers.
pub(super) fn blocks(records: &[Record], most: usize) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut raw_bytes = 0;
    for (index, record) in records.iter().enumerate() {
        let len = record.end - record.start;
        let is_full = index - start >= most || raw_bytes + len > BLOCK_RAW_BYTES;
        if index > start && is_full {
            blocks.push(start..index);
            start = index;
            raw_bytes = 0;
        }
        raw_bytes += len;
    }
    if start < records.len() {
        blocks.push(start..records.len());
    }
    blocks
}

/// The records of a block, taken apart.
pub(super) type StoredBlock<'s> = Vec<StoredRecord<'s>>;

impl<'s> Encoder<'s> {
    /// Takes the records of a block apart.
    pub(super) fn take_apart(&self, range: Range<usize>) -> StoredBlock<'s> {
        let records = self.records.get(range.clone()).unwrap_or_default();
        let surveyed = self.survey.records.get(range).unwrap_or_default();
        let stored = records.iter().zip(surveyed);
        let mut stored: StoredBlock<'s> = stored
            .map(|(record, surveyed)| self.store(record, *surveyed))
            .collect();
        replace_fens(&mut stored, self.tables, &self.survey.ids);
        stored
    }

    /// Encodes a block and decodes it again. `None` if it does not give back
    /// its text, which would be an error of this library.
    pub(super) fn block(
        &self,
        range: Range<usize>,
        stored: &[StoredRecord<'s>],
        plans: &Plans<'s>,
    ) -> Option<EncodedBlock> {
        let records = self.records.get(range)?;
        let encoded = self.pack(records, stored, plans)?;
        let unproven = self.unproven(records, &encoded);
        if unproven.is_empty() {
            return Some(encoded);
        }
        let verbatim =
            |(index, (record, stored)): (usize, (&Record, &StoredRecord<'s>))| match unproven
                .contains(&index)
            {
                true => self.verbatim(record, Rest::Unproven),
                false => stored.clone(),
            };
        let stored = records.iter().zip(stored).enumerate().map(verbatim);
        let encoded = self.pack(records, &stored.collect::<StoredBlock<'s>>(), plans)?;
        self.unproven(records, &encoded)
            .is_empty()
            .then_some(encoded)
    }

    fn bytes(&self, record: &Record) -> &'s [u8] {
        self.text.get(record.start..record.end).unwrap_or_default()
    }

    fn pack(
        &self,
        records: &[Record],
        stored: &[StoredRecord<'_>],
        plans: &Plans<'_>,
    ) -> Option<EncodedBlock> {
        let raw_bytes = records.last()?.end - records.first()?.start;
        let games = records.iter().filter(|record| record.is_game).count();
        let (rosters, ids) = (&self.survey.rosters, &self.survey.ids);
        let mut columns = write_columns(stored, rosters, ids, &|id| plans.has(id));
        write_prose(stored, self.tables.phrases().ok()?, &mut columns);
        plans
            .write(stored, self.survey.names(), &mut columns)
            .ok()?;
        Some(EncodedBlock {
            shape: BlockShape {
                games: u32::try_from(games).ok()?,
                records: u32::try_from(records.len()).ok()?,
                raw_bytes: u32::try_from(raw_bytes).ok()?,
            },
            report: BlockReport::of(stored, columns.sizes()),
            packed: columns.finish(),
        })
    }

    /// The records that do not come back.
    fn unproven(&self, records: &[Record], encoded: &EncodedBlock) -> Vec<usize> {
        let Ok(block) = OpenBlock::parse(&encoded.packed, encoded.shape, self.tables) else {
            return (0..records.len()).collect();
        };
        let with = With {
            tables: self.tables,
            limits: self.limits,
        };
        if block.check(with).is_err() {
            return (0..records.len()).collect();
        }
        let comes_back = |index: usize, record: &Record| {
            let text = block.text(index, with);
            text.is_ok_and(|text| text == self.bytes(record))
        };
        let numbered = records.iter().enumerate();
        numbered
            .filter(|(index, record)| !comes_back(*index, record))
            .map(|(index, _)| index)
            .collect()
    }

    fn verbatim(&self, record: &Record, rest: Rest) -> StoredRecord<'s> {
        StoredRecord {
            is_game: record.is_game,
            rest: Some(rest),
            roster: EMPTY_ROSTER,
            tail: self.bytes(record),
            ..StoredRecord::default()
        }
    }

    fn store(&self, record: &Record, surveyed: Surveyed) -> StoredRecord<'s> {
        let bytes = self.bytes(record);
        if record.is_piece {
            return self.verbatim(record, Rest::Piece);
        }
        if !record.is_game {
            return self.verbatim(record, Rest::Text);
        }
        let lexemes: Vec<Lexeme> = Scanner::new(bytes).collect();
        let parsed = parse(bytes, &lexemes);
        let layout = self.survey.learned.layout_of(surveyed.group);
        self.structured(bytes, &parsed, layout, surveyed)
            .or_else(|| {
                let only_tags = Parsed::only_tags(bytes, &lexemes, Rest::Patch);
                self.structured(bytes, &only_tags, layout, surveyed)
            })
            .unwrap_or_else(|| self.verbatim(record, Rest::Patch))
    }

    /// The record as far as it is parsed, unless that does not pay.
    fn structured(
        &self,
        bytes: &'s [u8],
        parsed: &Parsed<'s>,
        layout: Option<u8>,
        surveyed: Surveyed,
    ) -> Option<StoredRecord<'s>> {
        let (layout, encoded, patch) = self.lay_out(bytes, parsed, layout)?;
        let structure_bytes = bytes.len() - parsed.tree.tail.len();
        if 2 * patch.len() > structure_bytes {
            return None;
        }
        Some(StoredRecord {
            is_game: true,
            rest: parsed.rest,
            layout,
            roster: surveyed.roster?,
            values: parsed.tree.tags.iter().map(|tag| tag.value).collect(),
            set_up: None,
            start: parsed.start,
            keys: keys(&encoded.tree),
            plies: parsed.tree.plies().count() as u64,
            movetext: dismantle(
                &encoded.tree,
                self.codecs,
                self.tables.tunings(),
                self.tables.notation(),
            )?,
            patch,
            tail: parsed.tree.tail,
        })
    }

    /// The layout with the smallest patch, where no fitting one is known.
    fn lay_out(
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

impl BlockReport {
    fn of(stored: &[StoredRecord<'_>], columns: BTreeMap<ColumnId, u64>) -> Self {
        let mut report = BlockReport {
            columns,
            ..BlockReport::default()
        };
        for record in stored.iter().filter(|record| record.is_game) {
            report.patched += u64::from(!record.patch.is_empty());
            report.plies += record.plies;
            if let Some(rest) = record.rest {
                *report.rests.entry(rest).or_default() += 1;
            }
        }
        report
    }
}
