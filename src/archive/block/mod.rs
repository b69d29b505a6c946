//! Reading the columns of a block. `write::plain_columns`, `write::planned_columns` and
//! `write::prose_columns` write them.
//!
//! | module | contents |
//! |---|---|
//! | `column_reader`, `stored_columns`, `lazy_prefix` | columns, decoded when they are first needed |
//! | `record_offsets` | the offsets of each record's bit strings |
//! | `values`, `back_references`, `fens` | the values of tag pairs |
//! | `record` | what a record decodes to: moves, main line, tree, text |
//! | `decode_movetext` | the nodes of a movetext: moves, comments, variations |
//! | `main_line` | its main line without the rest |
//! | `marked_lines`, `movetext`, `stream`, `variations`, `line_start` | the plies of lines |
//! | `game_trace` | the trace of a game's encoder, while packing |
//! | `spelling` | the spelling of each ply |
//! | `budget` | bounds on what decoding a record may take |

pub(crate) mod back_references;
mod budget;
pub(crate) mod column_reader;
mod decode_movetext;
mod fens;
mod game_trace;
pub(crate) mod lazy_prefix;
mod line_start;
pub(crate) mod main_line;
pub(crate) mod mark_kinds;
mod marked_lines;
pub(crate) mod movetext;
mod record;
pub(crate) mod record_offsets;
pub(crate) mod spelling;
pub(crate) mod stored_columns;
pub(crate) mod stream;
mod values;
pub(crate) mod variations;

use crate::archive::block::column_reader::BlockColumns;
use crate::archive::block::fens::BlockFens;
use crate::archive::block::lazy_prefix::LazyPrefix;
use crate::archive::block::record_offsets::{RecordOffsets, to_usize};
use crate::archive::block::stored_columns::MovetextSource;
use crate::archive::error::ContentError;
use crate::archive::schema::record::GameTrace;
use crate::archive::schema::registry::{
    ColumnId, IS_GAME, MARK_BYTES, PATCH, ROSTER, VERBATIM_REASON,
};
use crate::archive::tables::SegmentTables;
use crate::container::{BlockCounts, PackedBlock};
use crate::pgn::{MAX_RECORD_BYTES, VerbatimReason};
use budget::DecodeBudgets;
use std::sync::Arc;

/// The maximum number of records of a block.
pub const MAX_BLOCK_RECORDS: u32 = 4096;

/// The strings of a block take at most this many bytes in total per byte of raw text.
/// They consist of text, and of spelling exceptions, patches and similar data of a
/// few bytes for each byte of text.
pub const MAX_STRING_BYTES_PER_TEXT_BYTE: u64 = 8;
/// The strings of a block take at most this many bytes in total over its raw size.
/// This is the size of the largest record.
pub const MAX_STRING_BYTES_OVER_TEXT: u64 = MAX_RECORD_BYTES as u64;

/// The maximum size of all strings of a block with this raw size, in bytes.
fn max_string_bytes(raw_bytes: u32) -> u64 {
    let raw_bytes = u64::from(raw_bytes);
    let beside = raw_bytes + MAX_STRING_BYTES_OVER_TEXT;
    beside.min(MAX_STRING_BYTES_PER_TEXT_BYTE * raw_bytes)
}

/// A block whose columns have been located. Records are decoded one at a time, and
/// columns only as far as these records need them.
#[derive(Debug)]
pub(crate) struct OpenBlock {
    shape: BlockCounts,
    columns: BlockColumns,
    starts: LazyPrefix<Vec<RecordOffsets>>,
    fens: LazyPrefix<BlockFens>,
    budgets: DecodeBudgets,
    /// The traces of the records' encoders; empty for a reader.
    traces: Vec<Option<Arc<GameTrace>>>,
}

impl OpenBlock {
    pub(crate) fn parse(
        packed: PackedBlock<'_>,
        shape: BlockCounts,
        tables: &Arc<SegmentTables>,
    ) -> Result<Self, ContentError> {
        let movetext = packed.movetext.to_vec();
        let movetext = MovetextSource::new(move || Ok(movetext.clone()));
        Self::of_tags(packed.tags.to_vec(), movetext, shape, tables)
    }

    /// A block of which the tags have been read. The movetext is read when it is first needed.
    pub(crate) fn of_tags(
        tags: Vec<u8>,
        movetext: MovetextSource,
        shape: BlockCounts,
        tables: &Arc<SegmentTables>,
    ) -> Result<Self, ContentError> {
        if shape.records > MAX_BLOCK_RECORDS {
            return Err(ContentError::Invalid("too many records in a block"));
        }
        let records = to_usize(shape.records.into())?;
        let max_bytes = max_string_bytes(shape.raw_bytes);
        Ok(OpenBlock {
            shape,
            columns: BlockColumns::parse(tags, movetext, records, max_bytes, tables)?,
            starts: LazyPrefix::default(),
            fens: LazyPrefix::default(),
            budgets: DecodeBudgets::new(to_usize(shape.raw_bytes.into())?),
            traces: Vec::new(),
        })
    }

