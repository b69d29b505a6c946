//! What is packed in a block: the columns of its records. Writing; `block`
//! reads them.

use super::columns::ColumnWriter;
use super::lengths::{Length, rate, tell};
use super::record::Movetext;
use super::registry::{
    CODEC, COMMENTS, ColumnId, DEPARTURES, HABIT, IS_GAME, LAYOUT, MARK_BYTES, MARKS, MOVE_BYTES,
    MOVE_RATE, MOVES, PATCH, PLIES, REST, RESULT, ROSTER, SETUPS, START, TAIL, VARIATION_BYTES,
    VARIATION_PLIES, VARIATIONS, tag_column,
};
use super::set_up::{SetUp, start_number};
use crate::codec::dictionary::Ids;
use crate::pgn::{Rest, Start};
use std::collections::BTreeMap;

/// A record as a block holds it.
#[derive(Debug, Default)]
pub(super) struct StoredRecord<'a> {
    pub(super) is_game: bool,
    pub(super) rest: Option<Rest>,
    pub(super) layout: u8,
    pub(super) roster: u32,
    /// Values of the roster's tag pairs.
    pub(super) values: Vec<&'a [u8]>,
    /// What gives the value of the first FEN tag, which is empty then.
    pub(super) set_up: Option<SetUp>,
    pub(super) start: Start,
    /// How many plies the main line has.
    pub(super) plies: u64,
    pub(super) movetext: Movetext<'a>,
    pub(super) patch: Vec<u8>,
    pub(super) tail: &'a [u8],
}

/// The columns of records. `rosters` gives the tag names of each roster.
pub(super) fn write_columns(
    records: &[StoredRecord<'_>],
    rosters: &[Vec<u32>],
    ids: &BTreeMap<ColumnId, Ids>,
) -> ColumnWriter {
    let mut columns = ColumnWriter::default();
    write_ints(records, &mut columns);
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
    write_strings(records, ids, &mut columns);
    write_tags(records, rosters, ids, &mut columns);
    columns
}

fn write_ints(records: &[StoredRecord<'_>], columns: &mut ColumnWriter) {
    let mut ints = |id, value: fn(&StoredRecord<'_>) -> u64| {
        columns.ints(id, &records.iter().map(value).collect::<Vec<u64>>());
    };
    ints(IS_GAME, |record| record.is_game.into());
    ints(REST, |record| record.rest.map_or(0, |rest| rest as u64));
    ints(LAYOUT, |record| record.layout.into());
    ints(ROSTER, |record| record.roster.into());
    ints(HABIT, |record| record.movetext.habit.into());
    ints(RESULT, |record| record.movetext.result.into());
    ints(PLIES, |record| record.movetext.plies);
    ints(CODEC, |record| record.movetext.codec.into());
    ints(MARK_BYTES, |record| record.movetext.marks.len() as u64);
    ints(START, |record| {
        start_number(record.start, record.set_up.as_ref()).into()
    });
    ints(VARIATION_PLIES, |record| record.movetext.variation_plies);
    ints(VARIATION_BYTES, |record| {
        record.movetext.variations.len() as u64
    });
    write_move_bytes(records, columns);
}

/// The lengths of the moves, as they are or by a rate, whichever is smaller.
fn write_move_bytes(records: &[StoredRecord<'_>], columns: &mut ColumnWriter) {
    let lengths = records.iter().map(|record| Length {
        plies: record.movetext.plies_of_moves(),
        bytes: record.movetext.moves.len() as u64,
    });
    let lengths: Vec<Length> = lengths.collect();
    let at = |rate| -> Vec<u64> { lengths.iter().map(|length| tell(*length, rate)).collect() };
    let rate = rate(&lengths);
    let (plain, told, rates) = (at(0), at(rate), vec![rate; lengths.len()]);
    let size = ColumnWriter::ints_bytes;
    if size(&told) + size(&rates) < size(&plain) {
        columns.ints(MOVE_BYTES, &told);
        columns.ints(MOVE_RATE, &rates);
    } else {
        columns.ints(MOVE_BYTES, &plain);
    }
}

fn write_strings(
    records: &[StoredRecord<'_>],
    ids: &BTreeMap<ColumnId, Ids>,
    columns: &mut ColumnWriter,
) {
    let mut strings = |id, value: for<'r> fn(&'r StoredRecord<'_>) -> &'r [u8]| {
        columns.strings(id, &records.iter().map(value).collect::<Vec<&[u8]>>(), None);
    };
    strings(COMMENTS, |record| &record.movetext.prose);
    strings(DEPARTURES, |record| &record.movetext.departures);
    strings(PATCH, |record| &record.patch);
    strings(TAIL, |record| record.tail);
    let set_ups = records.iter().filter_map(|record| record.set_up.as_ref());
    let set_ups: Vec<&[u8]> = set_ups.map(SetUp::bytes).collect();
    columns.strings(SETUPS, &set_ups, ids.get(&SETUPS));
}

fn write_tags(
    records: &[StoredRecord<'_>],
    rosters: &[Vec<u32>],
    ids: &BTreeMap<ColumnId, Ids>,
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
    for (column, values) in values {
        columns.strings(column, &values, ids.get(&column));
    }
}
