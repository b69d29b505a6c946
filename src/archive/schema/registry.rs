//! The numbers of tables and columns that the archive adds to those of the
//! container.

use crate::container::TableKind;

/// The tag names of a segment.
pub const TAG_NAMES: TableKind = TableKind(16);
/// The rosters: the ordered lists of tag names that records have.
pub const ROSTERS: TableKind = TableKind(17);
/// The layouts.
pub const LAYOUTS: TableKind = TableKind(18);
/// A dictionary. The key is the number of its column.
pub const DICTIONARY: TableKind = TableKind(19);

/// The move models that the records need.
pub const MODELS: TableKind = TableKind(20);
/// The adaptation of a model to the segment. The key is the number of the model.
pub const ADAPTATION: TableKind = TableKind(21);

/// The templates, patterns and schemes of marks.
pub const NOTATION: TableKind = TableKind(22);
/// The distributions of marks.
pub const NOTATION_DISTRIBUTIONS: TableKind = TableKind(23);
/// The fields of the columns that have plans, and these plans.
pub const PLANS: TableKind = TableKind(24);
/// The distributions of a field. The key is the number of its first column.
pub const DISTRIBUTIONS: TableKind = TableKind(25);
/// The ranks of the entries of a field's dictionary. The key is as for
/// [`DISTRIBUTIONS`].
pub const RANKS: TableKind = TableKind(26);
/// The map of a field. The key is as for [`DISTRIBUTIONS`].
pub const MAP: TableKind = TableKind(27);

/// The opening book of a field. The key is as for [`DISTRIBUTIONS`].
pub const OPENINGS: TableKind = TableKind(29);
/// The distributions of lines of moves in comments.
pub const LINES_DISTRIBUTIONS: TableKind = TableKind(30);

/// The preset text for the prose model. The key is the number of the column of
/// prose.
pub const PRESET_TEXT: TableKind = TableKind(31);

/// All table kinds of the archive, with their names.
pub const TABLE_KINDS: &[(TableKind, &str)] = &[
    (TAG_NAMES, "tag names"),
    (ROSTERS, "rosters"),
    (LAYOUTS, "layouts"),
    (DICTIONARY, "dictionary"),
    (MODELS, "models"),
    (ADAPTATION, "adaptation"),
    (NOTATION, "notation"),
    (NOTATION_DISTRIBUTIONS, "notation distributions"),
    (PLANS, "plans"),
    (DISTRIBUTIONS, "distributions"),
    (RANKS, "ranks"),
    (MAP, "map"),
    (OPENINGS, "openings"),
    (LINES_DISTRIBUTIONS, "lines distributions"),
    (PRESET_TEXT, "preset text"),
];

/// The number of a column of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u64);

/// Whether each record is a game.
pub const IS_GAME: ColumnId = ColumnId(0);
/// The reason why each record has a verbatim tail; 0 for none.
pub const VERBATIM_REASON: ColumnId = ColumnId(1);
/// The number of each record's layout.
pub const LAYOUT: ColumnId = ColumnId(2);
/// The number of each record's roster.
pub const ROSTER: ColumnId = ColumnId(3);
/// The default spelling of each record's moves.
pub const DEFAULT_SPELLING: ColumnId = ColumnId(4);
/// The termination marker at the end of each movetext, plus 1; 0 if there is
/// none or the moves code it.
pub const RESULT: ColumnId = ColumnId(5);
/// The number of plies of each record's main line; 0 if the moves code it.
pub const PLIES: ColumnId = ColumnId(6);
/// The selector of the codec of each main line; 0 if there are no plies.
pub const CODEC: ColumnId = ColumnId(7);
/// The length of each record's moves in bytes or, if [`MOVE_RATE`] is not 0, its
/// residual against the prediction.
pub const MOVE_BYTES: ColumnId = ColumnId(8);
/// The moves, one bit string per record, each padded to whole bytes.
pub const MOVES: ColumnId = ColumnId(10);
/// The text of each record's comments that the marks do not code.
pub const COMMENTS: ColumnId = ColumnId(12);
/// The plies of each record that are not in its default spelling.
pub const SPELLING_EXCEPTIONS: ColumnId = ColumnId(13);
/// The patch of each record.
pub const PATCH: ColumnId = ColumnId(14);
/// The verbatim tail of each record.
pub const TAIL: ColumnId = ColumnId(15);
/// The kind of each game's start position: variant, castling, whether a FEN tag
/// gives it, and the spelling of the FEN if [`START_POSITIONS`] stores it.
pub const START: ColumnId = ColumnId(16);
/// The number of plies of each record's variations.
pub const VARIATION_PLIES: ColumnId = ColumnId(17);
/// The length of the moves of each record's variations, in bytes.
pub const VARIATION_BYTES: ColumnId = ColumnId(18);
/// The moves of all variations, one bit string per record.
pub const VARIATIONS: ColumnId = ColumnId(19);
/// The start positions that replace the text of FEN tags, as bits of `combined`.
pub const START_POSITIONS: ColumnId = ColumnId(20);
/// The predicted number of bytes per 256 plies, from which the residuals of
/// [`MOVE_BYTES`] are taken; 0 if that column has the lengths themselves.
pub const MOVE_RATE: ColumnId = ColumnId(21);
/// The marks, one bit string per record, each padded to whole bytes.
pub const MARKS: ColumnId = ColumnId(22);
/// The length of each record's marks in bytes.
pub const MARK_BYTES: ColumnId = ColumnId(23);
/// The lines of moves in comments, one bit string per record, each padded to
/// whole bytes.
pub const LINES: ColumnId = ColumnId(24);
/// The length of each record's lines in bytes.
pub const LINE_BYTES: ColumnId = ColumnId(25);
/// The values of the first tag name of the segment. The columns of the other
/// names follow.
pub const FIRST_TAG: ColumnId = ColumnId(32);

/// All columns except those of tag values, with their names.
pub const COLUMNS: &[(ColumnId, &str)] = &[
    (IS_GAME, "is game"),
    (VERBATIM_REASON, "verbatim reason"),
    (LAYOUT, "layout"),
    (ROSTER, "roster"),
    (DEFAULT_SPELLING, "default spelling"),
    (RESULT, "result"),
    (PLIES, "plies"),
    (CODEC, "codec"),
    (MOVE_BYTES, "move bytes"),
    (MOVES, "moves"),
    (COMMENTS, "comments"),
    (SPELLING_EXCEPTIONS, "spelling exceptions"),
    (PATCH, "patch"),
    (TAIL, "tail"),
    (START, "start"),
    (VARIATION_PLIES, "variation plies"),
    (VARIATION_BYTES, "variation bytes"),
    (VARIATIONS, "variations"),
    (START_POSITIONS, "start positions"),
    (MOVE_RATE, "move rate"),
    (MARKS, "marks"),
    (MARK_BYTES, "mark bytes"),
    (LINES, "lines"),
    (LINE_BYTES, "line bytes"),
];

/// The number of the tag name whose values a column holds; `None` for other
/// columns.
pub(crate) fn tag_name(column: ColumnId) -> Option<u32> {
    u32::try_from(column.0.checked_sub(FIRST_TAG.0)?).ok()
}

/// The column of a tag name's values.
pub(crate) fn tag_column(name: u32) -> ColumnId {
    ColumnId(FIRST_TAG.0 + u64::from(name))
}

#[cfg(test)]
mod numbers;