    /// The same block, to prove its records. Those that have a trace are decoded with it. The
    /// adaptations are those of the encoder.
    pub(crate) fn with_traces(self, traces: Vec<Option<Arc<GameTrace>>>) -> Self {
        OpenBlock { traces, ..self }
    }

    /// Checks the conditions that involve all records: counts and sums of lengths.
    pub(crate) fn check(&self) -> Result<(), ContentError> {
        let records = self.records();
        let is_game = self.columns.ints(IS_GAME, records)?;
        let games = (0..records).filter(|record| is_game.get(*record) != 0);
        if games.count() as u64 != u64::from(self.shape.games) {
            return Err(ContentError::Invalid(
                "another number of games than announced",
            ));
        }
        self.fens()?;
        let end = self.starts(records)?;
        let bit_strings = self.columns.bit_strings()?;
        if !end.are_ends(|id| bit_strings.column(id).len()) {
            return Err(ContentError::Invalid("counts that do not add up"));
        }
        Ok(())
    }

    /// The offsets of the parts of a record. For the index after the last record, the
    /// ends.
    fn starts(&self, record: usize) -> Result<RecordOffsets, ContentError> {
        // The lengths are in the movetext.
        self.columns.bit_strings()?;
        let make = |records| RecordOffsets::find(&self.columns, records, self.shape.raw_bytes);
        let starts = self.starts.get(record, self.records(), make)?;
        Ok(starts.get(record).copied().unwrap_or_default())
    }

    fn int(&self, id: ColumnId, record: usize) -> Result<u64, ContentError> {
        self.columns.int(id, record)
    }

    /// The value of a record in a string column with one value per record.
    fn string(&self, id: ColumnId, record: usize) -> Result<&[u8], ContentError> {
        self.columns.string(id, record, self.records())
    }

    fn roster(&self, record: usize) -> Result<&[u32], ContentError> {
        let roster = self.columns.tables().roster(self.int(ROSTER, record)?);
        roster.ok_or(ContentError::Invalid("no such roster"))
    }

    pub(crate) fn records(&self) -> usize {
        self.columns.records()
    }

    pub(crate) fn is_game(&self, record: usize) -> Result<bool, ContentError> {
        // Most blocks hold games only.
        if self.shape.games == self.shape.records {
            return Ok(true);
        }
        Ok(self.int(IS_GAME, record)? != 0)
    }

    /// The reason why the record has a verbatim tail, if it has one.
    pub(crate) fn verbatim_reason(
        &self,
        record: usize,
    ) -> Result<Option<VerbatimReason>, ContentError> {
        let number = u8::try_from(self.int(VERBATIM_REASON, record)?);
        Ok(number.ok().and_then(VerbatimReason::from_number))
    }

    /// Whether the record has a patch, i.e. its layout alone does not give its text.
    pub(crate) fn has_patch(&self, record: usize) -> Result<bool, ContentError> {
        Ok(!self.string(PATCH, record)?.is_empty())
    }

    /// Whether the movetext may contain anything but moves.
    pub(crate) fn may_have_marks(&self, record: usize) -> Result<bool, ContentError> {
        let has_marks = self.int(MARK_BYTES, record)? > 0;
        Ok(has_marks || self.verbatim_reason(record)?.is_some())
    }

    /// The text of all records, concatenated. An error comes with the index of its
    /// record.
    pub(crate) fn all_text(&self) -> Result<Vec<u8>, (usize, ContentError)> {
        self.all_records().map(|(text, _)| text)
    }

    /// As [`OpenBlock::all_text`], with the offset of the end of each record.
    pub(crate) fn all_records(&self) -> Result<(Vec<u8>, Vec<usize>), (usize, ContentError)> {
        self.check().map_err(|error| (0, error))?;
        let mut out = Vec::new();
        let mut ends = Vec::with_capacity(self.records());
        for record in 0..self.records() {
            let text = self.text(record).map_err(|error| (record, error))?;
            out.extend_from_slice(&text);
            if out.len() as u64 > u64::from(self.shape.raw_bytes) {
                return Err((record, ContentError::Invalid("more text than announced")));
            }
            ends.push(out.len());
        }
        if out.len() as u64 != u64::from(self.shape.raw_bytes) {
            return Err((
                self.records(),
                ContentError::Invalid("less text than announced"),
            ));
        }
        Ok((out, ends))
    }
}
