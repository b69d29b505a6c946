//! Writing the columns of a block. `block` reads them.

use crate::archive::block::columns::ColumnWriter;
use crate::archive::block::record::Movetext;
use crate::archive::block::residual::{Length, encode_length, rate};
use crate::archive::block::start_position::{FenPosition, start_number};
use crate::archive::schema::registry::{
    CODEC, ColumnId, DEFAULT_SPELLING, IS_GAME, LAYOUT, LINE_BYTES, LINES, MARK_BYTES, MARKS,
    MOVE_BYTES, MOVE_RATE, MOVES, PATCH, PLIES, RESULT, ROSTER, SPELLING_EXCEPTIONS, START,
    START_POSITIONS, VARIATION_BYTES, VARIATION_PLIES, VARIATIONS, VERBATIM_REASON, tag_column,
};
use crate::codec::dictionary::StringIds;
use crate::index::IndexLine;
use crate::pgn::{Start, VerbatimReason};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A record, encoded as values of columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredRecord<'a> {
    pub(crate) is_game: bool,
    pub(crate) rest: Option<VerbatimReason>,
    pub(crate) layout: u8,
    pub(crate) roster: u32,
    /// The stored values of the roster's tag pairs, with back-references.
    pub(crate) values: Vec<Cow<'a, [u8]>>,
    /// The start position that replaces the text of the first FEN tag, whose value is
    /// then empty.
    pub(crate) set_up: Option<FenPosition>,
    pub(crate) start: Start,
    /// The keys of the first positions of the game.
    pub(crate) keys: Vec<u32>,
    /// The number of plies of the main line.
    pub(crate) plies: u64,
    pub(crate) movetext: Movetext<'a>,
    pub(crate) patch: Vec<u8>,
    pub(crate) tail: &'a [u8],
    /// The main line in the form that indexes use.
    pub(crate) line: Option<IndexLine>,
}

/// An integer column with one value per record: its number, and a function that gives
/// the value of a record. The second argument is the rate for the lengths of moves.
pub(crate) type RecordColumn = (ColumnId, fn(&StoredRecord<'_>, u64) -> u64);

/// The integer columns that may have plans. A column comes before those that are
/// predicted from it.
pub(crate) const RECORD_COLUMNS: [RecordColumn; 14] = [
    (ROSTER, |record, _| record.roster.into()),
    (IS_GAME, |record, _| record.is_game.into()),
    (LAYOUT, |record, _| record.layout.into()),
    (DEFAULT_SPELLING, |record, _| {
        record.movetext.default_spelling.into()
    }),
    (START, |record, _| {
        start_number(record.start, record.set_up.as_ref()).into()
    }),
    (CODEC, |record, _| record.movetext.codec.into()),
    (RESULT, |record, _| record.movetext.result.into()),
    (PLIES, |record, _| record.movetext.plies),
    (VARIATION_PLIES, |record, _| record.movetext.variation_plies),
    (VARIATION_BYTES, |record, _| {
        record.movetext.variations.len() as u64
    }),
    (MARK_BYTES, |record, _| record.movetext.marks.len() as u64),
    (LINE_BYTES, |record, _| record.movetext.lines.len() as u64),
    (MOVE_RATE, |_, rate| rate),
    (MOVE_BYTES, |record, rate| {
        encode_length(record.length(), rate)
    }),
];

impl StoredRecord<'_> {
    fn length(&self) -> Length {
        Length {
            plies: self.movetext.plies_of_moves(),
            bytes: self.movetext.moves.len() as u64,
        }
    }
}

/// The rate that predicts the lengths of the moves of these records.
pub(crate) fn rate_of<'r>(records: impl Iterator<Item = &'r StoredRecord<'r>>) -> u64 {
    rate(&records.map(StoredRecord::length).collect::<Vec<_>>())
}

