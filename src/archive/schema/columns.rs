//! The columns of a block, one row per column: number, name, values and encoding.
//!
//! The writer takes the values of records from these rows, readers take the encodings,
//! and the registry takes numbers and names. To add a column, add a row here, a field to
//! [`StoredRecord`], and the code that reads it to `block`.

use super::fen_position::FenPosition;
use super::record::StoredRecord;

/// The number of a column of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub u64);

/// A column of a block, other than those of tag values.
pub struct Column {
    pub id: ColumnId,
    pub name: &'static str,
    pub(crate) values: Values,
}

/// The values of a column, one per record unless the variant says otherwise, and their
/// encoding. The functions give the value of a record.
pub(crate) enum Values {
    /// Integers with a plan or, without one, encoded by `ints`. The second argument is
    /// the rate that predicts the lengths of moves.
    Predicted(fn(&StoredRecord<'_>, u64) -> u64),
    /// Integers encoded by `ints`. They have no plan.
    Integers(fn(&StoredRecord<'_>) -> u64),
    /// Bit strings of whole bytes, one after another.
    Bits {
        value: for<'r> fn(&'r StoredRecord<'_>) -> &'r [u8],
        /// The column of their lengths in bytes.
        length: ColumnId,
        /// How the bits are coded, in a few words.
        coding: &'static str,
    },
    /// Strings encoded by `strings`.
    Strings(for<'r> fn(&'r StoredRecord<'_>) -> &'r [u8]),
    /// As [`Values::Strings`], for the records that have a value.
    Optional(for<'r> fn(&'r StoredRecord<'_>) -> Option<&'r [u8]>),
    /// Strings compressed by the prose model.
    Prose(for<'r> fn(&'r StoredRecord<'_>) -> &'r [u8]),
}

/// Declares the columns: constant, number, name and values.
macro_rules! columns {
    ($($(#[$doc:meta])* $id:ident = $number:literal, $name:literal, $values:expr;)*) => {
        $($(#[$doc])* pub const $id: ColumnId = ColumnId($number);)*

        /// All columns except those of tag values. Those with plans come first, each
        /// after the columns that may predict it.
        pub const COLUMNS: &[Column] = &[
            $(Column { id: $id, name: $name, values: $values },)*
        ];
    };
}

columns! {
    /// The number of each record's roster.
    ROSTER = 3, "roster", Values::Predicted(|record, _| record.roster.into());
    /// Whether each record is a game.
    IS_GAME = 0, "is game", Values::Predicted(|record, _| record.is_game.into());
    /// The number of each record's layout.
    LAYOUT = 2, "layout", Values::Predicted(|record, _| record.layout.into());
    /// The default spelling of each record's moves.
    DEFAULT_SPELLING = 4, "default spelling",
        Values::Predicted(|record, _| record.movetext.default_spelling.into());
    /// The kind of each game's start position: variant, castling, whether a FEN tag
    /// gives it, and the spelling of the FEN if [`START_POSITIONS`] stores it.
    START = 16, "start", Values::Predicted(|record, _| record.start_number().into());
    /// The selector of the codec of each main line; 0 if there are no plies.
    CODEC = 7, "codec", Values::Predicted(|record, _| record.movetext.codec.into());
    /// The termination marker at the end of each movetext, plus 1; 0 if there is
    /// none or the moves code it.
    RESULT = 5, "result", Values::Predicted(|record, _| record.movetext.result.into());
    /// The number of plies of each record's main line; 0 if the moves code it.
    PLIES = 6, "plies", Values::Predicted(|record, _| record.movetext.plies);
    /// The number of plies of each record's variations.
    VARIATION_PLIES = 17, "variation plies",
        Values::Predicted(|record, _| record.movetext.variation_plies);
    /// The length of the moves of each record's variations, in bytes.
    VARIATION_BYTES = 18, "variation bytes",
        Values::Predicted(|record, _| record.movetext.variations.len() as u64);
    /// The length of each record's marks in bytes.
    MARK_BYTES = 23, "mark bytes",
        Values::Predicted(|record, _| record.movetext.marks.len() as u64);
    /// The length of each record's lines in bytes.
    LINE_BYTES = 25, "line bytes",
        Values::Predicted(|record, _| record.movetext.lines.len() as u64);
    /// The predicted number of bytes per 256 plies, from which the residuals of
    /// [`MOVE_BYTES`] are taken; 0 if that column has the lengths themselves.
    MOVE_RATE = 21, "move rate", Values::Predicted(|_, rate| rate);
    /// The length of each record's moves in bytes or, if [`MOVE_RATE`] is not 0, its
    /// residual against the prediction.
    MOVE_BYTES = 8, "move bytes",
        Values::Predicted(|record, rate| record.move_length().encode(rate));
    /// The reason why each record has a verbatim tail; 0 for none.
    VERBATIM_REASON = 1, "verbatim reason",
        Values::Integers(|record| record.verbatim_reason.map_or(0, |reason| reason as u64));
    /// The moves, one bit string per record, each padded to whole bytes.
    MOVES = 10, "moves", Values::Bits {
        value: |record| &record.movetext.moves,
        length: MOVE_BYTES,
        coding: "move codec",
    };
    /// The moves of all variations, one bit string per record.
    VARIATIONS = 19, "variations", Values::Bits {
        value: |record| &record.movetext.variations,
        length: VARIATION_BYTES,
        coding: "radix",
    };
    /// The marks, one bit string per record, each padded to whole bytes.
    MARKS = 22, "marks", Values::Bits {
        value: |record| &record.movetext.marks,
        length: MARK_BYTES,
        coding: "distributions",
    };
    /// The lines of moves in comments, one bit string per record, each padded to
    /// whole bytes.
    LINES = 24, "lines", Values::Bits {
        value: |record| &record.movetext.lines,
        length: LINE_BYTES,
        coding: "distributions, model",
    };
    /// The plies of each record that are not in its default spelling.
    SPELLING_EXCEPTIONS = 13, "spelling exceptions",
        Values::Strings(|record| &record.movetext.exceptions);
    /// The patch of each record.
    PATCH = 14, "patch", Values::Strings(|record| &record.patch);
    /// The start positions that replace the text of FEN tags, as bits of `combined`.
    START_POSITIONS = 20, "start positions",
        Values::Optional(|record| record.set_up.as_ref().map(FenPosition::bytes));
    /// The text of each record's comments that the marks do not code.
    COMMENTS = 12, "comments", Values::Prose(|record| &record.movetext.prose);
    /// The verbatim tail of each record.
    TAIL = 15, "tail", Values::Prose(|record| record.tail);
}

/// The values of the first tag name of the segment. The columns of the other
/// names follow.
pub const FIRST_TAG: ColumnId = ColumnId(32);

/// The columns of the tags of a block, besides those of tag values. All others are of its movetext.
const TAG_COLUMNS: [ColumnId; 8] = [
    IS_GAME,
    VERBATIM_REASON,
    ROSTER,
    RESULT,
    PLIES,
    CODEC,
    START,
    START_POSITIONS,
];

impl ColumnId {
    /// Whether the column is stored with the tags of a block: a list of games, or a filter of
    /// them, needs it.
    pub fn is_of_tags(self) -> bool {
        self >= FIRST_TAG || TAG_COLUMNS.contains(&self)
    }

    /// The row of the column; `None` for columns of tag values and unknown columns.
    pub(crate) fn column(self) -> Option<&'static Column> {
        COLUMNS.iter().find(|column| column.id == self)
    }
}

/// The columns of integers that have plans if any column has one.
pub(crate) fn predicted_columns() -> impl Iterator<Item = &'static Column> {
    let is_predicted = |column: &&Column| matches!(column.values, Values::Predicted(_));
    COLUMNS.iter().take_while(is_predicted)
}

/// The columns of bit strings, each with the column of their lengths.
pub(crate) fn bit_columns() -> impl Iterator<Item = (ColumnId, ColumnId)> {
    COLUMNS.iter().filter_map(|column| match column.values {
        Values::Bits { length, .. } => Some((column.id, length)),
        _ => None,
    })
}

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
mod tests {
    use super::*;

    #[test]
    fn predicted_columns_come_first() {
        let predicted = COLUMNS
            .iter()
            .filter(|column| matches!(column.values, Values::Predicted(_)));
        assert_eq!(predicted.count(), predicted_columns().count());
    }
}
