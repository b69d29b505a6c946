//! Reading the columns of a block. `write::plain_columns`, `write::planned_columns` and
//! `write::prose_columns` write them.
//!
//! | module | contents |
//! |---|---|
//! | `column_reader`, `lazy_prefix` | columns, decoded when they are first needed |
//! | `record_offsets` | the offsets of each record's bit strings |
//! | `values`, `back_references`, `fens` | the values of tag pairs |
//! | `decode_movetext` | the nodes of a movetext: moves, comments, variations |
//! | `movetext`, `stream`, `variations`, `line_start` | the plies of lines |
//! | `spelling` | the spelling of each ply |
//! | `budget` | bounds on what decoding a record may take |

pub(crate) mod back_references;
mod budget;
pub(crate) mod column_reader;
pub(crate) mod decode_movetext;
mod fens;
pub(crate) mod lazy_prefix;
mod line_start;
pub(crate) mod movetext;
pub(crate) mod record_offsets;
pub(crate) mod spelling;
pub(crate) mod stream;
mod values;
pub(crate) mod variations;

pub(crate) use values::TagValue;

use crate::annotation::{Bounds, MarkBits, TimeControl};
use crate::archive::block::column_reader::BlockColumns;
use crate::archive::block::decode_movetext::{
    MainLine, MainLineParts, decode_main_line, decode_movetext,
};
use crate::archive::block::fens::BlockFens;
use crate::archive::block::lazy_prefix::LazyPrefix;
use crate::archive::block::record_offsets::{RecordOffsets, TOO_LARGE, to_byte, to_usize};
use crate::archive::error::ContentError;
use crate::archive::schema::fen_position::read_start_number;
use crate::archive::schema::record::Movetext;
use crate::archive::schema::registry::{
    CODEC, COMMENTS, ColumnId, DEFAULT_SPELLING, IS_GAME, LAYOUT, LINES, MARK_BYTES, MARKS, MOVES,
    PATCH, PLIES, RESULT, ROSTER, SPELLING_EXCEPTIONS, START, TAIL, VARIATION_PLIES, VARIATIONS,
    VERBATIM_REASON,
};
use crate::archive::tables::SegmentTables;
use crate::chess::ChessPosition;
use crate::container::BlockCounts;
use crate::model::{Ratings, SideInfo};
use crate::pgn::{
    FEN_TAG, Game, GameTree, MAX_NODES, MAX_RECORD_BYTES, MIN_PLY_BYTES, Moves, MovetextEvent,
    Node, Patch, Tag, VerbatimReason, first_position, render,
};
use budget::DecodeBudgets;
use std::borrow::Cow;
use std::sync::Arc;
use values::tags;

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
}

impl OpenBlock {
    pub(crate) fn parse(
        packed: &[u8],
        shape: BlockCounts,
        tables: &Arc<SegmentTables>,
    ) -> Result<Self, ContentError> {
        if shape.records > MAX_BLOCK_RECORDS {
            return Err(ContentError::Invalid("too many records in a block"));
        }
        let records = to_usize(shape.records.into())?;
        Ok(OpenBlock {
            shape,
            columns: BlockColumns::parse(
                packed,
                records,
                max_string_bytes(shape.raw_bytes),
                tables,
            )?,
            starts: LazyPrefix::default(),
            fens: LazyPrefix::default(),
            budgets: DecodeBudgets::new(to_usize(shape.raw_bytes.into())?),
        })
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
        if !end.are_ends(|id| self.columns.raw(id).len()) {
            return Err(ContentError::Invalid("counts that do not add up"));
        }
        Ok(())
    }

