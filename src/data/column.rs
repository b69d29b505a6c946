//! The columns that can be asked for.

/// A column of a [`Scan`](super::Scan). What is not asked for is not decoded.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameColumn {
    /// The number of the game in the archive, from 1: integers.
    Number,
    /// The name of the source of the game: a dictionary.
    Source,
    /// The value of the first tag pair with a name, with escapes resolved: a dictionary, or
    /// integers if it is to be read as a number, a date or a time. Null if the game does not have
    /// it.
    Tag {
        /// The name of the tag, in its exact case.
        name: String,
        /// How the value is read.
        kind: TagKind,
    },
    /// The number of plies before the position that the query has found, in the main line:
    /// integers. Null without a query for positions, and for a position in a variation.
    FoundAt,
    /// The number of plies of the main line: integers. Of a game with an illegal move, all moves
    /// that its text names count; the columns of moves end before the illegal one.
    PlyCount,
    /// The FEN of the start position: a dictionary. Null for the standard start position of chess;
    /// a FEN tag that is not a legal position is given as written.
    Start,
    /// The plies of the main line up to the first illegal one: lists of plies as of
    /// [`Ply::to_bits`](crate::Ply::to_bits).
    Moves,
    /// The plies of the main line in standard algebraic notation: lists of texts.
    San,
    /// The plies of the main line in UCI notation: lists of texts.
    Uci,
    /// The FEN of each position of the main line, from the start position to the last: lists of
    /// texts. Empty if the start position is not legal.
    Fens,
    /// The clock after each ply of the main line, in milliseconds: lists of numbers, null where no
    /// comment has one as `[%clk 0:03:00]`.
    Clocks,
    /// The evaluation after each ply of the main line, in centipawns for White: lists of numbers,
    /// null where no comment has one as `[%eval 0.17]` or `[%eval #-3]`. Mate in n moves is
    /// [`GameColumn::MATE`] − n, and its negative if Black mates.
    Evals,
    /// The comments in braces, each on one line: white space with a line break is one blank.
    /// Annotations. A line ends before its first illegal move, with what annotates the rest; a game
    /// whose start position is not legal has none. The same holds for glyphs and variations.
    Comments,
    /// The numeric annotation glyphs: annotations. `!` and the like are 1 to 6.
    Nags,
    /// The variations.
    Variations,
    /// The exact text after the first tag pairs that nothing interrupts, without white space around
    /// it: texts.
    Movetext,
    /// The exact text of the game, including the text up to the next game: texts.
    Text,
}

/// How the value of a tag is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TagKind {
    /// As text.
    Text,
    /// As an integer; null if it is none.
    Integer,
    /// As a date: the number of days since 1970-01-01; null if a part is unknown.
    Date,
    /// As a time of day: the number of seconds since midnight; null if it is none.
    Time,
}

impl GameColumn {
    /// The evaluation of a mate in 0 moves.
    pub const MATE: i32 = crate::pgn::MATE;

    /// The text of a tag.
    pub fn tag(name: &str) -> GameColumn {
        GameColumn::tag_as(name, TagKind::Text)
    }

    /// The value of a tag, read as text, a number, a date or a time.
    pub fn tag_as(name: &str, kind: TagKind) -> GameColumn {
        GameColumn::Tag {
            name: name.to_owned(),
            kind,
        }
    }
}
