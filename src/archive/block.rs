//! What is packed in a block: the columns of its records. Reading; `stored`
//! writes them.

use super::assemble::assemble;
use super::columns::ColumnReader;
use super::error::ContentError;
use super::lengths;
use super::record::Movetext;
use super::registry::{
    CODEC, COMMENTS, ColumnId, DEPARTURES, HABIT, IS_GAME, LAYOUT, MARK_BYTES, MARKS, MOVE_BYTES,
    MOVE_RATE, MOVES, PATCH, PLIES, REST, RESULT, ROSTER, SETUPS, START, TAIL, VARIATION_BYTES,
    VARIATION_PLIES, VARIATIONS, tag_column,
};
use super::set_up::{BlockFens, FenSpelling, SetUp, read_start_number};
use super::tables::SegmentTables;
use crate::annotation::TimeControl;
use crate::chess::Position;
use crate::codec::flat::Strings;
use crate::container::BlockShape;
use crate::limits::Limits;
use crate::model::{Advice, Ratings};
use crate::pgn::{FEN_TAG, Patch, Rest, Tag, Tree, render};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A block holds at most this many records.
pub const MAX_BLOCK_RECORDS: u32 = 4096;

/// All strings of a block together take at most this many bytes for each of its
/// text: the text itself, and departures and patches of a few bytes for
/// one of the text.
pub const STRING_BYTES_PER_TEXT_BYTE: u64 = 8;

/// A block that has been unpacked; its records are decoded one at a time.
#[derive(Debug)]
pub(super) struct OpenBlock {
    shape: BlockShape,
    ints: BTreeMap<ColumnId, Vec<u64>>,
    moves: Vec<u8>,
    variations: Vec<u8>,
    marks: Vec<u8>,
    strings: BTreeMap<ColumnId, Strings>,
    /// Of each record, where its moves, variations, marks and tag values start.
    starts: Vec<Starts>,
    /// For each tag pair of each record, its number in the column.
    values: Vec<usize>,
    fens: BlockFens,
}

#[derive(Debug, Clone, Copy, Default)]
struct Starts {
    moves: usize,
    variations: usize,
    marks: usize,
    values: usize,
}

const INTS: [ColumnId; 14] = [
    IS_GAME,
    REST,
    LAYOUT,
    ROSTER,
    HABIT,
    RESULT,
    PLIES,
    CODEC,
    MOVE_BYTES,
    MOVE_RATE,
    MARK_BYTES,
    START,
    VARIATION_PLIES,
    VARIATION_BYTES,
];

impl OpenBlock {
    pub(super) fn parse(
        packed: &[u8],
        shape: BlockShape,
        tables: &SegmentTables,
        limits: &Limits,
    ) -> Result<Self, ContentError> {
        if shape.records > MAX_BLOCK_RECORDS {
            return Err(ContentError::Invalid("too many records in a block"));
        }
        let columns = ColumnReader::parse(packed, limits)?;
        let count = to_usize(shape.records.into())?;
        let mut block = OpenBlock {
            shape,
            ints: BTreeMap::new(),
            moves: columns.raw(MOVES).to_vec(),
            variations: columns.raw(VARIATIONS).to_vec(),
            marks: columns.raw(MARKS).to_vec(),
            strings: BTreeMap::new(),
            starts: Vec::with_capacity(count),
            values: Vec::new(),
            fens: BlockFens::default(),
        };
        for id in INTS {
            block.ints.insert(id, columns.ints(id, count)?);
        }
        let games = block
            .ints
            .get(&IS_GAME)
            .into_iter()
            .flatten()
            .filter(|is_game| **is_game != 0);
        if games.count() as u64 != u64::from(shape.games) {
            return Err(ContentError::Invalid(
                "another number of games than announced",
            ));
        }
        block.find_starts(count, tables)?;
        block.read_strings(&columns, count, tables)?;
        Ok(block)
    }

    /// Notes where the parts of each record start.
    fn find_starts(&mut self, count: usize, tables: &SegmentTables) -> Result<(), ContentError> {
        // A tag pair takes at least a byte of the text.
        let most = to_usize(self.shape.raw_bytes.into())?;
        let mut starts = Starts::default();
        let mut used: BTreeMap<ColumnId, usize> = BTreeMap::new();
        for record in 0..count {
            starts.values = self.values.len();
            self.starts.push(starts);
            starts.moves = add(starts.moves, self.move_bytes(record)?)?;
            starts.variations = add(starts.variations, self.int(VARIATION_BYTES, record))?;
            starts.marks = add(starts.marks, self.int(MARK_BYTES, record))?;
            for name in self.roster(record, tables)? {
                let next = used.entry(tag_column(*name)).or_default();
                self.values.push(*next);
                *next += 1;
            }
            if self.values.len() > most {
                return Err(ContentError::Invalid("more values than bytes of text"));
            }
        }
        let ends = (starts.moves, starts.variations, starts.marks);
        if ends != (self.moves.len(), self.variations.len(), self.marks.len()) {
            return Err(ContentError::Invalid("counts that do not add up"));
        }
        for (column, count) in used {
            let mut empty = Strings::with_capacity(0);
            (0..count).for_each(|_| empty.push(b""));
            self.strings.insert(column, empty);
        }
        Ok(())
    }