    /// The offsets of the parts of a record. For the index after the last record, the
    /// ends.
    fn starts(&self, record: usize) -> Result<RecordOffsets, ContentError> {
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

    /// The number of plies of the main line before any verbatim tail. The moves are
    /// decoded if only they give that number.
    pub(crate) fn plies(&self, record: usize) -> Result<u64, ContentError> {
        let movetext = self.movetext(record)?;
        if !movetext.codes_plies() {
            return Ok(movetext.plies);
        }
        let values = self.early_values(record)?.values;
        let start = self.start(record, &tags(&values))?;
        let line = self.budgets.plies.read(
            record,
            |most| movetext.decode_with_length(&start, most, self.columns.tables().limits()),
            |line| line.plies.len().saturating_mul(MIN_PLY_BYTES),
        )?;
        Ok(line.plies.len() as u64)
    }

    /// The coded size of the record's marks by kind of content.
    pub(crate) fn mark_bits(&self, record: usize) -> Result<MarkBits, ContentError> {
        let movetext = self.movetext(record)?;
        let values = self.early_values(record)?.values;
        let tags = tags(&values);
        let time = TimeControl::of_tags(tags.iter().map(|tag| (tag.name, tag.value)));
        let plies = self.plies(record)?;
        let plies = to_usize(plies.saturating_add(movetext.variation_plies))?;
        let (bits, prose) = (&movetext.marks, &movetext.prose);
        let notation = self.columns.tables().notation();
        let measure = |most: usize| {
            let bounds = Bounds {
                marks: most.min(MAX_NODES).checked_sub(plies).ok_or(TOO_LARGE)?,
            };
            Ok(notation.measure(bits, prose, plies, time, bounds)?)
        };
        // Each move and each mark takes at least one byte of text.
        let bytes = |bits: &MarkBits| plies.saturating_add(bits.marks);
        self.budgets.measured.read(record, measure, bytes)
    }

    /// The start position of a record with these tag pairs.
    fn start(&self, record: usize, tags: &[Tag<'_>]) -> Result<ChessPosition, ContentError> {
        let (start, _) = read_start_number(self.int(START, record)?)?;
        let fen = tags.iter().find(|tag| tag.name == FEN_TAG);
        let position = start.position(fen.map(|tag| tag.value));
        position.ok_or(ContentError::Invalid("no such start position"))
    }

    /// Whether the movetext may contain anything but moves.
    pub(crate) fn may_have_marks(&self, record: usize) -> Result<bool, ContentError> {
        let has_marks = self.int(MARK_BYTES, record)? > 0;
        Ok(has_marks || self.verbatim_reason(record)?.is_some())
    }

    /// The moves, including variations; `None` if the start position is not valid.
    pub(crate) fn moves(&self, record: usize) -> Result<Option<Moves>, ContentError> {
        let values = self.early_values(record)?.values;
        let mut movetext = Movetext::default();
        let tree = self.tree(record, &values, &mut movetext)?;
        Ok(Moves::of(&tree))
    }

    /// Calls `see` with the start position, `None` if it is not valid, and parts of the main line.
    pub(crate) fn with_main_line<T>(
        &self,
        record: usize,
        wanted: MainLineParts,
        see: impl FnOnce(Option<&ChessPosition>, &MainLine<'_>) -> T,
    ) -> Result<T, ContentError> {
        let values = self.early_values(record)?.values;
        let tags = tags(&values);
        let start = self.start(record, &tags)?;
        let mut movetext = self.movetext_of(record, &tags)?;
        let notation = self.columns.tables().notation();
        let limits = self.columns.tables().limits();
        let read = self.budgets.main_lines.read(
            record,
            |most| decode_main_line(&mut movetext, &start, notation, wanted, most, limits),
            |read| read.min_bytes,
        )?;
        let first = match read.count {
            0 => first_position(&tags),
            _ => Some(start),
        };
        Ok(see(first.as_ref(), &read))
    }

    /// Calls `see` with the start position and the events of the movetext; with `None` if the
    /// start position is not valid.
    pub(crate) fn with_events<T>(
        &self,
        record: usize,
        see: impl FnOnce(Option<(&ChessPosition, &[MovetextEvent<'_>])>) -> T,
    ) -> Result<T, ContentError> {
        let values = self.early_values(record)?.values;
        let mut movetext = Movetext::default();
        let tree = self.tree(record, &values, &mut movetext)?;
        let start = tree.first_position();
        let events: Vec<MovetextEvent<'_>> = tree.events().collect();
        Ok(see(start.as_ref().map(|start| (start, &events[..]))))
    }

    /// Decodes the record except for its patch; the result borrows from `movetext`.
    fn tree<'m, 'v: 'm>(
        &'v self,
        record: usize,
        values: &'v [TagValue<'v>],
        movetext: &'m mut Movetext<'v>,
    ) -> Result<GameTree<'m>, ContentError> {
        let tags = tags(values);
        let start = self.start(record, &tags)?;
        *movetext = self.movetext_of(record, &tags)?;
        let notation = self.columns.tables().notation();
        let nodes = self.budgets.nodes.read(
            record,
            |most| {
                decode_movetext(
                    movetext,
                    &start,
                    notation,
                    most,
                    self.columns.tables().limits(),
                )
            },
            |nodes| nodes.iter().map(Node::min_bytes).sum(),
        )?;
        Ok(GameTree {
            nodes,
            tags,
            start,
            tail: self.string(TAIL, record)?,
        })
    }

    /// The exact text of a record.
    pub(crate) fn text(&self, record: usize) -> Result<Vec<u8>, ContentError> {
        self.with_tree(record, |tree| {
            let patch = Patch::read(self.string(PATCH, record)?)?;
            let layout = self.columns.tables().layout(self.int(LAYOUT, record)?);
            let layout = layout.ok_or(ContentError::Invalid("no such layout"))?;
            self.budgets.text.read(
                record,
                |most| Ok(render(tree, layout, &patch, most)?),
                Vec::len,
            )
        })
    }

    /// The game, with its tags, moves, comments and variations. The text is parsed only if a part
    /// of it is stored verbatim or in a patch, which may hold a tag pair.
    pub(crate) fn game(&self, record: usize) -> Result<Game, ContentError> {
        if self.verbatim_reason(record)?.is_some() || self.has_patch(record)? {
            return Ok(Game::parse(&self.text(record)?));
        }
        let illegal = ContentError::Invalid("an illegal move or a misplaced variation");
        self.with_tree(record, |tree| tree.game().ok_or(illegal))
    }

    /// Calls `see` with the tree of a record, with all its tags.
    fn with_tree<T>(
        &self,
        record: usize,
        see: impl FnOnce(&GameTree<'_>) -> Result<T, ContentError>,
    ) -> Result<T, ContentError> {
        let early = self.early_values(record)?;
        let mut movetext = Movetext::default();
        let mut tree = self.tree(record, &early.values, &mut movetext)?;
        let found = if early.late.is_empty() {
            Vec::new()
        } else {
            self.late_values(record, &early, &tree)?
        };
        for (at, found) in early.late.iter().zip(&found) {
            if let Some(tag) = tree.tags.get_mut(*at) {
                tag.value = found;
            }
        }
        see(&tree)
    }

    /// The movetext of a record with these tag pairs, on which models and clocks depend.
    fn movetext_of<'b>(
        &'b self,
        record: usize,
        tags: &[Tag<'b>],
    ) -> Result<Movetext<'b>, ContentError> {
        let pairs = tags.iter().map(|tag| (tag.name, tag.value));
        Ok(Movetext {
            ratings: Ratings::of_tags(pairs.clone()),
            side_info: self.columns.tables().adaptations().side_info(pairs.clone()),
            time: TimeControl::of_tags(pairs),
            ..self.movetext(record)?
        })
    }

    /// The movetext of a record as its columns give it.
    fn movetext(&self, record: usize) -> Result<Movetext<'_>, ContentError> {
        // The later record first, so that each column is decoded once.
        let to = self.starts(record + 1)?;
        let from = self.starts(record)?;
        let bits = |id| {
            let bits = self.columns.raw(id).get(from.of(id)..to.of(id));
            Cow::Borrowed(bits.unwrap_or_default())
        };
        let movetext = Movetext {
            default_spelling: to_byte(self.int(DEFAULT_SPELLING, record)?)?,
            result: to_byte(self.int(RESULT, record)?)
                .ok()
                .filter(|result| *result <= 4)
                .ok_or(TOO_LARGE)?,
            plies: self.int(PLIES, record)?,
            codec: to_byte(self.int(CODEC, record)?)?,
            moves: bits(MOVES),
            variation_plies: self.int(VARIATION_PLIES, record)?,
            variations: bits(VARIATIONS),
            marks: bits(MARKS),
            lines: bits(LINES),
            prose: Cow::Borrowed(self.string(COMMENTS, record)?),
            exceptions: Cow::Borrowed(self.string(SPELLING_EXCEPTIONS, record)?),
            ratings: Ratings::default(),
            side_info: SideInfo::default(),
            time: TimeControl::default(),
        };
        match movetext.model() {
            Some(model) if !self.columns.tables().names_model(model) => Err(ContentError::Invalid(
                "moves of a model that the segment does not name",
            )),
            _ => Ok(movetext),
        }
    }

    /// The text of all records, concatenated. An error comes with the index of its
    /// record.
    pub(crate) fn all_text(&self) -> Result<Vec<u8>, (usize, ContentError)> {
        self.check().map_err(|error| (0, error))?;
        let mut out = Vec::new();
        for record in 0..self.records() {
            let text = self.text(record).map_err(|error| (record, error))?;
            out.extend_from_slice(&text);
            if out.len() as u64 > u64::from(self.shape.raw_bytes) {
                return Err((record, ContentError::Invalid("more text than announced")));
            }
        }
        if out.len() as u64 != u64::from(self.shape.raw_bytes) {
            return Err((
                self.records(),
                ContentError::Invalid("less text than announced"),
            ));
        }
        Ok(out)
    }
}
