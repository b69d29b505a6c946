//! Lossless PGN. Splits bytes into records and records into lexemes, and separates the game tree
//! from the layout, so that rendering reproduces every byte.
//!
//! ```text
//! bytes ─ Splitter ─► records ─ Scanner ─► lexemes ─ parse ─► Tree ─┐
//!                                            └─ Learner ─► Layout ──┴─ encode ─► Tree + Patch
//! render(Tree, Layout, Patch) = the record
//! ```

mod after;
mod commands;
mod compare;
mod encode;
mod event;
mod game;
mod join;
mod layout;
mod learn;
mod mark;
mod moves;
mod parse;
mod patch;
mod play;
mod render;
mod scan;
mod shapes;
mod split;
mod start;
mod steps;
#[cfg(test)]
mod tests;
mod tree;
mod tree_game;
mod verbatim_reason;
mod walk;
mod words;

pub use after::InvalidLine;
pub use commands::{MATE, clock, eval, has_text, mate_in, read_clock, read_eval, texts};
pub use encode::{Encoded, encode};
pub use event::MovetextEvent;
pub use game::{Game, Token, on_one_line, unescape};
pub use join::{Separator, leaves_comment_open, separator};
pub use layout::{Layout, LineEnding, MAX_TEMPLATE_BYTES, Wrap, WrapMode};
pub use learn::{LayoutLearner, Learned, MAX_LAYOUTS};
pub use mark::Mark;
pub use moves::{Moves, Step};
pub(crate) use parse::tag_value;
pub use parse::{MAX_NODES, MAX_TAGS, Parsed, parse, start_of, start_of_tags, tag_lexemes};
pub use patch::{MAX_PIECES, Patch};
pub use play::{Ply, Position};
pub use render::{RenderError, render};
pub use scan::{Lexeme, LexemeKind, MAX_TAG_NAME_BYTES, Scanner};
pub use shapes::{Arrow, ColoredSquare, ShapeColor, arrows, squares};
pub use split::{MAX_RECORD_BYTES, Record, Splitter};
pub use start::{FEN_TAG, Start, VARIANT_TAG};
pub use steps::{GapContext, GapSlot};
pub use tree::{
    GameTree, MIN_PLY_BYTES, Node, Tag, first_position, marker_of_outcome, outcome_of_marker,
};
pub use verbatim_reason::VerbatimReason;
pub use walk::{MisplacedVariation, Walker};
pub use words::has_words;