    fn read_strings(
        &mut self,
        columns: &ColumnReader<'_>,
        count: usize,
        tables: &SegmentTables,
    ) -> Result<(), ContentError> {
        let mut budget = STRING_BYTES_PER_TEXT_BYTE * u64::from(self.shape.raw_bytes);
        let mut read = |id, count| -> Result<Strings, ContentError> {
            let strings = columns.strings(id, count, tables, budget)?;
            budget = budget.saturating_sub(strings.total_bytes() as u64);
            Ok(strings)
        };
        for (id, strings) in &mut self.strings {
            *strings = read(*id, strings.len())?;
        }
        for id in [COMMENTS, DEPARTURES, PATCH, TAIL] {
            self.strings.insert(id, read(id, count)?);
        }
        let spelled: Vec<_> = (0..self.starts.len())
            .filter_map(|record| Some((record, self.spelling(record)?)))
            .collect();
        let set_ups = read(SETUPS, spelled.len())?;
        let set_ups = spelled.into_iter().zip(set_ups.iter());
        let set_ups = set_ups
            .map(|((record, spelling), bytes)| (record, SetUp::new(spelling, bytes.to_vec())));
        self.fens = BlockFens::new(set_ups);
        Ok(())
    }

    /// How the FEN of a record is spelled that a set-up gives.
    fn spelling(&self, record: usize) -> Option<FenSpelling> {
        let (_, spelling) = read_start_number(self.int(START, record)).ok()?;
        spelling
    }

    fn int(&self, id: ColumnId, record: usize) -> u64 {
        self.ints
            .get(&id)
            .and_then(|ints| ints.get(record))
            .copied()
            .unwrap_or(0)
    }

    /// The length of a record's moves.
    fn move_bytes(&self, record: usize) -> Result<u64, ContentError> {
        let numbers = Movetext {
            plies: self.int(PLIES, record),
            variation_plies: self.int(VARIATION_PLIES, record),
            codec: to_byte(self.int(CODEC, record))?,
            ..Movetext::default()
        };
        let (value, rate) = (self.int(MOVE_BYTES, record), self.int(MOVE_RATE, record));
        let told = lengths::told(value, numbers.plies_of_moves(), rate);
        told.ok_or(ContentError::Invalid("a length of moves that cannot be"))
    }

    fn string(&self, id: ColumnId, index: usize) -> Result<&[u8], ContentError> {
        let string = self.strings.get(&id).and_then(|strings| strings.get(index));
        string.ok_or(ContentError::Invalid("a value is missing"))
    }

