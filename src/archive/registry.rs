//! The numbers that the archive adds to those of the container.

use crate::container::TableKind;

/// The tag names of a segment.
pub const TAG_NAMES: TableKind = TableKind(16);
/// The rosters: which tag pairs games have, in which order.
pub const ROSTERS: TableKind = TableKind(17);
/// The layouts.
pub const LAYOUTS: TableKind = TableKind(18);
/// A dictionary; its key is the number of the column that it serves.
pub const DICTIONARY: TableKind = TableKind(19);

/// The move models that the records need.
pub const MODELS: TableKind = TableKind(20);
/// What the segment adds to a model; its key is the number of the model.
pub const TUNING: TableKind = TableKind(21);

/// What marks are like: templates, patterns, schemes.
pub const NOTATION: TableKind = TableKind(22);
/// The forecast of marks.
pub const NOTATION_FORECAST: TableKind = TableKind(23);
/// The fields of the columns that have plans, and these plans.
pub const PLANS: TableKind = TableKind(24);
/// The distributions of a field; its key is the number of its first column.
pub const FORECAST: TableKind = TableKind(25);
/// The ranks of the entries of a field's dictionary; the same key.
pub const RANKS: TableKind = TableKind(26);
/// The map of a field; the same key.
pub const MAP: TableKind = TableKind(27);

/// The book of openings of a field; its key is as that of its distributions.
pub const OPENINGS: TableKind = TableKind(29);
/// The forecast of the lines of moves in comments.
pub const LINES_FORECAST: TableKind = TableKind(30);

/// The text that stands before the prose of all blocks; its key is the number of
/// the column of prose.
pub const PHRASES: TableKind = TableKind(31);

/// Every table kind of the archive: its number and its name.
pub const TABLE_KINDS: &[(TableKind, &str)] = &[
    (TAG_NAMES, "tag names"),
    (ROSTERS, "rosters"),
    (LAYOUTS, "layouts"),
    (DICTIONARY, "dictionary"),
    (MODELS, "models"),
    (TUNING, "tuning"),
    (NOTATION, "notation"),
    (NOTATION_FORECAST, "notation forecast"),
    (PLANS, "plans"),
    (FORECAST, "forecast"),
    (RANKS, "ranks"),
    (MAP, "map"),
    (OPENINGS, "openings"),
    (LINES_FORECAST, "lines forecast"),
    (PHRASES, "phrases"),
];

/// A column of a block: its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u64);

/// Whether each record is a game.
pub const IS_GAME: ColumnId = ColumnId(0);
/// Why each record has a tail; 0 for none.
pub const REST: ColumnId = ColumnId(1);
/// The number of each record's layout.
pub const LAYOUT: ColumnId = ColumnId(2);
/// The number of each record's roster.
pub const ROSTER: ColumnId = ColumnId(3);
/// The spelling that each record's moves have if nothing else is said.
pub const HABIT: ColumnId = ColumnId(4);
/// The termination marker that ends each movetext, plus 1; 0 for none, or where
/// the moves tell it.
pub const RESULT: ColumnId = ColumnId(5);
/// How many plies each record's main line has; 0 where its moves tell that.
pub const PLIES: ColumnId = ColumnId(6);
/// The selector of the codec of each main line; 0 where there are no plies.
pub const CODEC: ColumnId = ColumnId(7);
/// The length of each record's moves in bytes, or how far it is from what is
/// foreseen.
pub const MOVE_BYTES: ColumnId = ColumnId(8);
/// The moves, one bit string a record, each from a whole byte on.
pub const MOVES: ColumnId = ColumnId(10);
/// The texts of each record that its marks do not tell.
pub const COMMENTS: ColumnId = ColumnId(12);
/// The plies of each record that are spelled otherwise than its habit.
pub const DEPARTURES: ColumnId = ColumnId(13);
/// The patch of each record.
pub const PATCH: ColumnId = ColumnId(14);
/// The tail of each record.
pub const TAIL: ColumnId = ColumnId(15);
/// From where each game starts: its variant, castling, whether a FEN tells, and
/// how the FEN is spelled that a set-up gives.
pub const START: ColumnId = ColumnId(16);
/// How many plies the variations of each record have.
pub const VARIATION_PLIES: ColumnId = ColumnId(17);
/// The length of the moves of each record's variations in bytes.
pub const VARIATION_BYTES: ColumnId = ColumnId(18);
/// The moves of all variations of each record, one bit string a record.
pub const VARIATIONS: ColumnId = ColumnId(19);
/// The set-up positions that give the values of FEN tags, as bits of `combined`.
pub const SETUPS: ColumnId = ColumnId(20);
/// Bytes that 256 plies are foreseen to take: what each record's value of
/// [`MOVE_BYTES`] is told by; 0 where it is the length itself.
pub const MOVE_RATE: ColumnId = ColumnId(21);
/// The marks, one bit string a record, each from a whole byte on.
pub const MARKS: ColumnId = ColumnId(22);
/// The length of each record's marks in bytes.
pub const MARK_BYTES: ColumnId = ColumnId(23);
/// The lines of moves in comments, one bit string a record, each from a whole
/// byte on.
pub const LINES: ColumnId = ColumnId(24);
/// The length of each record's lines in bytes.
pub const LINE_BYTES: ColumnId = ColumnId(25);
/// The values of the first tag name of the segment; the others follow.
pub const FIRST_TAG: ColumnId = ColumnId(32);

/// Every column but those of tag values: its number and its name.
pub const COLUMNS: &[(ColumnId, &str)] = &[
    (IS_GAME, "is game"),
    (REST, "rest"),
    (LAYOUT, "layout"),
    (ROSTER, "roster"),
    (HABIT, "habit"),
    (RESULT, "result"),
    (PLIES, "plies"),
    (CODEC, "codec"),
    (MOVE_BYTES, "move bytes"),
    (MOVES, "moves"),
    (COMMENTS, "comments"),
    (DEPARTURES, "departures"),
    (PATCH, "patch"),
    (TAIL, "tail"),
    (START, "start"),
    (VARIATION_PLIES, "variation plies"),
    (VARIATION_BYTES, "variation bytes"),
    (VARIATIONS, "variations"),
    (SETUPS, "setups"),
    (MOVE_RATE, "move rate"),
    (MARKS, "marks"),
    (MARK_BYTES, "mark bytes"),
    (LINES, "lines"),
    (LINE_BYTES, "line bytes"),
];

/// The tag name whose values a column holds, if it holds such.
pub(super) fn tag_name(column: ColumnId) -> Option<u32> {
    u32::try_from(column.0.checked_sub(FIRST_TAG.0)?).ok()
}

/// The column of a tag name's values.
pub(super) fn tag_column(name: u32) -> ColumnId {
    ColumnId(FIRST_TAG.0 + u64::from(name))
}

#[cfg(test)]
mod numbers;