/// The columns of records, except for prose and columns that have plans. `rosters`
/// gives the tag names of each roster.
pub(crate) fn write_columns(
    records: &[StoredRecord<'_>],
    rosters: &[Vec<u32>],
    ids: &BTreeMap<ColumnId, StringIds>,
    is_planned: &dyn Fn(ColumnId) -> bool,
) -> ColumnWriter {
    let mut columns = ColumnWriter::default();
    write_ints(records, is_planned, &mut columns);
    let moves = records
        .iter()
        .flat_map(|record| record.movetext.moves.iter().copied());
    columns.raw(MOVES, moves.collect());
    let variations = records
        .iter()
        .flat_map(|record| record.movetext.variations.iter().copied());
    columns.raw(VARIATIONS, variations.collect());
    let marks = records
        .iter()
        .flat_map(|record| record.movetext.marks.iter().copied());
    columns.raw(MARKS, marks.collect());
    let lines = records
        .iter()
        .flat_map(|record| record.movetext.lines.iter().copied());
    columns.raw(LINES, lines.collect());
    write_strings(records, ids, &mut columns);
    write_tags(records, rosters, ids, is_planned, &mut columns);
    columns
}

fn write_ints(
    records: &[StoredRecord<'_>],
    is_planned: &dyn Fn(ColumnId) -> bool,
    columns: &mut ColumnWriter,
) {
    let rest = |record: &StoredRecord<'_>| record.rest.map_or(0, |rest| rest as u64);
    columns.ints(
        VERBATIM_REASON,
        &records.iter().map(rest).collect::<Vec<u64>>(),
    );
    for (id, value) in RECORD_COLUMNS {
        let is_length = [MOVE_RATE, MOVE_BYTES].contains(&id);
        if !is_length && !is_planned(id) {
            let values = records.iter().map(|record| value(record, 0));
            columns.ints(id, &values.collect::<Vec<u64>>());
        }
    }
    if !is_planned(MOVE_BYTES) {
        write_move_bytes(records, columns);
    }
}

/// Writes the lengths of the moves, as they are or as residuals, whichever is smaller.
fn write_move_bytes(records: &[StoredRecord<'_>], columns: &mut ColumnWriter) {
    let lengths: Vec<Length> = records.iter().map(StoredRecord::length).collect();
    let at = |rate| -> Vec<u64> {
        lengths
            .iter()
            .map(|length| encode_length(*length, rate))
            .collect()
    };
    let rate = rate(&lengths);
    let (plain, residuals, rates) = (at(0), at(rate), vec![rate; lengths.len()]);
    let size = ColumnWriter::ints_bytes;
    if size(&residuals) + size(&rates) < size(&plain) {
        columns.ints(MOVE_BYTES, &residuals);
        columns.ints(MOVE_RATE, &rates);
    } else {
        columns.ints(MOVE_BYTES, &plain);
    }
}

fn write_strings(
    records: &[StoredRecord<'_>],
    ids: &BTreeMap<ColumnId, StringIds>,
    columns: &mut ColumnWriter,
) {
    let mut strings = |id, value: for<'r> fn(&'r StoredRecord<'_>) -> &'r [u8]| {
        columns.strings(id, &records.iter().map(value).collect::<Vec<&[u8]>>(), None);
    };
    strings(SPELLING_EXCEPTIONS, |record| &record.movetext.exceptions);
    strings(PATCH, |record| &record.patch);
    let set_ups = records.iter().filter_map(|record| record.set_up.as_ref());
    let set_ups: Vec<&[u8]> = set_ups.map(FenPosition::bytes).collect();
    columns.strings(START_POSITIONS, &set_ups, ids.get(&START_POSITIONS));
}

fn write_tags(
    records: &[StoredRecord<'_>],
    rosters: &[Vec<u32>],
    ids: &BTreeMap<ColumnId, StringIds>,
    is_planned: &dyn Fn(ColumnId) -> bool,
    columns: &mut ColumnWriter,
) {
    let mut values: BTreeMap<ColumnId, Vec<&[u8]>> = BTreeMap::new();
    for record in records {
        let roster = usize::try_from(record.roster)
            .ok()
            .and_then(|roster| rosters.get(roster));
        for (name, value) in roster.into_iter().flatten().zip(&record.values) {
            values.entry(tag_column(*name)).or_default().push(value);
        }
    }
    values.retain(|column, _| !is_planned(*column));
    for (column, values) in values {
        columns.strings(column, &values, ids.get(&column));
    }
}
