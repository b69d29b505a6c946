//! The kinds of tables that the archive adds to those of the container.

use crate::container::TableKind;

/// Declares the kinds: constant, number and name.
macro_rules! table_kinds {
    ($($(#[$doc:meta])* $id:ident = $number:literal, $name:literal;)*) => {
        $($(#[$doc])* pub const $id: TableKind = TableKind($number);)*

        /// All table kinds of the archive, with their names.
        pub const TABLE_KINDS: &[(TableKind, &str)] = &[$(($id, $name)),*];
    };
}

table_kinds! {
    /// The tag names of a segment.
    TAG_NAMES = 16, "tag names";
    /// The rosters: the ordered lists of tag names that records have.
    ROSTERS = 17, "rosters";
    /// The layouts.
    LAYOUTS = 18, "layouts";
    /// A dictionary. The key is the number of its column.
    DICTIONARY = 19, "dictionary";
    /// The adaptation of the model to the segment.
    ADAPTATION = 21, "adaptation";
    /// The templates, patterns and schemes of marks.
    NOTATION = 22, "notation";
    /// The distributions of marks.
    NOTATION_DISTRIBUTIONS = 23, "notation distributions";
    /// The fields of the columns that have plans, and these plans.
    PLANS = 24, "plans";
    /// The distributions of a field. The key is the number of its first column.
    DISTRIBUTIONS = 25, "distributions";
    /// The ranks of the entries of a field's dictionary. The key is as for
    /// [`DISTRIBUTIONS`].
    RANKS = 26, "ranks";
    /// The map of a field. The key is as for [`DISTRIBUTIONS`].
    MAP = 27, "map";
    /// The opening book of a field. The key is as for [`DISTRIBUTIONS`].
    OPENINGS = 29, "openings";
    /// The distributions of lines of moves in comments.
    LINES_DISTRIBUTIONS = 30, "lines distributions";
    /// The preset text for the prose model. The key is the number of the column of
    /// prose.
    PRESET_TEXT = 31, "preset text";
    /// A large dictionary. The key is as for [`DICTIONARY`], where the table of that key announces it.
    LARGE_DICTIONARY = 32, "large dictionary";
}