    fn roster<'t>(
        &self,
        record: usize,
        tables: &'t SegmentTables,
    ) -> Result<&'t [u32], ContentError> {
        let roster = tables.roster(self.int(ROSTER, record));
        roster.ok_or(ContentError::Invalid("no such roster"))
    }

    pub(super) fn records(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn is_game(&self, record: usize) -> bool {
        self.int(IS_GAME, record) != 0
    }

    /// Why the record has a tail, if it has one.
    pub(super) fn rest(&self, record: usize) -> Option<Rest> {
        u8::try_from(self.int(REST, record))
            .ok()
            .and_then(Rest::from_number)
    }

    /// Whether the record's text needs a patch beside its layout.
    pub(super) fn has_patch(&self, record: usize) -> bool {
        self.string(PATCH, record)
            .is_ok_and(|patch| !patch.is_empty())
    }

    /// Plies of the record's main line that are structure. Where the moves tell
    /// how many these are, they are decoded.
    pub(super) fn plies(
        &self,
        record: usize,
        tables: &SegmentTables,
        limits: &Limits,
    ) -> Result<u64, ContentError> {
        let movetext = self.movetext(record, tables)?;
        if !movetext.tells_plies() {
            return Ok(movetext.plies);
        }
        let start = self.start(record, &self.tags(record, tables)?)?;
        let line = movetext.decode(&start, &[], limits)?;
        Ok(line.plies.len() as u64)
    }

    /// The position from which a record with these tag pairs starts.
    fn start(&self, record: usize, tags: &[Tag<'_>]) -> Result<Position, ContentError> {
        let (start, _) = read_start_number(self.int(START, record))?;
        let fen = tags.iter().find(|tag| tag.name == FEN_TAG);
        let position = start.position(fen.map(|tag| tag.value));
        position.ok_or(ContentError::Invalid("no such start position"))
    }

    /// The record's tag pairs.
    pub(super) fn tags<'t>(
        &'t self,
        record: usize,
        tables: &'t SegmentTables,
    ) -> Result<Vec<Tag<'t>>, ContentError> {
        let start = self.starts.get(record).map_or(0, |starts| starts.values);
        let indices = self.values.get(start..).unwrap_or_default();
        let mut tags = Vec::new();
        for (name, index) in self.roster(record, tables)?.iter().zip(indices) {
            tags.push(Tag {
                name: tables.name(*name).unwrap_or_default(),
                value: self.string(tag_column(*name), *index)?,
            });
        }
        if let Some(fen) = self.fens.get(record)? {
            let tag = tags.iter_mut().find(|tag| tag.name == FEN_TAG);
            let tag = tag.ok_or(ContentError::Invalid("a set-up without a FEN tag"))?;
            if !tag.value.is_empty() {
                return Err(ContentError::Invalid("a set-up and the text of a FEN"));
            }
            tag.value = fen;
        }
        Ok(tags)
    }

    /// The exact text of a record.
    pub(super) fn text(
        &self,
        record: usize,
        tables: &SegmentTables,
        limits: &Limits,
    ) -> Result<Vec<u8>, ContentError> {
        let max_bytes = to_usize(self.shape.raw_bytes.into())?;
        let tags = self.tags(record, tables)?;
        let start = self.start(record, &tags)?;
        let mut movetext = self.movetext(record, tables)?;
        let pairs = tags.iter().map(|tag| (tag.name, tag.value));
        movetext.ratings = Ratings::of_tags(pairs.clone());
        movetext.advice = tables.tunings().advice(pairs.clone());
        movetext.time = TimeControl::of_tags(pairs);
        let notation = tables.notation();
        let tree = Tree {
            nodes: assemble(&mut movetext, &start, notation, max_bytes, limits)?,
            tags,
            start,
            tail: self.string(TAIL, record)?,
        };
        let patch = Patch::read(self.string(PATCH, record)?)?;
        let layout = tables.layout(self.int(LAYOUT, record));
        let layout = layout.ok_or(ContentError::Invalid("no such layout"))?;
        Ok(render(&tree, layout, &patch, max_bytes)?)
    }

    fn movetext(
        &self,
        record: usize,
        tables: &SegmentTables,
    ) -> Result<Movetext<'_>, ContentError> {
        let starts = self.starts.get(record).copied().unwrap_or_default();
        let moves_end = add(starts.moves, self.move_bytes(record)?)?;
        let moves = self.moves.get(starts.moves..moves_end).unwrap_or_default();
        let variations_end = add(starts.variations, self.int(VARIATION_BYTES, record))?;
        let variations = self.variations.get(starts.variations..variations_end);
        let marks_end = add(starts.marks, self.int(MARK_BYTES, record))?;
        let marks = self.marks.get(starts.marks..marks_end);
        let movetext = Movetext {
            habit: to_byte(self.int(HABIT, record))?,
            result: to_byte(self.int(RESULT, record))
                .ok()
                .filter(|result| *result <= 4)
                .ok_or(TOO_LARGE)?,
            plies: self.int(PLIES, record),
            codec: to_byte(self.int(CODEC, record))?,
            moves: Cow::Borrowed(moves),
            variation_plies: self.int(VARIATION_PLIES, record),
            variations: Cow::Borrowed(variations.unwrap_or_default()),
            marks: Cow::Borrowed(marks.unwrap_or_default()),
            prose: Cow::Borrowed(self.string(COMMENTS, record)?),
            departures: Cow::Borrowed(self.string(DEPARTURES, record)?),
            ratings: Ratings::default(),
            advice: Advice::default(),
            time: TimeControl::default(),
        };
        match movetext.model() {
            Some(model) if !tables.has_model(model) => Err(ContentError::Invalid(
                "moves of a model that the segment does not name",
            )),
            _ => Ok(movetext),
        }
    }

    /// The text of all records, one behind the other.
    pub(super) fn all_text(
        &self,
        tables: &SegmentTables,
        limits: &Limits,
    ) -> Result<Vec<u8>, (usize, ContentError)> {
        let mut out = Vec::new();
        for record in 0..self.records() {
            let text = self
                .text(record, tables, limits)
                .map_err(|error| (record, error))?;
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

const TOO_LARGE: ContentError = ContentError::Invalid("a number too large for its column");

fn to_usize(value: u64) -> Result<usize, ContentError> {
    usize::try_from(value).map_err(|_| TOO_LARGE)
}

fn to_byte(value: u64) -> Result<u8, ContentError> {
    u8::try_from(value).map_err(|_| TOO_LARGE)
}

fn add(sum: usize, value: u64) -> Result<usize, ContentError> {
    sum.checked_add(to_usize(value)?).ok_or(TOO_LARGE)
}
